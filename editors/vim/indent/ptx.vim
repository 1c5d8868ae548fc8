" Lines begin where the formatter of ptx-lsp puts them: statements one level inside of their braces, labels
" below the brace, further lines of a list of operands one level inside of the statement.

if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal indentexpr=PtxIndent()
setlocal indentkeys=0{,0},0),:,!^F,o,O
setlocal nosmartindent

let b:undo_indent = 'setlocal indentexpr< indentkeys< smartindent<'

if exists('*PtxIndent')
  finish
endif

let s:label = '^\s*[A-Za-z_$%][A-Za-z0-9_$]*\s*:\%($\|[^:]\)'
let s:list = ':\s*\.\%(branchtargets\|calltargets\|callprototype\)\>'

" How far back an open bracket is looked for: lines, and milliseconds.
let s:lines = 20000
let s:patience = 100

function! s:IsInert() abort
  return synIDattr(synIDtrans(synID(line('.'), col('.'), 1)), 'name') =~? '^\%(Comment\|String\)$'
endfunction

function! PtxIndent() abort
  let l:line = getline(v:lnum)
  call cursor(v:lnum, 1)
  let l:open = searchpair('[{(\[]', '', '[])}]', 'bnW', function('s:IsInert'), max([1, v:lnum - s:lines]), s:patience)
  let l:outside = l:open ? indent(l:open) : 0
  let l:inside = l:open ? l:outside + shiftwidth() : 0
  if l:line =~# '^\s*[])}]' || (l:line =~# s:label && l:line !~# s:list)
    return l:outside
  endif
  let l:before = prevnonblank(v:lnum - 1)
  let l:is_list = l:open && getline(l:open) !~# '{[^}]*$'
  if l:before > l:open && !l:is_list && substitute(getline(l:before), '\s*//.*', '', '') =~# ',\s*$'
    return l:inside + shiftwidth()
  endif
  return l:inside
endfunction
