--- Restart of a server that exits unexpectedly, up to a limit.

local options = require('ptx-lsp.options')
local tell = require('ptx-lsp.tell')

local M = {}

local MOST = 5
local WITHIN = 3 * 60 * 1000 -- milliseconds

--- When servers ended unexpectedly, by the clock of the event loop.
---@type integer[]
local ends = {}

--- Whether the server stays down until the user asks for it.
M.is_down = false

--- Forget what was: the user asked for a new start.
function M.forget()
  ends, M.is_down = {}, false
end

local function how(code, signal)
  return signal ~= 0 and ('signal %d'):format(signal) or ('exit status %d'):format(code)
end

local function not_started(command, code, signal)
  M.is_down = true
  local function say(reason)
    tell.fail(("the server did not start: %s; ':PtxLsp restart' tries again, ':PtxLsp log' shows more"):format(reason))
  end
  if type(command) ~= 'table' then
    return say(how(code, signal))
  end
  require('ptx-lsp.executable').ask(command, function(answer)
    say(answer.problem or how(code, signal))
  end)
end

local function ended(code, signal, start)
  local now = vim.uv.now()
  table.insert(ends, now)
  ends = vim.tbl_filter(function(time)
    return now - time < WITHIN
  end, ends)
  local what = ('the server exited unexpectedly (%s)'):format(how(code, signal))
  if not options.chosen.restart then
    M.is_down = true
    return tell.warn(what .. "; ':PtxLsp restart' restarts it, ':PtxLsp log' shows why")
  end
  if #ends >= MOST then
    M.is_down = true
    local text = "the server exited %d times in three minutes and is not restarted; ':PtxLsp log' shows why, "
      .. "':PtxLsp restart' tries again"
    return tell.fail(text:format(#ends))
  end
  tell.warn(what .. ' and was restarted')
  start()
end

--- What a client calls when its server ended.
---@param start fun() starts it again for all PTX files
---@return fun(code: integer, signal: integer, client_id: integer)
function M.watcher(start)
  return function(code, signal, client_id)
    local client = vim.lsp.get_client_by_id(client_id)
    local was_stopped = code == 0 and (signal == 0 or signal == 15)
    if was_stopped or vim.v.exiting ~= vim.NIL then
      return
    end
    local was_running = client ~= nil and client.initialized
    local command = client and client.config.cmd
    -- Neovim forgets the client in what it scheduled before this second turn; only then a new one can take its place.
    vim.schedule(function()
      vim.schedule(function()
        if was_running then
          ended(code, signal, start)
        else
          not_started(command, code, signal)
        end
      end)
    end)
  end
end

return M
