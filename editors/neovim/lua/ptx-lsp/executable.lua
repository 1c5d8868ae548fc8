--- The program `ptx-lsp`: whether it can be started, and why not.

local generated = require('ptx-lsp.generated')

local M = {}

local INSTALL = "install it with 'pipx install ptx-lsp'"

--- The interpreter that the first line of a script names; nil for other programs.
---@param path string
---@return string?
function M.interpreter(path)
  local file = io.open(path, 'rb')
  local line = file and file:read(512)
  if file then
    file:close()
  end
  -- '#!/usr/bin/env python3' finds its interpreter by itself, and a long path is wrapped by '#!/bin/sh'.
  local found = line and line:match('^#!%s*([^\r\n]*)')
  found = found and vim.trim(found):match('^(%S*python[%d.]*)')
  return found
end

--- Why a command cannot be started, in a sentence without its first capital; nil if nothing speaks against it.
--- This is quick: nothing is run.
---@param command string[]|function|nil
---@return string?
function M.problem(command)
  if type(command) ~= 'table' then
    return nil
  end
  local program = command[1]
  local path = vim.fn.exepath(program)
  if path == '' then
    if vim.uv.fs_stat(program) and program:find('/') then
      return ("'%s' is not executable"):format(program)
    end
    return ("program '%s' not found; %s, or set 'cmd' (:help ptx-lsp-install)"):format(program, INSTALL)
  end
  local python = M.interpreter(path)
  if python and vim.fn.executable(python) == 0 then
    return ("'%s' cannot run because its Python '%s' is missing; %s again"):format(path, python, INSTALL)
  end
end

--- The version in words: '3.9'; nil if it is no Python.
local function version_of(python, on_answer)
  local ask = { python, '-c', 'import sys; sys.stdout.write("%d.%d" % sys.version_info[:2])' }
  local ok = pcall(vim.system, ask, { text = true, timeout = 10000 }, function(done)
    on_answer(done.code == 0 and done.stdout or nil)
  end)
  if not ok then
    on_answer(nil)
  end
end

---@class ptx-lsp.Answer
---@field version string? what `ptx-lsp --version` said
---@field python string? the version of its Python
---@field problem string? why it does not run

--- Run the program to see what it says of itself; `on_answer` is called in the main loop.
---@param command string[]
---@param on_answer fun(answer: ptx-lsp.Answer)
function M.ask(command, on_answer)
  on_answer = vim.schedule_wrap(on_answer)
  local problem = M.problem(command)
  if problem then
    return on_answer({ problem = problem })
  end
  local path = vim.fn.exepath(command[1])
  local python = M.interpreter(path)
  local function with_python(next_step)
    if python then
      version_of(python, next_step)
    else
      next_step(nil)
    end
  end
  local ok, reason = pcall(vim.system, { path, '--version' }, { text = true, timeout = 20000 }, function(done)
    with_python(function(version)
      local said = vim.trim(done.stdout or '')
      if done.code == 0 and said ~= '' then
        return on_answer({ version = said:match('(%S+)$'), python = version })
      end
      if version and vim.version.lt(version, generated.python) then
        local text = ("'%s' runs on Python %s, but %s or newer is needed"):format(path, version, generated.python)
        return on_answer({ python = version, problem = text })
      end
      local last = vim.trim(done.stderr or ''):match('([^\n]*)$')
      local text = last ~= '' and last or ('exit status %d'):format(done.code)
      on_answer({ python = version, problem = ("'%s --version' fails: %s"):format(path, text) })
    end)
  end)
  if not ok then
    on_answer({ problem = ("'%s' cannot be run: %s"):format(path, tostring(reason)) })
  end
end

return M
