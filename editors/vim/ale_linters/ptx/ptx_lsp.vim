" Author: The authors of ptx-lsp
" Description: The language server of NVIDIA PTX. ALE takes this file as it is.

call ale#Set('ptx_ptx_lsp_executable', 'ptx-lsp')
call ale#Set('ptx_ptx_lsp_options', {})

function! ale_linters#ptx#ptx_lsp#ProjectRoot(buffer) abort
  let l:settings = ale#path#FindNearestFile(a:buffer, 'ptx-lsp.toml')
  if !empty(l:settings)
    return fnamemodify(l:settings, ':h')
  endif
  let l:git = finddir('.git', fnamemodify(bufname(a:buffer), ':p:h') . ';')
  return !empty(l:git) ? fnamemodify(l:git, ':p:h:h') : fnamemodify(bufname(a:buffer), ':p:h')
endfunction

" ALE overlooks where the server says that a word begins, and would write 'mov..u32' and '%%r1': it gets names only.
function! ale_linters#ptx#ptx_lsp#IsCompletable(buffer, item) abort
  return a:item.label =~# '^[A-Za-z_$]'
endfunction

call ale#linter#Define('ptx', {
\ 'name': 'ptx_lsp',
\ 'aliases': ['ptx-lsp'],
\ 'lsp': 'stdio',
\ 'executable': {buffer -> ale#Var(buffer, 'ptx_ptx_lsp_executable')},
\ 'command': '%e --stdio',
\ 'initialization_options': {buffer -> ale#Var(buffer, 'ptx_ptx_lsp_options')},
\ 'project_root': function('ale_linters#ptx#ptx_lsp#ProjectRoot'),
\ 'language': 'ptx',
\ 'completion_filter': function('ale_linters#ptx#ptx_lsp#IsCompletable'),
\})
