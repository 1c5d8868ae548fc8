" The language server in ALE, which finds the linter in ale_linters/ by itself.

let g:ale_linters_explicit = 0
let g:ale_hover_to_preview = 1
let g:ale_hover_cursor = 0
let g:ale_fixers = {'ptx': [function('ptx_lsp#Format')]}
silent! packadd ale
if !exists(':ALEInfo')
  call writefile(['missing'], $PTX_RESULT)
  qall!
endif

let s:module = [
\ '.version 8.0', '.target sm_90', '.address_size 64',
\ '.visible .entry kernel(.param .u64 input)', '{', '    .reg .b32 %r<4>;', '    .reg .b64 %rd<4>;',
\ '  ld.param.u64 %rd1, [input];', '    addd.u32 %r1, %r2, 1;', '$L__end:', '    bra $L__end;', '}']

function! Open() abort
  call Edit(s:module)
  ALELint
  call Wait('diagnostics', {-> !empty(filter(getloclist(0), 'v:val.text =~# "addd"'))})
endfunction

function! Test_diagnostics_stand_in_the_location_list() abort
  call Open()
  let l:found = filter(getloclist(0), 'v:val.text =~# "addd"')[0]
  call assert_equal([9, 5, 'E'], [l:found.lnum, l:found.col, l:found.type])
endfunction

function! Test_diagnostics_go_when_the_text_is_mended() abort
  call Open()
  call At('addd')
  normal! x
  ALELint
  call Wait('the finding to go', {-> empty(filter(getloclist(0), 'v:val.text =~# "addd"'))})
endfunction

function! Hover() abort
  for l:window in range(1, winnr('$'))
    if getwinvar(l:window, '&previewwindow')
      return join(getbufline(winbufnr(l:window), 1, '$'), "\n")
    endif
  endfor
  return ''
endfunction

function! Test_hovers_are_shown() abort
  call Open()
  call At('ld.param')
  ALEHover
  call Wait('a hover', {-> Hover() =~# 'ld'})
  call assert_match('%rd1', Hover())
endfunction

function! Test_a_name_leads_to_its_declaration() abort
  call Open()
  call At('input];')
  ALEGoToDefinition
  call Wait('the declaration', {-> line('.') == 4})
  call assert_equal('input', expand('<cword>'))
endfunction

function! Test_labels_are_renamed() abort
  call Open()
  call At('$L__end:')
  call feedkeys(":ALERename\<CR>\<C-U>again\<CR>", 'tx')
  call Wait('the new name', {-> getline(10) ==# 'again:'})
  call assert_equal('    bra again;', getline(11))
endfunction

function! Test_the_fixer_formats() abort
  call Open()
  setlocal expandtab
  ALEFix
  call Wait('the new layout', {-> !empty(filter(getline(1, '$'), 'v:val =~# "^    ld.param.u64"'))})
endfunction

" What ALE would offer at the cursor.
function! Offered() abort
  let s:seen = []
  call ale#completion#GetCompletions('ale-callback', {'callback': {items -> extend(s:seen, items)}})
  call Wait('completion', {-> exists('b:ale_completion_result')})
  return ''
endfunction

function! Complete(typed) abort
  call append(8, '')
  call cursor(9, 1)
  call feedkeys('A' . a:typed . "\<C-R>=Offered()\<CR>\<Esc>", 'tx')
  return map(copy(s:seen), 'v:val.word')
endfunction

function! Test_opcodes_are_completed() abort
  call Open()
  call assert_equal(['activemask'], Complete('    activem'))
endfunction

function! Test_what_would_be_written_with_two_dots_is_not_offered() abort
  call Open()
  call assert_equal([], Complete('    mov.'))
endfunction
