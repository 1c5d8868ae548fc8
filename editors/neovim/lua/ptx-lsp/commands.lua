--- `:PtxLsp`: its commands and their completion.

local client = require('ptx-lsp.client')
local tell = require('ptx-lsp.tell')

local M = {}

---@class ptx-lsp.Command
---@field run fun(words: string[], mods: string)
---@field complete (fun(words: string[]): string[])?
---@field least integer? words that it takes at least
---@field most integer? words that it takes at most

local function uri()
  return vim.uri_from_bufnr(0)
end

local function plural(count, word)
  return ('%d %s%s'):format(count, word, count == 1 and '' or 's')
end

local function tell_status(status)
  local parts, document = { status.server.version }, status.document
  if type(document) == 'table' and document.isReady then
    table.insert(parts, 'PTX ' .. document.ptxVersion)
    table.insert(parts, document.target .. (document.isTargetAssumed and ' (assumed)' or ''))
    table.insert(parts, plural(vim.api.nvim_buf_line_count(0), 'line'))
    table.insert(parts, plural(document.findings.error, 'error'))
    table.insert(parts, plural(document.findings.warning, 'warning'))
  elseif type(document) == 'table' then
    table.insert(parts, 'the file is being read')
  end
  tell.tell(table.concat(parts, ', '))
end

--- A command that shows a page of the server about the place of the cursor.
---@param name string the command of the server
---@param nothing string what is shown where there is none
---@return ptx-lsp.Command
local function page_at_cursor(name, nothing)
  return {
    run = function(_, mods)
      require('ptx-lsp.pages').at_cursor(name, nothing, mods)
    end,
  }
end

---@type table<string, ptx-lsp.Command>
local COMMANDS = {
  status = {
    run = function()
      local here = client.clients(0)[1] and { uri() } or {}
      client.command('status', here, tell_status)
    end,
  },
  restart = { run = client.restart },
  stop = {
    run = function()
      client.stop()
    end,
  },
  log = {
    run = function(_, mods)
      vim.cmd(mods .. ' split ' .. vim.fn.fnameescape(vim.lsp.get_log_path()))
      vim.cmd('normal! G')
    end,
  },
  page = {
    run = function(words, mods)
      require('ptx-lsp.pages').open(words[1] or '', mods)
    end,
    complete = function()
      return require('ptx-lsp.pages').topics()
    end,
    most = 1,
  },
  source = {
    run = function()
      require('ptx-lsp.sources').show()
    end,
  },
  decode = {
    run = function(words, mods)
      local decode = require('ptx-lsp.decode')
      if #words == 0 then
        decode.at_cursor(mods)
      else
        decode.value(words, mods)
      end
    end,
    complete = function(words)
      local names = vim.tbl_map(function(layout)
        return layout.name
      end, client.choices().layouts or {})
      return #words == 1 and names or {}
    end,
    most = 99,
  },
  origin = page_at_cursor('originAt', 'no register under the cursor'),
  uses = page_at_cursor('usesAt', 'no register under the cursor'),
  flow = page_at_cursor('flowAt', 'the cursor is not in a function with a body'),
  barriers = page_at_cursor('barriersAt', 'the cursor is not in a function with a body'),
  target = {
    run = function(words)
      local target = require('ptx-lsp.target')
      if words[1] then
        target.choose(words[1])
      else
        target.ask()
      end
    end,
    complete = function()
      return { 'none', unpack(client.choices().targets or {}) }
    end,
    most = 1,
  },
  ['set-target'] = {
    run = function(words)
      client.command('setTarget', { uri(), words[1] })
    end,
    complete = function()
      return client.choices().targets or {}
    end,
    least = 1,
    most = 1,
  },
  ['set-version'] = {
    run = function(words)
      client.command('setVersion', { uri(), words[1] })
    end,
    complete = function()
      return client.choices().versions or {}
    end,
    least = 1,
    most = 1,
  },
  ['fix-all'] = {
    run = function()
      client.command('fixAll', { uri() }, function(done)
        tell.tell(done.fixed == 0 and 'no unambiguous fixes here' or plural(done.fixed, 'finding') .. ' fixed')
      end)
    end,
  },
  reload = {
    run = function()
      client.command('reload', {})
    end,
  },
  hints = {
    run = function()
      local is_on = vim.lsp.inlay_hint.is_enabled({ bufnr = 0 })
      vim.lsp.inlay_hint.enable(not is_on, { bufnr = 0 })
    end,
  },
  lenses = {
    run = function()
      local lenses, buffer = require('ptx-lsp.lenses'), vim.api.nvim_get_current_buf()
      if lenses.are_shown(buffer) then
        lenses.hide(buffer)
      else
        lenses.show(buffer)
      end
    end,
  },
}

local function names()
  local found = vim.tbl_keys(COMMANDS)
  table.sort(found)
  return found
end

--- Carry out `:PtxLsp …`; without arguments, it shows the status.
function M.run(command)
  local words = vim.deepcopy(command.fargs)
  local name = table.remove(words, 1) or 'status'
  local found = COMMANDS[name]
  if not found then
    return tell.warn(("unknown command ':PtxLsp %s'; expected one of %s"):format(name, table.concat(names(), ', ')))
  end
  if #words > (found.most or 0) then
    return tell.warn((":PtxLsp %s takes %s"):format(name, found.most and plural(found.most, 'argument') .. ' at most' or 'no arguments'))
  end
  if #words < (found.least or 0) then
    return tell.warn((":PtxLsp %s needs an argument; Tab lists the values"):format(name))
  end
  found.run(words, command.mods)
end

--- What Tab offers.
---@param lead string the word that is being typed
---@param line string the command line up to it
function M.complete(lead, line, column)
  local words = vim.split(vim.trim(line:sub(1, column):gsub('^.-PtxLsp', '', 1)), '%s+', { trimempty = true })
  if lead ~= '' then
    table.remove(words)
  end
  local offered = names()
  if #words > 0 then
    local found = COMMANDS[table.remove(words, 1)]
    offered = found and found.complete and #words < (found.most or 0) and found.complete(words) or {}
  end
  return vim.tbl_filter(function(word)
    return vim.startswith(word, lead)
  end, offered)
end

return M
