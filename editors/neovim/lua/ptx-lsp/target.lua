--- The target that files are checked for, for this session: a setting of the server, nothing in a file.

local client = require('ptx-lsp.client')
local tell = require('ptx-lsp.tell')

local M = {}

M.NONE = 'none'

--- Check as if every file said this target; 'none': as each file says.
---@param target string
function M.choose(target)
  if not client.client() then
    return
  end
  local known = client.choices().targets or {}
  if target ~= M.NONE and not vim.tbl_contains(known, target) then
    return tell.warn(("there is no target '%s'; Tab lists all that there are"):format(target))
  end
  local section = { ['ptx-lsp'] = { target = target ~= M.NONE and target or vim.NIL } }
  if vim.lsp.config then
    vim.lsp.config(client.NAME, { settings = section }) -- also after a restart
  end
  for _, one in ipairs(client.clients()) do
    one.settings = vim.tbl_deep_extend('force', one.settings or {}, section)
    one.config.settings = one.settings
    client.notify(one, 'workspace/didChangeConfiguration', { settings = one.settings })
  end
  tell.tell(target == M.NONE and 'files are checked for their own targets' or 'files are checked for ' .. target)
end

--- Let the user choose.
function M.ask()
  if not client.client() then
    return
  end
  vim.ui.select({ M.NONE, unpack(client.choices().targets or {}) }, { prompt = 'Check PTX files for' }, function(target)
    if target then
      M.choose(target)
    end
  end)
end

return M
