"""The ways to install the plugin for Neovim that its README names, each in a clean home."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.editors.neovim import MISTAKE, PLUGIN, environment, neovim


def kernel(tmp_path: Path) -> Path:
    path = tmp_path / "kernel.ptx"
    path.write_text(MISTAKE, "utf-8")
    return path


def test_as_a_package(tmp_path):
    home = tmp_path / "home"
    package = home / "data" / "nvim" / "site" / "pack" / "ptx" / "start" / "ptx-lsp"
    shutil.copytree(PLUGIN, package, ignore=shutil.ignore_patterns("tags"))
    with neovim(home, plugin=False, clean=False, files=[kernel(tmp_path)]) as editor:
        editor.wait(lambda: editor.diagnostics() == [(21, "E302")], "findings")
        syntax = editor.nvim.funcs.execute("scriptnames")
        assert "ptx-lsp/syntax/ptx.vim" in syntax, "our colours, not those that come with Neovim"
        assert "ptx-lsp/ftplugin/ptx.lua" in syntax
        editor.command("helptags ALL")
        editor.command("help ptx-lsp")
        editor.wait(lambda: editor.name().endswith("doc/ptx-lsp.txt"), "the help")
        assert "*ptx-lsp*" in editor.line()


def test_by_a_manager_that_loads_it_with_the_first_file(tmp_path):
    """As lazy.nvim does with ``ft = 'ptx'``: the folder comes to the runtime path when the file is open already."""
    late = f"""
    vim.api.nvim_create_autocmd('FileType', {{ pattern = 'ptx', once = true, callback = function(event)
      vim.opt.rtp:prepend([[{PLUGIN}]])
      vim.cmd.source([[{PLUGIN}/plugin/ptx-lsp.lua]])
      vim.schedule(function()
        vim.api.nvim_exec_autocmds('FileType', {{ buffer = event.buf }})
      end)
    end }})
    """
    with neovim(tmp_path / "home", plugin=False, init=late, files=[kernel(tmp_path)]) as editor:
        editor.wait(lambda: editor.diagnostics() == [(21, "E302")], "findings")


def test_without_the_plugin(tmp_path):
    """Neovim 0.11 needs one file only."""
    home = tmp_path / "home"
    config = home / "config" / "nvim"
    (config / "lsp").mkdir(parents=True)
    shutil.copy(PLUGIN / "lsp" / "ptx_lsp.lua", config / "lsp")
    (config / "init.lua").write_text("vim.lsp.enable('ptx_lsp')\n", "utf-8")
    (tmp_path / "ptx-lsp.toml").write_text('ignore = ["E3"]\n')
    with neovim(home, plugin=False, clean=False, files=[kernel(tmp_path)]) as editor:
        editor.ready()
        assert editor.diagnostics() == [], "the settings of the project hold"
        assert editor.lua("return vim.lsp.get_clients()[1].config.root_dir") == str(tmp_path)


def test_who_enables_the_server_himself_gets_the_same(tmp_path):
    with neovim(tmp_path / "home", init="vim.lsp.enable('ptx_lsp')", files=[kernel(tmp_path)]) as editor:
        editor.wait(lambda: editor.diagnostics() == [(21, "E302")], "findings")
        assert len(editor.clients()) == 1
        client = "vim.lsp.get_clients()[1]"
        types = editor.lua(f"return {client}.server_capabilities.semanticTokensProvider.legend.tokenTypes")
        assert "opcode" in types, "our own types of tokens are asked for"


def test_nothing_of_the_server_is_loaded_before_a_ptx_file_is_opened(tmp_path):
    with neovim(tmp_path / "home", environ=environment(tmp_path / "home")) as editor:
        loaded = editor.lua("return vim.tbl_keys(package.loaded)")
        assert [name for name in loaded if name.startswith(("ptx-lsp", "vim.lsp"))] == []
