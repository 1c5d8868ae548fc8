--- Markdown as Neovim shows it best: columns of tables stand under each other, and paragraphs are broken by what is seen,
--- not by the addresses of links, which are hidden.

local M = {}

--- The columns that a text takes once marks and addresses are hidden.
local function width(text)
  local seen = text:gsub('%[([^%]]*)%]%([^)%s]*%)', '%1'):gsub('`', '')
  return vim.fn.strdisplaywidth(seen)
end

local function cells_of(line)
  local inner = line:gsub('^%s*|', ''):gsub('|%s*$', ''):gsub('\\|', '\1')
  return vim.tbl_map(function(cell)
    return (vim.trim(cell):gsub('\1', '\\|'))
  end, vim.split(inner, '|', { plain = true }))
end

local function is_rule(cell)
  return cell:find('^:?%-+:?$') ~= nil
end

--- A table with its columns padded.
---@param lines string[]
---@return string[]
local function aligned(lines)
  local rows, widths, on_right = {}, {}, {}
  for at, line in ipairs(lines) do
    rows[at] = cells_of(line)
    for column, cell in ipairs(rows[at]) do
      if is_rule(cell) then
        on_right[column] = vim.endswith(cell, ':') and not vim.startswith(cell, ':')
      else
        widths[column] = math.max(widths[column] or 0, width(cell), 1)
      end
    end
  end
  return vim.tbl_map(function(row)
    local padded = {}
    for column, cell in ipairs(row) do
      local wanted = widths[column] or 1
      if is_rule(cell) then
        padded[column] = ('-'):rep(wanted)
      else
        local blanks = (' '):rep(wanted - width(cell))
        padded[column] = on_right[column] and blanks .. cell or cell .. blanks
      end
    end
    return '| ' .. table.concat(padded, ' | ') .. ' |'
  end, rows)
end

--- A paragraph or an item of a list, broken anew.
---@param lines string[]
---@return string[]
local function broken(lines, columns)
  local first = lines[1]
  local hang = (' '):rep(#first:match('^%s*[-*]?%d*%.?%s*'))
  if not first:find('^%s*[-*]%s') and not first:find('^%s*%d+%.%s') then
    hang = first:match('^%s*')
  end
  local text = first:match('^%s*') .. vim.trim(table.concat(vim.tbl_map(vim.trim, lines), ' '))
  -- A link is one word, whatever stands in it.
  text = text:gsub('%[[^%]]*%]%([^)%s]*%)', function(link)
    return (link:gsub(' ', '\1'))
  end)
  local found, line = {}, nil
  for indent, word in text:gmatch('(%s*)(%S+)') do
    local longer = line and line .. ' ' .. word or indent .. word
    if line and width(longer) > columns then
      table.insert(found, line)
      line = hang .. word
    else
      line = longer
    end
  end
  table.insert(found, line)
  return vim.tbl_map(function(one)
    return (one:gsub('\1', ' '))
  end, found)
end

local function kind_of(line)
  if line:find('^%s*|') then
    return 'table'
  end
  if line == '' or line:find('^#') or line:find('^%s*>') then
    return 'as it is'
  end
  return 'text'
end

--- Lines of Markdown for a window of some columns.
---@param lines string[]
---@param columns integer
---@return string[]
function M.laid_out(lines, columns)
  local found, at = {}, 1
  while at <= #lines do
    local line = lines[at]
    local last = at
    if line:find('^%s*```') then
      repeat
        last = last + 1
      until last >= #lines or lines[last]:find('^%s*```')
      vim.list_extend(found, lines, at, math.min(last, #lines))
    else
      local kind = kind_of(line)
      local function goes_on(following)
        local is_item = following:find('^%s*[-*]%s') or following:find('^%s*%d+%.%s') or following:find('^%s*```')
        return kind_of(following) == kind and not (kind == 'text' and is_item)
      end
      while kind ~= 'as it is' and lines[last + 1] and goes_on(lines[last + 1]) do
        last = last + 1
      end
      local part = vim.list_slice(lines, at, last)
      if kind == 'table' then
        part = aligned(part)
      elseif kind == 'text' then
        part = broken(part, columns)
      end
      vim.list_extend(found, part)
    end
    at = last + 1
  end
  return found
end

return M
