--- The target that files are checked for, for this session: a setting of the server, nothing in a file.

local client = require('ptx-lsp.client')
local tell = require('ptx-lsp.tell')

local M = {}

M.NONE = 'none'

--- Check all files for this target; 'none': for their own targets.
---@param target string
function M.choose(target)
  if not client.client() then
    return
  end
  local known = client.choices().targets or {}
  if target ~= M.NONE and not vim.tbl_contains(known, target) then
    return tell.warn(("unknown target '%s'; Tab lists all targets"):format(target))
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
  tell.tell(target == M.NONE and 'checking files for their own targets' or 'checking files for ' .. target)
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
