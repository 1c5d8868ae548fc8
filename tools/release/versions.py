"""The version, which must be the same wherever it stands."""

from __future__ import annotations

import re
from pathlib import Path

from tools.release.release_error import ReleaseError

PLACES = {
    "ptx_lsp/__init__.py": r'__version__ = "(.*)"',
    "CHANGELOG.md": r"^## (\S+)",
    "editors/vscode/package.json": r'^  "version": "(.*)"',
    "editors/vscode/package-lock.json": r'^  "version": "(.*)"',
    "editors/neovim/lua/ptx-lsp/generated.lua": r'version = "(.*)"',
    "editors/emacs/ptx-mode.el": r"^;; Version: (.*)",
}
"""Files, and the first place in each that says it."""


def common(source: Path) -> str:
    """The version.

    Raises:
        ReleaseError: if a place says another one, or none.
    """
    found = {}
    for name, pattern in PLACES.items():
        match = re.search(pattern, (source / name).read_text(encoding="utf-8"), re.M)
        found[name] = match[1] if match else "none"
    wanted = found["ptx_lsp/__init__.py"]
    other = [f"{name} says {version}" for name, version in found.items() if version != wanted]
    if other:
        raise ReleaseError(f"the version is {wanted}, but {', '.join(other)}")
    return wanted
