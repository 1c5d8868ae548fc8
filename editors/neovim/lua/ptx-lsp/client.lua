--- The client: how it is configured, started, found and asked.
---
--- Neovim 0.11 has vim.lsp.config and vim.lsp.enable, and everything goes through them, so that users change it the way they
--- change any other server. For 0.10 the same configuration is started by vim.lsp.start.

local exits = require('ptx-lsp.exits')
local options = require('ptx-lsp.options')
local tell = require('ptx-lsp.tell')

local M = {}

M.NAME = 'ptx_lsp'

--- What the server found wrong in settings, for the health check.
---@type string[]
M.complaints = {}

local reported ---@type string? the last reason for not starting: it is said once

local function is_native()
  return vim.lsp.config ~= nil and vim.lsp.enable ~= nil
end

--- The configuration without Neovim's help: what the file in lsp/ says, and what the user chose above it.
local function own_config()
  local file = vim.api.nvim_get_runtime_file('lsp/ptx_lsp.lua', false)[1]
  return vim.tbl_deep_extend('force', dofile(file), options.chosen.server)
end

local is_configured = false

--- The configuration that holds.
---@return vim.lsp.ClientConfig
function M.config()
  if not is_configured then
    M.configure()
  end
  return is_native() and vim.lsp.config[M.NAME] or M.own
end

--- Whether a server may be started now; the reason why not is reported once.
function M.may_start()
  if exits.is_down then
    return false
  end
  local problem = require('ptx-lsp.executable').problem(M.config().cmd)
  if problem and problem ~= reported then
    tell.fail(problem)
  end
  reported = problem
  return problem == nil
end

--- The server's messages, which are sentences of their own.
local function show_message(_, result)
  if result.message:find('settings', 1, true) or result.message:find('ptx-lsp.toml', 1, true) then
    table.insert(M.complaints, (result.message:gsub('^ptx%-lsp: ', '')))
  end
  local levels = { vim.log.levels.ERROR, vim.log.levels.WARN }
  vim.notify(result.message, levels[result.type] or vim.log.levels.INFO)
end

local function as_list(value)
  return type(value) == 'table' and value or { value }
end

local our_filetypes = { 'ptx' } ---@type string[] those of the configuration, unless the user set others

--- The file types of a configuration with those of the option `inline_assembly`; what the user set is kept.
local function filetypes_with_ours(base)
  if vim.deep_equal(base.filetypes, our_filetypes) then
    our_filetypes = options.filetypes()
    return our_filetypes
  end
end

--- What this plugin adds to a configuration `base`; what stands there already is kept.
local function with_ours(base)
  local capabilities = { workspace = { textDocumentContent = { dynamicRegistration = false } } }
  local found = vim.tbl_deep_extend('keep', base, {
    capabilities = vim.tbl_deep_extend('keep', capabilities, vim.lsp.protocol.make_client_capabilities()),
    init_options = {
      ownTokenTypes = options.chosen.highlights,
      commands = { 'ptx-lsp.showReferences' },
    },
    commands = { ['ptx-lsp.showReferences'] = require('ptx-lsp.lenses').show_references },
    handlers = { ['window/showMessage'] = show_message },
  })
  found.filetypes = filetypes_with_ours(base) or base.filetypes
  found.on_exit = { exits.watcher(M.start_all), unpack(as_list(base.on_exit)) }
  return found
end

local function root_of(buffer)
  return vim.fs.root(buffer, M.config().root_markers or {})
end

--- Tell Neovim the configuration, and have it start the server for PTX files. What comes later from the user wins.
function M.configure()
  if not is_native() then
    M.own = with_ours(own_config())
    M.own.name = M.NAME
    is_configured = true
    return
  end
  if not is_configured then
    is_configured = true
    local base = vim.lsp.config[M.NAME]
    local found = with_ours(base)
    found.name = nil
    if base.root_dir == nil then
      found.root_dir = function(buffer, on_root)
        if M.may_start() then
          on_root(root_of(buffer))
        end
      end
    end
    vim.lsp.config(M.NAME, found)
  else
    vim.lsp.config(M.NAME, { filetypes = filetypes_with_ours(vim.lsp.config[M.NAME]) })
  end
  vim.lsp.config(M.NAME, options.chosen.server)
end

local function start_by_hand(buffer)
  if vim.bo[buffer].buftype == '' and M.may_start() then
    local config = vim.tbl_extend('force', {}, M.own)
    config.root_dir = config.root_dir or root_of(buffer)
    vim.lsp.start(config, { bufnr = buffer })
  end
end

local is_watching = false

--- What is done once a client is there for a buffer.
local function watch_attachments()
  if is_watching then
    return
  end
  is_watching = true
  vim.api.nvim_create_autocmd('LspAttach', {
    group = vim.api.nvim_create_augroup('ptx-lsp.attach', {}),
    desc = 'inlay hints and code lenses of ptx-lsp',
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if client and client.name == M.NAME then
        if options.chosen.inlay_hints then
          vim.lsp.inlay_hint.enable(true, { bufnr = event.buf })
        end
        if options.chosen.code_lenses then
          require('ptx-lsp.lenses').show(event.buf)
        end
      end
    end,
  })
end

--- Start the server for every file of its types that is open, and for those to come.
function M.start_all()
  M.configure()
  watch_attachments()
  if is_native() then
    vim.lsp.enable(M.NAME)
    return
  end
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.tbl_contains(M.own.filetypes, vim.bo[buffer].filetype) then
      start_by_hand(buffer)
    end
  end
end

--- A file of PTX was opened, or of a language with inline assembly.
function M.opened(buffer)
  if options.chosen.highlights then
    require('ptx-lsp.highlights').link()
  end
  M.config()
  watch_attachments()
  if not options.is_enabled() then
    return
  end
  if not is_native() then
    return start_by_hand(buffer)
  end
  M.may_start() -- Neovim itself passes over a missing program silently
  if M.is_native_on then
    return
  elseif vim.v.vim_did_enter == 1 then
    M.is_native_on = true
    vim.lsp.enable(M.NAME)
  else
    -- For files on the command line vim.lsp.enable comes too late until Neovim is up.
    M.is_native_on = true
    vim.api.nvim_create_autocmd('VimEnter', {
      once = true,
      callback = function()
        vim.lsp.enable(M.NAME)
      end,
    })
  end
end

--- The clients that run, in this buffer or anywhere.
---@param buffer integer?
---@return vim.lsp.Client[]
function M.clients(buffer)
  return vim.tbl_filter(function(client)
    return client.initialized
  end, vim.lsp.get_clients({ name = M.NAME, bufnr = buffer }))
end

--- The client of the current buffer, else any; nil, with a warning, if there is none.
---@return vim.lsp.Client?
function M.client()
  local found = M.clients(0)[1] or M.clients()[1]
  if not found then
    tell.warn("no server is running; open a PTX file, or see ':checkhealth ptx-lsp'")
  end
  return found
end

--- Ask a client; 0.10 calls the function without the client before it.
function M.request(client, method, params, on_answer)
  if is_native() then
    return client:request(method, params, on_answer)
  end
  return client.request(method, params, on_answer, 0)
end

--- Ask a client and wait, for at most a few seconds.
---@return any result, string? problem
function M.request_sync(client, method, params, timeout)
  local answer, problem
  if is_native() then
    answer, problem = client:request_sync(method, params, timeout or 10000)
  else
    answer, problem = client.request_sync(method, params, timeout or 10000, 0)
  end
  if not answer then
    return nil, problem == 'timeout' and 'the server did not answer in time' or problem
  end
  return answer.result, answer.err and answer.err.message
end

--- Notify a client.
function M.notify(client, method, params)
  if is_native() then
    return client:notify(method, params)
  end
  return client.notify(method, params)
end

--- Have the server carry out one of its commands; errors are reported.
---@param name string without 'ptx-lsp.'
---@param arguments any[]
---@param on_answer fun(result: any)?
function M.command(name, arguments, on_answer)
  local client = M.client()
  if not client then
    return
  end
  local params = { command = 'ptx-lsp.' .. name, arguments = arguments }
  M.request(client, 'workspace/executeCommand', params, function(problem, result)
    if problem then
      tell.warn(problem.message)
    elseif on_answer then
      on_answer(result)
    end
  end)
end

--- The targets, versions and layouts that there are, the newest first; nothing while no server runs.
---@return { targets: string[]?, versions: string[]?, layouts: { name: string }[]? }
function M.choices()
  local server = M.clients(0)[1] or M.clients()[1]
  if not M.known_choices and server then
    local params = { command = 'ptx-lsp.choices', arguments = {} }
    M.known_choices = M.request_sync(server, 'workspace/executeCommand', params, 3000)
  end
  return M.known_choices or {}
end

--- Stop all servers; `on_stopped` is called when the last has ended, which is waited for two seconds.
function M.stop(on_stopped)
  local running = vim.lsp.get_clients({ name = M.NAME, _uninitialized = true })
  vim.lsp.stop_client(running)
  local timer, turns = assert(vim.uv.new_timer()), 0
  local function look()
    if timer:is_closing() then
      return
    end
    turns = turns + 1
    local left = vim.tbl_filter(function(client)
      return vim.lsp.get_client_by_id(client.id) ~= nil
    end, running)
    if turns == 100 then
      vim.lsp.stop_client(left, true)
    end
    if #left == 0 or turns > 150 then
      timer:close()
      if on_stopped then
        on_stopped()
      end
    end
  end
  timer:start(0, 20, vim.schedule_wrap(look))
end

--- Stop all servers and start them again, also after they went down for good.
function M.restart()
  M.stop(function()
    exits.forget()
    reported, M.complaints = nil, {}
    M.is_native_on = true
    M.start_all()
  end)
end

return M
