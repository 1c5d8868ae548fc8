"""What goes wrong around the plugin for Neovim: the user is told in a sentence, and the editor keeps working."""

from __future__ import annotations

import os
import signal
import stat
import sys
import sysconfig
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.editors.neovim import KERNEL, MISTAKE, Neovim, environment, neovim, script

SERVER = Path(sysconfig.get_path("scripts")) / "ptx-lsp"
OLD_API = "vim.lsp.config = nil; vim.lsp.enable = nil"
"""Makes the plugin take the way that it takes in Neovim 0.10."""


def named(program: Path) -> str:
    """An init.lua that names the server's program."""
    return f"require('ptx-lsp').setup({{ server = {{ cmd = {{ '{program}', '--stdio' }} }} }})"


def kernel(tmp_path: Path, text: str = KERNEL, name: str = "kernel.ptx") -> Path:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return path


def shot(editor: Neovim) -> None:
    """Kill the server the hard way; it is the one child of Neovim that was not killed before."""
    pid = editor.lua(
        """
        for _, id in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
          if id ~= vim.g.shot then
            vim.g.shot = id
            return id
          end
        end
        """
    )
    os.kill(pid, signal.SIGKILL)


# ---------------------------------------------------------------------- a program that does not start


@pytest.mark.parametrize("before", ["", OLD_API], ids=["0.11", "0.10"])
def test_the_program_is_missing(tmp_path, before):
    environ = environment(tmp_path / "home") | {"PATH": "/usr/bin:/bin"}
    first, second = kernel(tmp_path), kernel(tmp_path, name="second.ptx")
    with neovim(tmp_path / "home", environ=environ, init=before) as editor:
        assert editor.messages() == "", "who opens no PTX file is not bothered"
        editor.nvim.command(f"edit {first}")
        editor.said("program 'ptx-lsp' not found; install it with 'pipx install ptx-lsp', or set 'cmd'")
        editor.nvim.command(f"edit {second}")
        editor.wait(lambda: editor.name() == str(second), "the second file")
        assert editor.messages().count("program 'ptx-lsp' not found") == 1, "it is said once"
        editor.keys("Onew<Esc>")
        editor.wait(lambda: editor.lines()[0] == "new", "the editor to go on")


def test_a_program_that_was_missing_is_there_now(tmp_path):
    program = tmp_path / "bin" / "ptx-lsp"
    with neovim(tmp_path / "home", init=named(program)) as editor:
        editor.nvim.command(f"edit {kernel(tmp_path, MISTAKE)}")
        editor.said(f"ptx-lsp: program '{program}' not found")
        program.parent.mkdir()
        program.symlink_to(SERVER)
        editor.command("PtxLsp restart")
        editor.wait(lambda: editor.diagnostics() == [(21, "E302")], "findings")


def test_a_file_that_is_no_program(tmp_path):
    program = kernel(tmp_path, "x", "ptx-lsp")
    with neovim(tmp_path / "home", init=named(program), files=[kernel(tmp_path)]) as editor:
        editor.said(f"ptx-lsp: '{program}' is not executable")


def test_the_python_of_the_program_is_gone(tmp_path):
    program = script(tmp_path / "ptx-lsp", f"#!{tmp_path}/old/bin/python3\n")
    with neovim(tmp_path / "home", init=named(program), files=[kernel(tmp_path)]) as editor:
        editor.said(f"ptx-lsp: '{program}' cannot run because its Python '{tmp_path}/old/bin/python3' is missing")


def test_the_program_is_broken(tmp_path):
    program = script(tmp_path / "ptx-lsp", f"#!{sys.executable}\nimport nowhere_to_be_found\n")
    with neovim(tmp_path / "home", init=named(program), files=[kernel(tmp_path)]) as editor:
        editor.said("No module named 'nowhere_to_be_found'")
        editor.said(f"ptx-lsp: the server did not start: '{program} --version' fails")
        editor.said("':PtxLsp restart' tries again, ':PtxLsp log' shows more")
        editor.nvim.command(f"edit {kernel(tmp_path, name='second.ptx')}")
        assert editor.messages().count("did not start") == 1, "it stays down"
        assert not editor.lua("return #vim.lsp.get_clients()")


def test_the_python_of_the_program_is_too_old(tmp_path):
    python = script(
        tmp_path / "python3", "#!/bin/sh\ncase $1 in -c) printf 3.9;; *) echo SyntaxError >&2; exit 1;; esac\n"
    )
    program = script(tmp_path / "ptx-lsp", f"#!{python}\n")
    with neovim(tmp_path / "home", init=named(program), files=[kernel(tmp_path)]) as editor:
        editor.said(f"the server did not start: '{program}' runs on Python 3.9, but 3.11 or newer is needed")


def test_health_of_a_broken_program(tmp_path):
    program = script(tmp_path / "ptx-lsp", f"#!{sys.executable}\nimport nowhere_to_be_found\n")
    with neovim(tmp_path / "home", init=named(program)) as editor:
        editor.command("checkhealth ptx-lsp")
        text = editor.wait(lambda: (found := "\n".join(editor.lines())) and "Files" in found and found, "the report")
        assert "ERROR" in text
        assert "No module named 'nowhere_to_be_found'" in text


def test_health_of_another_version(tmp_path):
    program = script(tmp_path / "ptx-lsp", "#!/bin/sh\necho ptx-lsp 0.0.1\n")
    with neovim(tmp_path / "home", init=named(program)) as editor:
        editor.command("checkhealth ptx-lsp")
        editor.wait(lambda: "the server 0.0.1" in "\n".join(editor.lines()), "the warning")


# ---------------------------------------------------------------------- a program that ends


@pytest.mark.parametrize("before", ["", OLD_API], ids=["0.11", "0.10"])
def test_a_server_that_dies_is_started_again(tmp_path, before):
    with neovim(tmp_path / "home", init=before) as editor:
        editor.edit(kernel(tmp_path, MISTAKE))
        (first,) = editor.clients()
        shot(editor)
        editor.said("ptx-lsp: the server exited unexpectedly (signal 9) and was restarted")
        editor.wait(lambda: editor.clients() not in ([], [first]), "a new client")
        editor.ready()
        editor.wait(lambda: editor.diagnostics() == [(21, "E302")], "findings")


def test_a_server_that_dies_five_times_stays_down(tmp_path):
    with neovim(tmp_path / "home") as editor:
        editor.edit(kernel(tmp_path, MISTAKE))
        for _ in range(4):
            (before,) = editor.clients()
            shot(editor)
            editor.wait(lambda before=before: editor.clients() not in ([], [before]), "a new client")
            editor.ready()
        shot(editor)
        editor.said("ptx-lsp: the server exited 5 times in three minutes and is not restarted; ':PtxLsp log' shows why")
        editor.nvim.command(f"edit {kernel(tmp_path, name='second.ptx')}")
        assert not editor.lua("return #vim.lsp.get_clients()")
        editor.command("checkhealth ptx-lsp")
        editor.wait(lambda: "the server exited repeatedly" in "\n".join(editor.lines()), "the report")
        editor.nvim.command(f"edit {tmp_path / 'kernel.ptx'}")
        editor.command("PtxLsp restart")
        editor.wait(lambda: editor.diagnostics() == [(21, "E302")], "findings")


def test_a_server_that_nobody_wants_restarted(tmp_path):
    with neovim(tmp_path / "home", init="require('ptx-lsp').setup({ restart = false })") as editor:
        editor.edit(kernel(tmp_path))
        shot(editor)
        editor.said("ptx-lsp: the server exited unexpectedly (signal 9); ':PtxLsp restart' restarts it")
        assert editor.clients() == []


@pytest.mark.parametrize("before", ["", OLD_API], ids=["0.11", "0.10"])
def test_restart_and_stop(tmp_path, before):
    with neovim(tmp_path / "home", init=before) as editor:
        editor.edit(kernel(tmp_path, MISTAKE))
        (first,) = editor.clients()
        editor.command("PtxLsp restart")
        editor.wait(lambda: editor.clients() not in ([], [first]), "a new client")
        editor.wait(lambda: editor.diagnostics() == [(21, "E302")], "findings")
        editor.command("PtxLsp stop")
        editor.wait(lambda: not editor.lua("return #vim.lsp.get_clients()"), "the end of the server")
        assert "exited" not in editor.messages(), "what the user stops is no accident"


# ---------------------------------------------------------------------- settings and options


def test_a_setting_of_the_wrong_type(tmp_path):
    init = "vim.lsp.config('ptx_lsp', { settings = { ['ptx-lsp'] = { inlayHints = { masks = 'yes' }, target = 5 } } })"
    with neovim(tmp_path / "home", init=init) as editor:
        editor.edit(kernel(tmp_path, MISTAKE))
        said = editor.said("ptx-lsp: settings: ")
        assert "'masks' must be true or false, not 'yes'" in said
        editor.wait(lambda: editor.diagnostics() == [(21, "E302")], "findings all the same")
        editor.command("checkhealth ptx-lsp")
        editor.wait(lambda: "'masks' must be true or false" in "\n".join(editor.lines()), "the report")


def test_a_wrong_file_of_settings(tmp_path):
    (tmp_path / "ptx-lsp.toml").write_text("target = 'sm_9000'\n")
    with neovim(tmp_path / "home") as editor:
        editor.edit(kernel(tmp_path))
        assert "sm_9000" in editor.said("ptx-lsp.toml: ")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("{ inlay_hints = 'yes' }", "'inlay_hints' must be a boolean, not \"yes\""),
        (
            "{ inlayhints = true }",
            "unknown option 'inlayhints'; expected one of code_lenses, enabled, highlights, inlay_hints",
        ),
        ("5", "setup() expects a table, not 5"),
    ],
)
def test_wrong_options(tmp_path, options, said):
    with neovim(tmp_path / "home", init=f"require('ptx-lsp').setup({options})") as editor:
        editor.said(f"ptx-lsp: {said}")
        editor.edit(kernel(tmp_path))
        assert editor.clients()


def test_what_the_user_configures_wins(tmp_path):
    init = """
    ended = {}
    vim.lsp.config('ptx_lsp', {
      init_options = { ownTokenTypes = false },
      root_markers = { 'here' },
      on_exit = function(code) table.insert(ended, code) end,
    })
    """
    (tmp_path / "here").touch()
    (tmp_path / "below").mkdir()
    with neovim(tmp_path / "home", init=init) as editor:
        editor.edit(kernel(tmp_path / "below"))
        client = "vim.lsp.get_clients()[1]"
        assert editor.lua(f"return {client}.config.root_dir") == str(tmp_path)
        types = editor.lua(f"return {client}.server_capabilities.semanticTokensProvider.legend.tokenTypes")
        assert "keyword" in types
        assert "opcode" not in types
        editor.command("PtxLsp stop")
        editor.wait(lambda: editor.lua("return ended") == [0], "the user's own function to be called")


@pytest.mark.parametrize(
    "init",
    [
        "require('ptx-lsp').setup({ inlay_hints = true, code_lenses = true })",
        OLD_API + "; require('ptx-lsp').setup({ inlay_hints = true, code_lenses = true })",
    ],
    ids=["0.11", "0.10"],
)
def test_hints_and_lenses_from_the_start(tmp_path, init):
    with neovim(tmp_path / "home", init=init, size=(100, 40)) as editor:
        editor.edit(kernel(tmp_path))
        editor.wait(lambda: any("bra DONE ↓ 6 lines" in line for line in editor.screen()), "the hint at the branch")
        editor.wait(lambda: any("registers live" in line for line in editor.screen()), "the lens of the kernel")


@pytest.mark.parametrize("init", ["vim.g.ptx_lsp_enabled = false", "require('ptx-lsp').setup({ enabled = false })"])
def test_the_plugin_is_off(tmp_path, init):
    with neovim(tmp_path / "home", init=init) as editor:
        editor.nvim.command(f"edit {kernel(tmp_path)}")
        assert editor.nvim.current.buffer.options["commentstring"] == "// %s", "what needs no server is there"
        assert not editor.lua("return #vim.lsp.get_clients()")
        editor.command("PtxLsp restart")
        editor.wait(editor.clients, "the server that was asked for")


# ---------------------------------------------------------------------- files, folders, several Neovims


def test_files_on_the_command_line(tmp_path):
    files = [kernel(tmp_path, MISTAKE), kernel(tmp_path, MISTAKE, "second.ptx")]
    with neovim(tmp_path / "home", files=files) as editor:
        editor.ready()
        editor.wait(lambda: editor.diagnostics() == [(21, "E302")], "findings")
        editor.command("next")
        editor.wait(lambda: editor.name() == str(files[1]), "the second file")
        editor.wait(lambda: editor.diagnostics() == [(21, "E302")], "findings")
        assert len(editor.clients()) == 1


def test_a_file_without_write_permission(tmp_path):
    path = kernel(tmp_path, MISTAKE)
    path.chmod(stat.S_IRUSR)
    with neovim(tmp_path / "home") as editor:
        editor.edit(path)
        editor.wait(lambda: editor.diagnostics() == [(21, "E302")], "findings")
        assert editor.nvim.current.buffer.options["readonly"]
        editor.command("PtxLsp fix-all")
        editor.wait(lambda: editor.diagnostics() == [], "the finding to go")
        assert path.read_text("utf-8") == MISTAKE


def test_a_folder_without_write_permission(tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir()
    path = kernel(folder, MISTAKE)
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        with neovim(tmp_path / "home") as editor:
            editor.edit(path)
            editor.wait(lambda: editor.diagnostics() == [(21, "E302")], "findings")
            assert editor.messages() == ""
        assert os.listdir(folder) == ["kernel.ptx"], "nothing is left behind"
    finally:
        folder.chmod(stat.S_IRWXU)


def test_two_neovims_at_once(tmp_path):
    path = kernel(tmp_path, MISTAKE)
    with ExitStack() as stack:
        both = [stack.enter_context(neovim(tmp_path / name)) for name in ("one", "two")]
        for editor in both:
            editor.edit(path)
        for editor in both:
            editor.wait(lambda editor=editor: editor.diagnostics() == [(21, "E302")], "findings")
        both[0].command("PtxLsp stop")
        both[0].wait(lambda: not both[0].clients(), "the end of one server")
        both[1].at("s46")
        both[1].keys("cws64<Esc>")
        both[1].wait(lambda: both[1].diagnostics() == [], "the other to go on")


def test_a_file_of_a_hundred_thousand_lines(tmp_path):
    body = "    add.s32 %r1, %r1, 1;\n" * 100_000
    text = KERNEL.replace("DONE:", body + "    add.s46 %rd1, %rd1, 1;\nDONE:")
    with neovim(tmp_path / "home") as editor:
        editor.edit(kernel(tmp_path, text))
        editor.wait(lambda: (100_025, "E302") in editor.diagnostics(), "findings")
        editor.keys("G")
        editor.keys("?s46<CR>cws64<Esc>")
        editor.wait(lambda: (100_025, "E302") not in editor.diagnostics(), "the finding to go")


# ---------------------------------------------------------------------- Neovim 0.10


def test_a_day_with_neovim_0_10(tmp_path):
    with neovim(tmp_path / "home", init=OLD_API) as editor:
        editor.edit(kernel(tmp_path, MISTAKE))
        editor.wait(lambda: editor.diagnostics() == [(21, "E302")], "findings")
        editor.at("%tid")
        editor.keys("K")
        assert "tid" in "\n".join(editor.float())
        editor.close_floats()
        editor.command("PtxLsp fix-all")
        editor.wait(lambda: editor.diagnostics() == [], "the finding to go")
        editor.command("PtxLsp target sm_50")
        editor.said("checking files for sm_50")
        editor.command("PtxLsp page mul")
        editor.wait(lambda: editor.page() == "ptx-lsp:/isa/mul.md", "the page")
        editor.command("checkhealth ptx-lsp")
        editor.wait(lambda: "starts the server with vim.lsp.start" in "\n".join(editor.lines()), "the report")
        assert "deprecated" not in editor.messages()
