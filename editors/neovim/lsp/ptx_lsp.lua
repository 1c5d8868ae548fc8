---@brief
---
--- https://pypi.org/project/ptx-lsp/
---
--- `ptx-lsp`, a language server and checker for NVIDIA PTX, the assembly language of CUDA.
---
--- It needs Python 3.11 or newer:
---
--- ```sh
--- pipx install ptx-lsp
--- ```
---
--- Settings stand in `ptx-lsp.toml` beside the files, or in the section `ptx-lsp` here; these win:
---
--- ```lua
--- vim.lsp.config('ptx_lsp', {
---   settings = {
---     ['ptx-lsp'] = {
---       target = 'sm_90a',
---       inlayHints = { registerTypes = 'all' },
---     },
---   },
--- })
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'ptx-lsp', '--stdio' },
  filetypes = { 'ptx' },
  root_markers = { 'ptx-lsp.toml', '.git' },
  settings = {
    ['ptx-lsp'] = vim.empty_dict(),
  },
}
