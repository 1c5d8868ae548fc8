--- From a source line to the PTX that was generated from it, if that is open: a list of places.

local client = require('ptx-lsp.client')
local tell = require('ptx-lsp.tell')

local M = {}

function M.show()
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  client.command('ptxOfSource', { vim.uri_from_bufnr(0), line }, function(found)
    if #found.places == 0 then
      tell.tell('no open PTX file has code of this line')
      return
    end
    local encoding = client.clients()[1].offset_encoding
    local items = vim.lsp.util.locations_to_items(found.places, encoding)
    vim.fn.setqflist({}, ' ', { title = ('PTX of line %d'):format(line + 1), items = items })
    vim.cmd('botright copen')
  end)
end

return M
