--- A client for ptx-lsp, the language server for NVIDIA PTX. See `:help ptx-lsp`.

local M = {}

--- Choose how the plugin behaves. Not needed: without it everything is as the defaults say.
---@param wanted ptx-lsp.Options?
function M.setup(wanted)
  require('ptx-lsp.options').set(wanted)
  if package.loaded['ptx-lsp.client'] then
    require('ptx-lsp.client').configure()
  end
end

return M
