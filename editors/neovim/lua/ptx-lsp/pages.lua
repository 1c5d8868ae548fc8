--- Pages about instructions, codes and words: `ptx-lsp:/isa/mma.md`, read from the server into Markdown buffers.

local client = require('ptx-lsp.client')
local tell = require('ptx-lsp.tell')
local window = require('ptx-lsp.window')

local M = {}

local INDEX = 'ptx-lsp:/index.md'

--- Fill a buffer with the page at its address.
function M.read(buffer, address)
  local server = client.client()
  local text, problem
  if server then
    text, problem = client.request_sync(server, 'workspace/textDocumentContent', { uri = address })
  else
    problem = 'no server is running'
  end
  if problem then
    tell.warn(problem)
  end
  window.fill(buffer, text and text.text or problem)
end

--- The word under the cursor as the server explains it: `cp.async.bulk`, `%laneid`, `.f16x2`, `E502`.
function M.word()
  local line, column = vim.api.nvim_get_current_line(), vim.api.nvim_win_get_cursor(0)[2] + 1
  local at = 1
  while true do
    local first, last = line:find('[%w_%.:%%$]+', at)
    if not first then
      return ''
    end
    if column <= last then
      local word = column >= first and line:sub(first, last) or ''
      -- In a template a sigil is written twice.
      return (word:gsub('[.:]+$', ''):gsub('^([%%$])%1', '%1'))
    end
    at = last + 1
  end
end

--- Show the page of a topic, or of the word under the cursor; without either, the list of all pages.
---@param topic string
---@param mods string? what stood before the command
function M.open(topic, mods)
  topic = topic ~= '' and topic or M.word()
  if topic == '' or topic == 'index' then
    return M.show(INDEX, mods)
  end
  client.command('explain', { topic }, function(page)
    if page.uri and page.uri ~= vim.NIL then
      M.show(page.uri, mods)
    else
      window.show(topic, page.markdown, mods)
    end
  end)
end

--- Show the page that the server makes for the place of the cursor.
---@param name string the command of the server
---@param nothing string what is shown where there is none
---@param mods string? what stood before the command
function M.at_cursor(name, nothing, mods)
  local server = client.clients(0)[1]
  if not server then
    return client.client() and tell.warn('the cursor is not in a PTX file')
  end
  local place = vim.lsp.util.make_position_params(0, server.offset_encoding)
  client.command(name, { place.textDocument.uri, place.position }, function(found)
    if not found or found == vim.NIL then
      return tell.warn(nothing)
    end
    M.show(found.uri, mods)
  end)
end

--- Show the page at an address.
function M.show(address, mods)
  if not client.client() then
    return
  end
  window.enter(mods)
  vim.cmd.edit(vim.fn.fnameescape(address))
end

--- The address of the link under the cursor.
local function link()
  local line, column = vim.api.nvim_get_current_line(), vim.api.nvim_win_get_cursor(0)[2] + 1
  local at = 1
  while true do
    local first, last, address = line:find('%[[^%]]*%]%(([^)%s]*)%)', at)
    if not first or column < first then
      return nil
    end
    if column <= last then
      return address
    end
    at = last + 1
  end
end

--- The address of the first link to a line of a file in the line of the cursor.
local function line_link()
  return vim.api.nvim_get_current_line():match('%]%(([%a][%w+.-]*:[^)%s]*#L%d+)%)')
end

--- Follow the link under the cursor, or else the first one of its line that leads to a line of a file.
---
--- A file is shown in the window that has it, or in the one before this; the page stays where it is.
function M.follow()
  local address = link() or line_link()
  if not address then
    return tell.warn('no link in this line')
  end
  local uri, number = address:match('^(.*)#L(%d+)$')
  if vim.startswith(address, 'ptx-lsp:') then
    return M.show(address)
  elseif not uri or vim.startswith(uri, 'http') then
    return vim.ui.open(address)
  end
  local buffer = vim.uri_to_bufnr(uri)
  local before = vim.fn.win_getid(vim.fn.winnr('#'))
  local shown = vim.fn.bufwinid(buffer)
  if shown == -1 and before ~= 0 and before ~= vim.api.nvim_get_current_win() then
    shown = before
  end
  if shown ~= -1 then
    vim.api.nvim_set_current_win(shown)
  else
    vim.cmd.split()
  end
  vim.cmd("normal! m'")
  if vim.api.nvim_get_current_buf() ~= buffer then
    vim.cmd.buffer(buffer)
    vim.bo[buffer].buflisted = true
  end
  vim.api.nvim_win_set_cursor(0, { math.min(tonumber(number), vim.api.nvim_buf_line_count(buffer)), 0 })
  vim.cmd('normal! zv')
end

--- 'tagfunc' of a page: CTRL-] follows the link under the cursor, CTRL-T comes back.
function M.tagfunc(word, flags)
  local address = flags:find('c') and link() or nil
  local file, number = (address or ''):match('^(file:.*)#L(%d+)$')
  if file then
    return { { name = word, filename = vim.uri_to_fname(file), cmd = number } }
  end
  if not address or not vim.startswith(address, 'ptx-lsp:') then
    if address then
      vim.schedule(function()
        vim.ui.open(address)
      end)
    end
    return {}
  end
  return { { name = word, filename = address, cmd = '1' } }
end

--- Topics of pages, for completion: all links of the index.
---@return string[]
function M.topics()
  local server = client.clients()[1]
  local index = server and client.request_sync(server, 'workspace/textDocumentContent', { uri = INDEX }, 2000)
  local found = {}
  for name in (index and index.text or ''):gmatch('%]%(ptx%-lsp:/%w+/(%S-)%.md%)') do
    table.insert(found, (vim.uri_decode(name)))
  end
  return found
end

return M
