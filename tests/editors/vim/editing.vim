" File type, indentation, pages and :make; no language server.

let s:module = [
\ '.version 8.0', '.target sm_90a', '.address_size 64',
\ '.visible .entry kernel(', '    .param .u64 input,', '    .param .u64 output', ')', '{',
\ '    .reg .b32 %r<4>;', '    mov.u32 %r1,', '        %tid.x;', '$L__BB0_1:', '    {', '        .reg .b32 t;', '    inner:',
\ '        add.u32 t, %r1, %r1;', '    }', '    cp.async.bulk.commit_group;', '    tab: .branchtargets $L__BB0_1;',
\ '    mov.b32 %r2, 0x8200490;', '    ret;', '}']

function! Test_files_of_ptx_are_known() abort
  call Edit(s:module)
  call assert_equal('ptx', &filetype)
  call assert_equal('// %s', &commentstring)
endfunction

function! Test_names_are_words() abort
  call Edit(s:module)
  call At('$L__BB0_1')
  call assert_equal('$L__BB0_1', expand('<cword>'))
  call At('%r1')
  call assert_equal('%r1', expand('<cword>'))
endfunction

function! Test_lines_are_indented() abort
  call Edit(map(copy(s:module), 'substitute(v:val, "^ *", "", "")'))
  setlocal shiftwidth=4 expandtab
  silent normal! gg=G
  call assert_equal(s:module, getline(1, '$'))
endfunction

function! Page() abort
  for l:window in range(1, winnr('$'))
    if getwinvar(l:window, '&previewwindow')
      return join(getbufline(winbufnr(l:window), 1, '$'), "\n")
    endif
  endfor
  return ''
endfunction

function! Test_K_shows_the_page_of_the_instruction() abort
  call Edit(s:module)
  call At('bulk.commit_group')
  normal K
  call assert_match('^# cp.async.bulk.commit_group: ', Page())
endfunction

function! Test_pages_of_codes_are_shown() abort
  call Edit(s:module)
  PtxPage E502
  call assert_match('^# E502 newer-target', Page())
endfunction

function! Test_the_number_at_the_cursor_is_decoded() abort
  call Edit(s:module)
  call At('200490')
  PtxDecode idesc --kind f16
  call assert_match('bf16 × bf16 → f32, M128 N128', Page())
endfunction

function! Test_what_is_unknown_is_said() abort
  call Edit(s:module)
  let l:said = execute('PtxPage mmaa', '')
  call assert_match("ptx-lsp: no page for 'mmaa'; did you mean 'mma'", l:said)
endfunction

function! Test_a_missing_program_is_said() abort
  let g:ptx_lsp_program = 'no-such-ptx-lsp'
  try
    let l:said = execute('PtxPage mma', '')
  finally
    unlet g:ptx_lsp_program
  endtry
  call assert_match("cannot find the program 'no-such-ptx-lsp': install ptx-lsp or set g:ptx_lsp_program", l:said)
endfunction

function! Test_make_fills_the_quickfix_list() abort
  call Edit(['.version 8.0', '.target sm_90', '.entry k()', '{', '    addd.u32 %r1, 1, 2;', '    ret;', '}'])
  compiler ptx_lsp
  silent make!
  let l:first = getqflist()[0]
  call assert_equal([5, 5, 'E'], [l:first.lnum, l:first.col, toupper(l:first.type)])
  call assert_match('addd', l:first.text)
endfunction

" The highlight group of a text, followed to the one that colour schemes know.
function! Colour(text) abort
  call At(a:text)
  return synIDattr(synIDtrans(synID(line('.'), col('.'), 1)), 'name')
endfunction

function! Test_words_are_coloured() abort
  call Edit(s:module)
  for [l:text, l:group] in [
  \ ['.version', 'PreProc'], ['8.0', 'Constant'], ['.entry', 'PreProc'], ['mov', 'Statement'], ['.u32', 'Type'],
  \ ['%tid', 'Constant'], ['cp.async', 'Statement'], ['0x8200490', 'Constant']]
    call assert_equal(l:group, Colour(l:text), l:text)
  endfor
  call append(2, '// add.u32')
  call assert_equal('Comment', Colour('add.u32'))
endfunction
