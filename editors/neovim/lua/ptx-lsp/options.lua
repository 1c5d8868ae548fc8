--- What the user chose for this plugin; settings of the server are another thing, see `server`.

local M = {}

---@class ptx-lsp.Options
---@field enabled boolean? start the server for PTX files; also vim.g.ptx_lsp_enabled
---@field restart boolean? start a server again that ended unexpectedly, up to four times in three minutes
---@field highlights boolean? colours for what only this server tells: predicates, labels, roles of qualifiers
---@field inlay_hints boolean? show inlay hints in PTX files
---@field code_lenses boolean? show code lenses in PTX files
---@field inline_assembly string[]? file types whose inline assembly is served, beside the server of the language
---@field server table? what vim.lsp.config('ptx_lsp', …) takes: cmd, settings, root_markers, on_attach …

local DEFAULTS = {
  enabled = true,
  restart = true,
  highlights = true,
  inlay_hints = false,
  code_lenses = false,
  inline_assembly = { 'cuda' },
  server = {},
}

---@type ptx-lsp.Options
M.chosen = vim.deepcopy(DEFAULTS)

--- Why a value cannot be chosen, in a clause; nil if it can.
local function wrong(key, value)
  if DEFAULTS[key] == nil then
    local known = vim.tbl_keys(DEFAULTS)
    table.sort(known)
    return ("unknown option '%s'; expected one of %s"):format(key, table.concat(known, ', '))
  end
  if type(value) ~= type(DEFAULTS[key]) then
    return ("'%s' must be a %s, not %s"):format(key, type(DEFAULTS[key]), vim.inspect(value))
  end
end

--- Take over what is right of `wanted`, and say once what is wrong.
function M.set(wanted)
  M.chosen = vim.deepcopy(DEFAULTS)
  local problems = {}
  if wanted ~= nil and type(wanted) ~= 'table' then
    problems, wanted = { 'setup() expects a table, not ' .. vim.inspect(wanted) }, nil
  end
  for key, value in pairs(wanted or {}) do
    local problem = wrong(key, value)
    if problem then
      table.insert(problems, problem)
    else
      M.chosen[key] = value
    end
  end
  table.sort(problems)
  M.problems = problems
  if #problems > 0 then
    require('ptx-lsp.tell').warn(table.concat(problems, '; '))
  end
end

--- What was wrong with the last `setup{}`, for the health check.
---@type string[]
M.problems = {}

--- The file types for which the server is started.
function M.filetypes()
  return { 'ptx', unpack(M.chosen.inline_assembly) }
end

--- Whether the server must be started.
function M.is_enabled()
  return M.chosen.enabled and vim.g.ptx_lsp_enabled ~= false and vim.g.ptx_lsp_enabled ~= 0
end

return M
