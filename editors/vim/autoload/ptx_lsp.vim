" What the commands for PTX do. They ask the program ptx-lsp, and need no language server.

" The program; g:ptx_lsp_program names another one.
function! ptx_lsp#Program() abort
  return get(g:, 'ptx_lsp_program', 'ptx-lsp')
endfunction

" The page of a topic; without one, or with the word that K hands over, of the opcode or register at the cursor.
function! ptx_lsp#Page(topic) abort
  let l:topic = a:topic ==# '' || a:topic ==# expand('<cword>') ? s:At('[A-Za-z0-9_.$%:]') : a:topic
  if l:topic ==# ''
    return s:Complain('there is no word at the cursor')
  endif
  call s:Show('ptx page', 'markdown', ['explain', l:topic])
endfunction

" What the bits of a value say: a layout, options, and a value.
function! ptx_lsp#Decode(arguments) abort
  let l:number = s:At('[0-9A-Fa-fxXU]')
  let l:has_value = a:arguments[-1] =~# '^[0-9]'
  call s:Show('ptx descriptor', '', ['decode'] + a:arguments + (l:has_value || l:number ==# '' ? [] : [l:number]))
endfunction

" The layouts for the completion of :PtxDecode.
function! ptx_lsp#Layouts(...) abort
  return join(map(systemlist(shellescape(ptx_lsp#Program()) . ' decode list'), {_, line -> matchstr(line, '^\S*')}), "\n")
endfunction

" ALE's fixer: let g:ale_fixers = {'ptx': [function('ptx_lsp#Format')]}.
function! ptx_lsp#Format(buffer) abort
  return {'command': ale#Escape(ptx_lsp#Program()) . ' format -'}
endfunction

" The run of such characters at the cursor.
function! s:At(class) abort
  let l:start = match(getline('.')[: col('.') - 1], a:class . '*$')
  return matchstr(getline('.'), '^' . a:class . '*', l:start)
endfunction

function! s:Complain(text) abort
  echohl ErrorMsg
  echomsg 'ptx-lsp: ' . a:text
  echohl None
endfunction

" Show what the program prints in a window above, or what it complains of.
function! s:Show(name, filetype, arguments) abort
  if !executable(ptx_lsp#Program())
    return s:Complain("cannot find the program '" . ptx_lsp#Program() . "': install ptx-lsp or set g:ptx_lsp_program")
  endif
  let l:said = systemlist(join(map([ptx_lsp#Program()] + a:arguments, {_, word -> shellescape(word)})))
  if v:shell_error > 1
    return s:Complain(substitute(get(l:said, 0, 'no answer'), '^ptx-lsp: ', '', ''))
  endif
  execute 'silent pedit' fnameescape(a:name)
  wincmd P
  setlocal buftype=nofile bufhidden=wipe noswapfile nobuflisted modifiable
  silent %delete _
  call setline(1, l:said)
  let &l:filetype = a:filetype
  setlocal nomodifiable
  wincmd p
endfunction
