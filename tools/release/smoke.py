"""Installs each file that is published into a clean place, and tries it there."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from tools.release.release_error import ReleaseError
from tools.release.source import ROOT

WRONG_FILE = """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry k() {
    .reg .b32 %r<3>;
    add.u23 %r1, %r2, 1;
    ret;
}
"""
"""PTX with one mistake."""
CODE = "E302"
"""What is wrong in it."""
PATIENCE = 120
"""Seconds for one program."""
CODE_SERVER = ROOT / "tests/editors/vscode/node_modules/code-server/out/node/entry.js"
NVIM = """
local function try()
  local function found() return #vim.diagnostic.get(0) > 0 end
  if not vim.wait(30000, found, 50) then print('no diagnostics') vim.cmd('1cquit!') end
  print(vim.diagnostic.get(0)[1].code)
  vim.cmd('helptags ALL')
  vim.cmd('help ptx-lsp')
  vim.cmd('0cquit!')
end
vim.api.nvim_create_autocmd('VimEnter', {{ callback = vim.schedule_wrap(function()
  local done, why = pcall(try)
  if not done then print(why) vim.cmd('1cquit!') end
end) }})
vim.cmd.edit('{file}')
"""
EMACS = """
(progn (require 'package) (setq package-user-dir "{folder}") (package-install-file "{package}")
       (find-file "{file}") (princ major-mode))
"""


class Trial(NamedTuple):
    """A file that is tried."""

    path: Path
    folder: Path
    """A place of its own, not made yet."""
    wrong: Path
    """A file of PTX with one mistake."""
    version: str


def try_all(made: list[Path], version: str, folder: Path) -> None:
    """Try every file.

    Raises:
        ReleaseError: what does not work.
    """
    folder.mkdir()
    wrong = folder / "wrong.ptx"
    wrong.write_text(WRONG_FILE, encoding="utf-8")
    for path, attempt in zip(made, (python, python, vscode, neovim, emacs), strict=True):
        print(f"{path.name}: {attempt(Trial(path, folder / path.name.replace('.', '_'), wrong, version))}")


def python(trial: Trial) -> str:
    """A wheel or source archive, in a new virtual environment: the version, a file with a mistake, the server."""
    venv.create(trial.folder, with_pip=True)
    said(trial.folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", trial.path)
    program = trial.folder / "bin" / "ptx-lsp"
    expect(said(program, "--version"), trial.version)
    expect(said(program, "check", trial.wrong, status=1), CODE)
    expect(said(program, "decode", "idesc", "--kind", "f16", "0x8200490"), "M")
    return "installed; " + serves([program, "--stdio"], trial.version)


def vscode(trial: Trial) -> str:
    """The extension: its server on a Python without libraries, and its installation."""
    with zipfile.ZipFile(trial.path) as archive:
        archive.extractall(trial.folder)
    venv.create(trial.folder / "bare", with_pip=False)
    server = trial.folder / "extension" / "bundled" / "server.py"
    found = serves([trial.folder / "bare" / "bin" / "python", "-I", "-B", server, "--stdio"], trial.version)
    node = shutil.which("node")
    if not CODE_SERVER.exists() or node is None:
        return f"{found}; not installed, for code-server is not here"
    folders = {"user-data-dir": "user", "extensions-dir": "extensions", "config": "config.yaml"}
    own = [f"--{option}={trial.folder / name}" for option, name in folders.items()]
    said(node, CODE_SERVER, *own, "--install-extension", trial.path)
    listed = said(node, CODE_SERVER, *own, "--list-extensions", "--show-versions")
    expect(listed, f"ptx-lsp.ptx-lsp@{trial.version}")
    return f"{found}; installed in code-server"


def neovim(trial: Trial) -> str:
    """The plugin: in the folder from which Neovim loads plugins by itself."""
    nvim = os.environ.get("NVIM") or shutil.which("nvim")
    if nvim is None:
        return "not tried, for Neovim is not here"
    with tarfile.open(trial.path) as archive:
        archive.extractall(trial.folder / "data/nvim/site/pack/release/start", filter="data")
    script = trial.folder / "try.lua"
    script.write_text(NVIM.format(file=trial.wrong), encoding="utf-8")
    environment = {f"XDG_{one.upper()}_HOME": str(trial.folder / one) for one in ("config", "data", "state", "cache")}
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    expect(said(nvim, "--headless", "-n", "-i", "NONE", "-S", script, environment=environment), CODE)
    return "finds the mistake, has its help"


def emacs(trial: Trial) -> str:
    """The package: installed as a user does it."""
    program = shutil.which("emacs")
    if program is None:
        return "not tried, for Emacs is not here"
    trial.folder.mkdir()
    script = EMACS.format(folder=trial.folder, package=trial.path, file=trial.wrong)
    expect(said(program, "-Q", "--batch", "--eval", script, environment={"HOME": str(trial.folder)}), "ptx-mode")
    return "installed, opens a file"


def serves(command: list[str | Path], version: str) -> str:
    """A server answers, and finds the mistake."""

    async def talk() -> str:
        client = LanguageClient("ptx-lsp-release", version)
        findings: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def publish(params: types.PublishDiagnosticsParams) -> None:
            if params.diagnostics and not findings.done():
                findings.set_result(str(params.diagnostics[0].code))

        await client.start_io(*map(str, command))
        known = await client.initialize_async(types.InitializeParams(capabilities=types.ClientCapabilities()))
        client.initialized(types.InitializedParams())
        document = types.TextDocumentItem("untitled:wrong.ptx", "ptx", 1, WRONG_FILE)
        client.text_document_did_open(types.DidOpenTextDocumentParams(document))
        code = await findings
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()  # type: ignore[no-untyped-call]
        expect(known.server_info.version if known.server_info else None, version)
        return code

    try:
        expect(asyncio.run(asyncio.wait_for(talk(), PATIENCE)), CODE)
    except TimeoutError:
        raise ReleaseError(f"{command[0]} did not answer within {PATIENCE} seconds") from None
    return "serves"


def said(*command: str | Path, status: int = 0, environment: Mapping[str, str] | None = None) -> str:
    """What a program prints.

    Raises:
        ReleaseError: if its exit status is another one.
    """
    words = [str(one) for one in command]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        # A file and not a pipe: what a program leaves running could hold a pipe open.
        process = subprocess.Popen(
            words,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            ended = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            ended = None
        output.seek(0)
        text = output.read()
    if ended != status:
        how = f"did not end within {PATIENCE} seconds" if ended is None else f"ended with {ended}"
        raise ReleaseError(f"'{' '.join(words)}' {how}:\n{text}")
    return text


def expect(text: str | None, wanted: str) -> None:
    """A program said something.

    Raises:
        ReleaseError: if it did not.
    """
    if wanted not in (text or ""):
        raise ReleaseError(f"'{wanted}' was expected, and this said: {text}")
