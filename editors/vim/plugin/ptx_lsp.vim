" Commands for PTX, and the language server for vim-lsp. ALE finds it by itself, in ale_linters/.

if exists('g:loaded_ptx_lsp')
  finish
endif
let g:loaded_ptx_lsp = 1

" :PtxPage shows the page of the instruction at the cursor, :PtxPage E502 that of a diagnostic.
command! -nargs=? PtxPage call ptx_lsp#Page(<q-args>)

" :PtxDecode idesc --kind f16 0x8200490 decodes a descriptor; the default is the number at the cursor.
command! -nargs=+ -complete=custom,ptx_lsp#Layouts PtxDecode call ptx_lsp#Decode([<f-args>])

function! s:RegisterWithVimLsp() abort
  if !executable(ptx_lsp#Program())
    return
  endif
  call lsp#register_server({
  \ 'name': 'ptx-lsp',
  \ 'cmd': {server_info -> [ptx_lsp#Program(), '--stdio']},
  \ 'allowlist': ['ptx'],
  \ 'root_uri': {server_info -> lsp#utils#path_to_uri(lsp#utils#find_nearest_parent_file_directory(
  \   lsp#utils#get_buffer_path(), ['ptx-lsp.toml', '.git/']))},
  \ 'initialization_options': get(g:, 'ptx_lsp_settings', {}),
  \})
endfunction

augroup ptx_lsp
  autocmd!
  autocmd User lsp_setup call s:RegisterWithVimLsp()
augroup END
