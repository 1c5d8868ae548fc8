-- What happens at the start of Neovim: next to nothing. Everything else waits for the first PTX file.

if vim.g.loaded_ptx_lsp then
  return
end
vim.g.loaded_ptx_lsp = true

if vim.fn.has('nvim-0.10') == 0 then
  vim.api.nvim_echo({ { 'ptx-lsp: Neovim 0.10 or newer is needed', 'WarningMsg' } }, true, {})
  return
end

local group = vim.api.nvim_create_augroup('ptx-lsp', {})

vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = { 'ptx', 'c', 'cpp', 'cuda', 'llvm', 'mlir', 'mojo', 'python', 'rust' },
  desc = 'start ptx-lsp',
  callback = function(event)
    if vim.tbl_contains(require('ptx-lsp.options').filetypes(), event.match) then
      require('ptx-lsp.client').opened(event.buf)
    end
  end,
})

vim.api.nvim_create_autocmd('BufReadCmd', {
  group = group,
  pattern = 'ptx-lsp:/*',
  desc = 'show a page of ptx-lsp',
  callback = function(event)
    require('ptx-lsp.pages').read(event.buf, event.match)
  end,
})

vim.api.nvim_create_user_command('PtxLsp', function(command)
  require('ptx-lsp.commands').run(command)
end, {
  nargs = '*',
  desc = 'what ptx-lsp can do: see :help :PtxLsp',
  complete = function(...)
    return require('ptx-lsp.commands').complete(...)
  end,
})

-- Who called vim.lsp.enable('ptx_lsp') before gets what this plugin adds from the first file on.
if package.loaded['vim.lsp'] then
  require('ptx-lsp.client').configure()
end
