"""Builds what is published from a folder with the sources."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tools.release.plain import plain_tar, plain_zip, tar
from tools.release.release_error import ReleaseError
from tools.release.source import epoch

NEOVIM, EMACS = "ptx-lsp-neovim", "ptx-mode"


def everything(source: Path, folder: Path) -> list[Path]:
    """All files: wheel, source archive, extension for VS Code, plugin for Neovim, package for Emacs.

    Raises:
        ReleaseError: if one cannot be built.
    """
    folder.mkdir()
    wheel, archive = python(source, folder)
    return [wheel, archive, vscode(source, wheel, folder), neovim(source, folder), emacs(source, folder)]


def python(source: Path, folder: Path) -> tuple[Path, Path]:
    """The wheel and the source archive."""
    _run(source, sys.executable, "-m", "build", "--quiet", "--outdir", folder)
    (wheel,), (archive,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    plain_zip(wheel, epoch())
    plain_tar(archive, epoch())
    return wheel, archive


def vscode(source: Path, wheel: Path, folder: Path) -> Path:
    """The extension with the wheel's server in it."""
    home = source / "editors" / "vscode"
    _run(home, "npm", "ci", "--loglevel=error", "--prefer-offline")
    _run(home, sys.executable, "bundle.py", wheel)
    _run(home, "npm", "run", "--silent", "build")
    _run(home, "node", "package.mjs")
    (made,) = home.glob("*.vsix")
    plain_zip(made, epoch())
    return made.rename(folder / made.name)


def neovim(source: Path, folder: Path) -> Path:
    """The plugin, in a folder as package managers and ``pack/*/start`` take it."""
    version = _version(source)
    path = folder / f"{NEOVIM}-{version}.tar.gz"
    tar(path, _files(source / "editors" / "neovim", "ptx-lsp.nvim", source / "LICENSE"), epoch())
    return path


def emacs(source: Path, folder: Path) -> Path:
    """The package, as ``package-install-file`` takes it."""
    home, version = source / "editors" / "emacs", _version(source)
    name = f"{EMACS}-{version}"
    main = (home / f"{EMACS}.el").read_text(encoding="utf-8")
    summary = re.search(r"^;;; \S+ --- (.*?)\s*-\*-", main)
    needs = re.search(r"^;; Package-Requires: (.*)", main, re.M)
    if not summary or not needs:
        raise ReleaseError(f"{EMACS}.el says no summary, or not what it needs")
    about = f'(define-package "{EMACS}" "{version}" "{summary[1]}" \'{needs[1]})\n'
    files = [one for one in _files(home, name, source / "LICENSE") if one[0].endswith((".el", "LICENSE"))]
    path = folder / f"{name}.tar"
    tar(path, [*files, (f"{name}/{EMACS}-pkg.el", about.encode(), 0)], epoch())
    return path


def _files(home: Path, name: str, licence: Path) -> list[tuple[str, bytes, int]]:
    files = [(f"{name}/{one.relative_to(home)}", one) for one in home.rglob("*") if one.is_file()]
    return [(where, one.read_bytes(), 0) for where, one in [*files, (f"{name}/LICENSE", licence)]]


def _version(source: Path) -> str:
    found = re.search(r'__version__ = "(.*)"', (source / "ptx_lsp" / "__init__.py").read_text(encoding="utf-8"))
    if found is None:
        raise ReleaseError("ptx_lsp/__init__.py says no version")
    return found[1]


def _run(folder: Path, *command: str | Path) -> None:
    done = subprocess.run(
        command,
        cwd=folder,
        check=False,
        env=os.environ | {"SOURCE_DATE_EPOCH": str(epoch())},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        raise ReleaseError(f"'{' '.join(map(str, command))}' failed:\n{done.stdout}")
