" What is particular to PTX while typing.

if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

" '*' and 'ciw' take the whole of %r1 and $L__BB0_2, and one part of ld.global.f32.
setlocal iskeyword=@,48-57,_,$,%
setlocal comments=s1:/*,mb:*,ex:*/,://
setlocal commentstring=//\ %s
setlocal formatoptions-=t formatoptions+=croql
setlocal suffixesadd=.ptx
setlocal keywordprg=:PtxPage

let b:undo_ftplugin = 'setlocal iskeyword< comments< commentstring< formatoptions< suffixesadd< keywordprg<'
