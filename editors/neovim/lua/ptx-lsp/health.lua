--- `:checkhealth ptx-lsp`: problems that prevent the server from working, and their fixes.

local M = {}

local health = vim.health

local function check_neovim()
  health.start('Neovim')
  local version = tostring(vim.version())
  if vim.lsp.config then
    health.ok(version .. ', starts the server with vim.lsp.enable')
  elseif vim.fn.has('nvim-0.10') == 1 then
    health.ok(version .. ', starts the server with vim.lsp.start')
  else
    health.error(version .. ' is too old', '0.10 or newer is needed')
  end
  local filetype = vim.filetype.match({ filename = 'kernel.ptx' })
  if filetype == 'ptx' then
    health.ok("*.ptx has the filetype 'ptx'")
  else
    health.error(("*.ptx has the filetype '%s'"):format(filetype), "vim.filetype.add({ extension = { ptx = 'ptx' } })")
  end
end

local function check_options()
  local options = require('ptx-lsp.options')
  for _, problem in ipairs(options.problems) do
    health.error(problem, "see ':help ptx-lsp-options'")
  end
  if not options.is_enabled() then
    health.warn('the plugin does not start the server: enabled is false', "':PtxLsp restart' starts it anyway")
  end
end

--- Wait for the program's answer about itself.
local function asked(command)
  local answer
  require('ptx-lsp.executable').ask(command, function(found)
    answer = found
  end)
  vim.wait(30000, function()
    return answer ~= nil
  end, 20)
  return answer or { problem = 'no answer within 30 seconds' }
end

local function check_program()
  health.start('Server')
  check_options()
  local generated = require('ptx-lsp.generated')
  local command = require('ptx-lsp.client').config().cmd
  if type(command) ~= 'table' then
    return health.info("'cmd' is a function, which cannot be checked")
  end
  local answer = asked(command)
  if answer.problem then
    return health.error(answer.problem, { "pipx install ptx-lsp", "or set 'cmd': see ':help ptx-lsp-install'" })
  end
  health.ok(("'%s' is version %s"):format(vim.fn.exepath(command[1]), answer.version))
  if answer.version ~= generated.version then
    health.warn(
      ('this plugin is version %s, the server %s'):format(generated.version, answer.version),
      'update the older of the two'
    )
  end
  if answer.python then
    health.ok('it runs on Python ' .. answer.python)
  end
  if require('ptx-lsp.exits').is_down then
    health.error('the server exited repeatedly and is not restarted', {
      "':PtxLsp log' shows why",
      "':PtxLsp restart' tries again",
    })
  end
end

local function check_clients()
  health.start('Files')
  local clients = require('ptx-lsp.client').clients()
  if #clients == 0 then
    health.info('no server is running; it starts with the first PTX file')
  end
  for _, client in ipairs(clients) do
    local files = vim.tbl_count(client.attached_buffers or {})
    local where = client.config.root_dir and 'in ' .. client.config.root_dir or 'outside any project'
    health.ok(('client %d: %d file%s %s'):format(client.id, files, files == 1 and '' or 's', where))
  end
  local others = {}
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == 'ptx' then
      for _, client in ipairs(vim.lsp.get_clients({ bufnr = buffer })) do
        others[client.name] = client.name ~= 'ptx_lsp' or nil
      end
    end
  end
  for name in vim.spairs(others) do
    health.warn(
      ("'%s' is attached to PTX files too: diagnostics and colours may be duplicated"):format(name),
      ("vim.lsp.enable('%s', false), or remove 'ptx' from its filetypes"):format(name)
    )
  end
end

local function check_settings()
  local complaints = require('ptx-lsp.client').complaints
  if #complaints == 0 then
    return health.ok('the server reports no problems in the settings')
  end
  for _, complaint in ipairs(complaints) do
    health.error(complaint, "see ':help ptx-lsp-settings'")
  end
end

function M.check()
  check_neovim()
  check_program()
  check_clients()
  check_settings()
end

return M
