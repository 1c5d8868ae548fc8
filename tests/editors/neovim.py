"""A real Neovim, driven as a user drives it: by typed keys, with its own screen, menu and floating windows."""

from __future__ import annotations

import os
import subprocess
import sysconfig
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import pynvim

from tests.editors.programs import ROOT, needed

PLUGIN = ROOT / "editors" / "neovim"
PATIENCE = 60.0
"""Seconds that a state is waited for; a machine that does other things too is slow."""
WIDTH, HEIGHT = 80, 24

T = TypeVar("T")

KERNEL = """\
.version 8.6
.target sm_100a
.address_size 64

.visible .entry scale(
    .param .u64 scale_param_0,
    .param .f32 scale_param_1
)
{
    .reg .pred %p<2>;
    .reg .b32 %r<9>;
    .reg .f32 %f<9>;
    .reg .b64 %rd<9>;

    ld.param.u64 %rd1, [scale_param_0];
    ld.param.f32 %f1, [scale_param_1];
    mov.u32 %r1, %tid.x;
    setp.gt.u32 %p1, %r1, 99;
    @%p1 bra DONE;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.f32 %f2, [%rd3];
    mul.f32 %f3, %f1, %f2;
    st.global.f32 [%rd3], %f3;
DONE:
    ret;
}
"""
"""A kernel without a fault."""

MISTAKE = KERNEL.replace("add.s64 ", "add.s46 ")
"""The same with one fault that one fix mends."""


class Neovim:
    """One running Neovim."""

    def __init__(self, session: pynvim.Nvim, home: Path) -> None:
        self.nvim = session
        self.home = home
        self.prompts: list[str] = []
        """What stood on the screen when Neovim wanted Enter before it went on."""

    # ------------------------------------------------------------------ asking

    def lua(self, code: str, *arguments: Any) -> Any:
        """What a piece of Lua returns."""
        self._leave_prompt()
        return self.nvim.exec_lua(code, *arguments)

    def wait(self, what: Callable[[], T], for_: str = "", patience: float = PATIENCE) -> T:
        """The first answer that counts as true."""
        end = time.monotonic() + patience
        while True:
            self._leave_prompt()
            answer = what()
            if answer:
                return answer
            if time.monotonic() > end:
                seen = "\n".join([*self.screen(), self.messages(), self.log()])
                raise AssertionError(f"waited in vain for {for_ or 'a state'}\n{seen}")
            time.sleep(0.02)

    def wait_lua(self, code: str, *arguments: Any) -> Any:
        """Wait until a piece of Lua returns something that counts as true there and here."""
        return self.wait(lambda: self.nvim.exec_lua(code, *arguments), code)

    def _leave_prompt(self) -> None:
        """Press Enter where Neovim waits for it, as after a long message: nothing else is answered until then."""
        while (mode := self.nvim.api.get_mode())["blocking"]:
            self.prompts.append(mode["mode"])
            self.nvim.input("<CR>")
            time.sleep(0.02)

    # ------------------------------------------------------------------ doing

    def keys(self, typed: str) -> None:
        """Type keys, in Neovim's notation: ``K``, ``<C-x>``."""
        self._leave_prompt()
        self.nvim.input(typed)

    def answer(self, typed: str) -> None:
        """Wait until Neovim asks something, and type the answer."""
        end = time.monotonic() + PATIENCE
        while not ((mode := self.nvim.api.get_mode())["blocking"] or mode["mode"] == "c"):
            assert time.monotonic() < end, f"waited in vain for a question\n{self.messages()}\n{self.log()}"
            time.sleep(0.02)
        self.nvim.input(typed)

    def command(self, line: str) -> None:
        """Type a command line."""
        self.keys(f"<Esc>:{line.replace('<', '<lt>')}<CR>")

    def edit(self, path: Path, text: str | None = None) -> None:
        """Open a file, with this text first written to it, and wait until the server has read it."""
        if text is not None:
            path.write_text(text, "utf-8")
        self.nvim.command(f"edit {path}")
        self.ready()

    def ready(self) -> None:
        """Wait until the server has read the file in the current buffer."""
        self.wait(self.status, "the server to have read the file")

    def status(self) -> Any:
        """What the server says of the current buffer once it has read it; else nothing."""
        found = self.nvim.exec_lua(
            """
            local client = vim.lsp.get_clients({ name = 'ptx_lsp', bufnr = 0 })[1]
            if not (client and client.initialized) then return end
            local params = { command = 'ptx-lsp.status', arguments = { vim.uri_from_bufnr(0) } }
            local answer = client:request_sync('workspace/executeCommand', params, 5000)
            return answer and answer.result or nil
            """
        )
        return found if found and found["document"] and found["document"].get("isComplete") else None

    def at(self, text: str, offset: int = 0) -> None:
        """Put the cursor on the first place of ``text``, or some bytes behind its begin."""
        for row, line in enumerate(self.lines(), 1):
            if (column := line.find(text)) >= 0:
                self.nvim.current.window.cursor = (row, len(line[:column].encode()) + offset)
                return
        raise AssertionError(f"{text!r} stands nowhere")

    # ------------------------------------------------------------------ seeing

    def lines(self) -> list[str]:
        """The text of the current buffer."""
        return list(self.nvim.current.buffer[:])

    def line(self) -> str:
        """The line of the cursor."""
        return str(self.nvim.current.line)

    def cursor(self) -> tuple[int, int]:
        """Line, from 1, and byte, from 0."""
        row, column = self.nvim.current.window.cursor
        return row, column

    def name(self) -> str:
        """The name of the current buffer: a path or an address."""
        return str(self.nvim.current.buffer.name)

    def page(self) -> str:
        """The address of the page in the current buffer, if it is there already; else nothing."""
        name = self.name()
        return name if name.startswith("ptx-lsp:") and any(self.lines()) else ""

    def diagnostics(self) -> list[tuple[int, str]]:
        """Line, from 1, and code of all findings of the current buffer."""
        found = self.lua("return vim.diagnostic.get(0)")
        return [(one["lnum"] + 1, one["code"]) for one in found]

    def screen(self) -> list[str]:
        """What the terminal shows, line by line."""
        return self.nvim.exec_lua(
            """
            vim.cmd.redraw()
            local lines = {}
            for row = 1, vim.o.lines do
              local cells = {}
              for column = 1, vim.o.columns do
                cells[column] = vim.fn.screenstring(row, column)
              end
              lines[row] = (table.concat(cells):gsub('%s+$', ''))
            end
            return lines
            """
        )

    def float(self) -> list[str]:
        """The text of the floating window, as soon as there is one."""
        window = self.wait(
            lambda: self.nvim.exec_lua(
                """
                for _, window in ipairs(vim.api.nvim_list_wins()) do
                  if vim.api.nvim_win_get_config(window).relative ~= '' then return window end
                end
                """
            ),
            "a floating window",
        )
        return list(
            self.nvim.exec_lua("return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(...), 0, -1, false)", window)
        )

    def close_floats(self) -> None:
        """Close all floating windows."""
        self.nvim.command("fclose!")

    def menu(self) -> list[str]:
        """The words of the completion menu, as soon as it is open."""
        self.wait(self.nvim.funcs.pumvisible, "the completion menu")
        return [one["abbr"] or one["word"] for one in self.nvim.funcs.complete_info(["items"])["items"]]

    def messages(self) -> str:
        """All messages until now."""
        return str(self.nvim.funcs.execute("messages"))

    def said(self, text: str) -> str:
        """Wait until a message has this text; all messages."""
        return self.wait(lambda: (all_ := self.messages()) and text in all_ and all_, f"the message '{text}'")

    def log(self) -> str:
        """The last lines of Neovim's log of servers."""
        path = self.home / "state" / "nvim" / "lsp.log"
        return "\n".join(path.read_text("utf-8", errors="replace").splitlines()[-15:]) if path.exists() else ""

    def link(self, group: str) -> str | None:
        """The highlight group that another is linked to."""
        return self.lua("return vim.api.nvim_get_hl(0, { name = ... }).link", group)

    def marks(self, namespace: str) -> list[dict[str, Any]]:
        """Details of the marks in the current buffer whose namespace has this in its name."""
        return self.lua(
            """
            local found = {}
            for name, id in pairs(vim.api.nvim_get_namespaces()) do
              if name:find(..., 1, true) then
                for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, id, 0, -1, { details = true })) do
                  local details = mark[4]
                  details.row, details.column = mark[2] + 1, mark[3]
                  table.insert(found, details)
                end
              end
            end
            return found
            """,
            namespace,
        )

    def clients(self) -> list[int]:
        """The numbers of our clients that run."""
        return self.lua(
            """
            return vim.tbl_map(function(client) return client.id end, vim.tbl_filter(function(client)
              return client.initialized and not client:is_stopped()
            end, vim.lsp.get_clients({ name = 'ptx_lsp' })))
            """
        )


def environment(home: Path, path: Sequence[str | Path] = ()) -> dict[str, str]:
    """What a process of Neovim gets: folders of its own, and ``path`` before the usual programs."""
    own = {
        "HOME": home,
        "XDG_CONFIG_HOME": home / "config",
        "XDG_DATA_HOME": home / "data",
        "XDG_STATE_HOME": home / "state",
        "XDG_CACHE_HOME": home / "cache",
        "PATH": os.pathsep.join(map(str, [*path, sysconfig.get_path("scripts"), "/usr/bin", "/bin"])),
    }
    kept = {name: os.environ[name] for name in ("LANG", "PYTHONPATH", "SYSTEMROOT", "TMPDIR") if name in os.environ}
    return {**kept, **{name: str(value) for name, value in own.items()}, "NVIM_LOG_FILE": str(home / "nvim.log")}


@contextmanager
def neovim(
    home: Path,
    *,
    init: str = "",
    plugin: bool = True,
    clean: bool = True,
    environ: Mapping[str, str] | None = None,
    files: Sequence[Path] = (),
    size: tuple[int, int] = (WIDTH, HEIGHT),
    prompts: bool = False,
) -> Iterator[Neovim]:
    """A Neovim with nothing of this machine's user in it.

    Args:
        home: where it keeps its files.
        init: Lua that is run where a user's ``init.lua`` is: before plugins.
        plugin: whether our plugin stands on the runtime path.
        clean: whether configuration and packages below ``home`` are passed over too.
        environ: its environment, if that of :func:`environment` is not wanted.
        files: files on the command line.
        size: columns and lines of the screen.
        prompts: whether Neovim asks for Enter after a long message, as it usually does.

    """
    home.mkdir(parents=True, exist_ok=True)
    started = [str(needed("nvim")), *(["--clean"] if clean else []), "--embed", "-n", "-i", "NONE"]
    script = home / "before.lua"
    prepend = f"vim.opt.rtp:prepend([[{PLUGIN}]])\n" if plugin else ""
    # A prompt that comes up while an answer is waited for would keep both sides waiting for ever.
    silent = "" if prompts else "pcall(function() vim.o.messagesopt = 'wait:0,history:500' end)\n"
    script.write_text(f"{silent}vim.o.swapfile = false\nvim.o.more = false\n{prepend}{init}\n", "utf-8")
    started += ["--cmd", f"luafile {script}", *map(str, files)]
    session = _attach(started, environ or environment(home))
    try:
        session.ui_attach(*size, rgb=True)
        yield Neovim(session, home)
    finally:
        with suppress(EOFError, OSError):
            while session.api.get_mode()["blocking"]:
                session.input("<CR>")
            session.command("qa!")
        session.close()


def _attach(command: list[str], environ: Mapping[str, str]) -> pynvim.Nvim:
    """Start a process and talk to it; pynvim hands on its own environment only."""
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(environ)
    try:
        return pynvim.attach("child", argv=command)
    finally:
        os.environ.clear()
        os.environ.update(before)


def script(path: Path, text: str) -> Path:
    """An executable file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    path.chmod(0o755)
    return path


def run_headless(home: Path, *commands: str) -> subprocess.CompletedProcess[str]:
    """Run a Neovim without a screen to its end."""
    arguments = [arg for command in commands for arg in ("-c", command)]
    return subprocess.run(
        [needed("nvim"), "--clean", "--headless", "-n", "-i", "NONE", *arguments, "-c", "qa!"],
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
