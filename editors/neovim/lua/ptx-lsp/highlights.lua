--- Colours of what only this server tells. Every group is a link that any colour scheme or user can replace.

local generated = require('ptx-lsp.generated')
local options = require('ptx-lsp.options')

local M = {}

-- Groups that are nearer than those of the standard types. Other types of ours are coloured as the standard type that they
-- stand for.
local NEARER = {
  label = '@label',
  specialRegister = '@variable.builtin',
  space = '@keyword.modifier',
  string = '@string',
}

-- What the module's target lacks is struck through, as a deprecated word is.
local MODIFIERS = {
  unavailable = 'DiagnosticDeprecated',
}

local function set_links_of(filetype)
  for name, standard in pairs(generated.token_types) do
    local group = NEARER[name] or (name ~= standard and '@lsp.type.' .. standard) or nil
    if group then
      vim.api.nvim_set_hl(0, ('@lsp.type.%s.%s'):format(name, filetype), { link = group, default = true })
    end
  end
  for name, group in pairs(MODIFIERS) do
    vim.api.nvim_set_hl(0, ('@lsp.mod.%s.%s'):format(name, filetype), { link = group, default = true })
  end
end

-- A group per language: the types of other servers keep their colours.
local function set_links()
  for _, filetype in ipairs(options.filetypes()) do
    set_links_of(filetype)
  end
end

local is_linked = false

--- Link the groups, now and after each change of the colour scheme, which clears them.
function M.link()
  if is_linked then
    return
  end
  is_linked = true
  set_links()
  vim.api.nvim_create_autocmd('ColorScheme', {
    group = vim.api.nvim_create_augroup('ptx-lsp.highlights', {}),
    desc = 'colours of ptx-lsp',
    callback = set_links,
  })
end

return M
