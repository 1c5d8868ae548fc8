" What the tests in Vim share: each function Test_… of a file is run, and what fails is written to $PTX_RESULT.

set nocompatible nomore noswapfile viminfo= hidden shortmess+=I encoding=utf-8
execute 'set runtimepath^=' . fnameescape($PTX_VIM)
filetype plugin indent on
syntax on

let s:patience = 60

" Wait until a condition holds.
function! Wait(what, Condition) abort
  let l:end = localtime() + s:patience
  while !a:Condition()
    if localtime() > l:end
      throw 'waited in vain for ' . a:what
    endif
    sleep 20m
  endwhile
endfunction

let s:folder = tempname()
let s:files = 0
call mkdir(s:folder)

" Edit a new file with these lines, in a folder that all tests of this process share.
function! Edit(lines) abort
  let s:files += 1
  let l:path = s:folder . '/kernel' . s:files . '.ptx'
  call writefile(a:lines, l:path)
  execute 'edit' fnameescape(l:path)
endfunction

" Move to the beginning of a text.
function! At(text) abort
  call cursor(1, 1)
  call assert_true(search('\V' . escape(a:text, '\'), 'cW') > 0, 'no ' . a:text)
endfunction

function! RunTests() abort
  let l:lines = []
  for l:name in sort(filter(getcompletion('Test_', 'function'), 'v:val =~# "^Test_"'))
    let v:errors = []
    try
      execute 'call' l:name
    catch
      call add(v:errors, v:throwpoint . ': ' . v:exception)
    endtry
    call add(l:lines, (empty(v:errors) ? 'passed ' : 'failed ') . l:name)
    call extend(l:lines, map(copy(v:errors), '"  " . v:val'))
    pclose
    only!
  endfor
  call writefile(l:lines, $PTX_RESULT)
  qall!
endfunction
