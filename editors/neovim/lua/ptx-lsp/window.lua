--- A window for what the server explains: one per tab page, used again.

local M = {}

--- Whether a buffer is one of ours.
local function is_ours(buffer)
  return vim.startswith(vim.api.nvim_buf_get_name(buffer), 'ptx-lsp:')
end

--- Go to the window that shows such a buffer, or split one off.
---@param mods string what stood before the command, as in `:vertical PtxLsp page`
function M.enter(mods)
  if is_ours(0) then
    return
  end
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if is_ours(vim.api.nvim_win_get_buf(window)) then
      return vim.api.nvim_set_current_win(window)
    end
  end
  vim.cmd((mods or '') .. ' split')
end

local WIDEST = 100 -- columns of a line that is read with ease

--- Set up a buffer with read-only Markdown.
function M.fill(buffer, text)
  local window = vim.fn.bufwinid(buffer)
  local columns = math.min(window ~= -1 and vim.api.nvim_win_get_width(window) - 2 or 80, WIDEST)
  local lines = vim.split((text:gsub('%s+$', '')), '\n', { plain = true })
  lines = require('ptx-lsp.markdown').laid_out(lines, columns)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].buftype = 'nofile'
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = 'markdown'
  pcall(vim.treesitter.start, buffer, 'markdown')
  vim.bo[buffer].keywordprg = ':PtxLsp page'
  vim.bo[buffer].tagfunc = "v:lua.require'ptx-lsp.pages'.tagfunc"
  for _, keys in ipairs({ 'gf', '<CR>' }) do
    vim.keymap.set('n', keys, function()
      require('ptx-lsp.pages').follow()
    end, { buffer = buffer, desc = 'Follow the link' })
  end
  for _, one in ipairs(vim.fn.win_findbuf(buffer)) do
    vim.wo[one][0].conceallevel = 2
    vim.wo[one][0].wrap = false
    vim.wo[one][0].spell = false
  end
end

--- Show Markdown that has no address of its own.
---@param name string a word for it
function M.show(name, text, mods)
  M.enter(mods)
  local address = 'ptx-lsp:' .. name
  local buffer = vim.fn.bufadd(address)
  vim.fn.bufload(buffer)
  vim.api.nvim_win_set_buf(0, buffer)
  M.fill(buffer, text)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
end

return M
