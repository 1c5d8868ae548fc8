--- Code lenses: kept up to date, and what a click on one shows.

local M = {}

--- The command `ptx-lsp.showReferences`: places in the quickfix list, the first of them not jumped to.
---@param command lsp.Command with URI, position and locations
---@param context { client_id: integer }
function M.show_references(command, context)
  local client = assert(vim.lsp.get_client_by_id(context.client_id))
  local locations = command.arguments[3]
  local items = vim.lsp.util.locations_to_items(locations, client.offset_encoding)
  vim.fn.setqflist({}, ' ', { title = command.title, items = items })
  vim.cmd('botright copen')
end

--- Show code lenses in a buffer from now on.
function M.show(buffer)
  local group = vim.api.nvim_create_augroup('ptx-lsp.lenses.' .. buffer, {})
  local function refresh()
    vim.lsp.codelens.refresh({ bufnr = buffer })
  end
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, {
    group = group,
    buffer = buffer,
    desc = 'code lenses of ptx-lsp',
    callback = refresh,
  })
  refresh()
end

--- Show them no more.
function M.hide(buffer)
  pcall(vim.api.nvim_del_augroup_by_name, 'ptx-lsp.lenses.' .. buffer)
  vim.lsp.codelens.clear(nil, buffer)
end

--- Whether they are shown.
function M.are_shown(buffer)
  return pcall(vim.api.nvim_get_autocmds, { group = 'ptx-lsp.lenses.' .. buffer })
end

return M
