--- Messages to the user: one sentence, with the name of the plugin in front.

local M = {}

--- An error during an autocommand would be attributed to the autocommand, so the message is scheduled.
---@param text string
---@param level integer? vim.log.levels, usually INFO
function M.tell(text, level)
  vim.schedule(function()
    vim.notify('ptx-lsp: ' .. text, level or vim.log.levels.INFO)
  end)
end

function M.warn(text)
  M.tell(text, vim.log.levels.WARN)
end

function M.fail(text)
  M.tell(text, vim.log.levels.ERROR)
end

return M
