--- Descriptors and other packed values: what is under the cursor, or a number that the user gives.

local client = require('ptx-lsp.client')
local tell = require('ptx-lsp.tell')

local M = {}

--- Decode what is under the cursor, wherever its value comes from.
---@param mods string what stood before the command
function M.at_cursor(mods)
  local server = client.clients(0)[1]
  if not server then
    return client.client() and tell.warn('the cursor is not in a PTX file')
  end
  local place = vim.lsp.util.make_position_params(0, server.offset_encoding)
  client.command('decodeAt', { place.textDocument.uri, place.position }, function(found)
    if not found or found == vim.NIL then
      return tell.warn('no descriptor under the cursor')
    end
    require('ptx-lsp.pages').show(found.uri, mods)
  end)
end

--- Decode a number: `0x08200490 idesc .kind::f16`.
---@param words string[] value, layout, words of the opcode
function M.value(words, mods)
  if #words < 2 then
    return tell.warn(("':PtxLsp decode %s' needs a layout, such as idesc"):format(words[1]))
  end
  client.command('decode', words, function(found)
    require('ptx-lsp.pages').show(found.uri, mods)
  end)
end

return M
