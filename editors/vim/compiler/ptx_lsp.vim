" :compiler ptx_lsp, then :make fills the quickfix list with what is wrong in this file.

if exists('g:current_compiler')
  finish
endif
let g:current_compiler = 'ptx_lsp'

CompilerSet makeprg=ptx-lsp\ check\ %:S
CompilerSet errorformat=%f:%l:%c:\ %trror[%m,%f:%l:%c:\ %tarning[%m,%f:%l:%c:\ %tnformation[%m,%f:%l:%c:\ %tint[%m,%-G%.%#
