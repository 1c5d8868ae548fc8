--- Descriptors and other packed values: what is under the cursor, or a number that the user gives.

local client = require('ptx-lsp.client')
local tell = require('ptx-lsp.tell')
local window = require('ptx-lsp.window')

local M = {}

--- Decode what is under the cursor, wherever its value comes from.
function M.at_cursor(mods)
  local server = client.clients(0)[1]
  if not server then
    return client.client() and tell.warn('the cursor is not in a PTX file')
  end
  local place = vim.lsp.util.make_position_params(0, server.offset_encoding)
  local arguments = { place.textDocument.uri, place.position.line, place.position.character }
  client.command('decodeAt', arguments, function(found)
    window.show('decoded', found.markdown, mods)
  end)
end

--- Decode a number: what `ptx-lsp decode` takes.
---@param words string[]
function M.value(words, mods)
  local command = client.config().cmd
  if type(command) ~= 'table' then
    return tell.warn("'cmd' is a function; run 'ptx-lsp decode' in a terminal")
  end
  local problem = require('ptx-lsp.executable').problem(command)
  if problem then
    return tell.fail(problem)
  end
  local options = { text = true, timeout = 20000, env = { NO_COLOR = '1' } }
  vim.system({ command[1], 'decode', unpack(words) }, options, vim.schedule_wrap(function(done)
    if done.stdout == '' then
      return tell.warn((vim.trim(done.stderr):match('([^\n]*)$'):gsub('^ptx%-lsp: ', '')))
    end
    window.show('decoded', '```text\n' .. done.stdout .. '```', mods)
  end))
end

--- Names of layouts, for completion: the first word of each line of `ptx-lsp decode list`.
---@return string[]
function M.layouts()
  local command = client.config().cmd
  if type(command) ~= 'table' or vim.fn.executable(command[1]) == 0 then
    return {}
  end
  local done = vim.system({ command[1], 'decode', 'list' }, { text = true, timeout = 5000 }):wait()
  local found = {}
  for name in (done.stdout or ''):gmatch('([%w-]+)[^\n]*\n') do
    table.insert(found, name)
  end
  return found
end

return M
