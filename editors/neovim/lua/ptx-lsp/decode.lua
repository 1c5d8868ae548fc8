--- Descriptors and other packed values: what is under the cursor, or a number that the user gives.

local client = require('ptx-lsp.client')
local tell = require('ptx-lsp.tell')

local M = {}

--- Decode what is under the cursor, wherever its value comes from.
---@param mods string what stood before the command
function M.at_cursor(mods)
  require('ptx-lsp.pages').at_cursor('decodeAt', 'no descriptor under the cursor', mods)
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
