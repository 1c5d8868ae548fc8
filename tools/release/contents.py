"""What must be in each file that is published, and what must not."""

from __future__ import annotations

import fnmatch
import re
import tarfile
import zipfile
from pathlib import Path

from tools.release.release_error import ReleaseError

FOREIGN = re.compile(
    r"__pycache__|\.py[co]$|\.egg-info/.*\.json|node_modules|\.venv|\.git/|\.DS_Store|\.map$|/doc/tags$|~$|\.swp$"
)
"""Caches, and what a tool left."""
PLACES = re.compile(rb"/(?:home|root|Users)/\w|/tmp/\w+/|\bfile:///\w+/(?!path|kernel|work)")
"""Paths of the machine that built it. Only what is built is searched: what is written by hand may show paths."""
BUILT = re.compile(r"extension\.js$|RECORD$|direct_url\.json$|\.vsixmanifest$")
NEEDED = {
    ".whl": """
        ptx_lsp/__init__.py ptx_lsp/py.typed
        ptx_lsp/grammar/ptx.lark ptx_lsp/grammar/isa/matrix/mma.md ptx_lsp/grammar/compiled/isa.json
        *.dist-info/licenses/LICENSE *.dist-info/entry_points.txt
    """,
    ".vsix": """
        extension/package.json extension/LICENSE.txt extension/readme.md extension/images/icon.png
        extension/dist/extension.js extension/dist/licences.txt extension/syntaxes/ptx.tmLanguage.json
        extension/bundled/server.py extension/bundled/libs/ptx_lsp/grammar/ptx.lark
    """,
    "ptx-lsp-neovim": """
        */lsp/ptx_lsp.lua */plugin/ptx-lsp.lua */lua/ptx-lsp/health.lua */doc/ptx-lsp.txt */syntax/ptx.vim */LICENSE
    """,
    "ptx-mode": "*/ptx-mode.el */ptx-mode-pkg.el */LICENSE",
    ".tar.gz": """
        */pyproject.toml */setup.py */LICENSE */README.md
        */ptx_lsp/__init__.py */grammar/ptx.lark */grammar/compiled/isa.json
    """,
}
"""For each kind of file, by the end or the beginning of its name: what must be in it."""
LARGEST = 8_000_000
"""Bytes of a file: more than twice of what they have."""


def check(path: Path, version: str) -> None:
    """One file.

    Raises:
        ReleaseError: what is too much or missing in it.
    """
    files = read(path)
    if version not in path.name:
        raise ReleaseError(f"{path.name} does not say {version} in its name")
    if path.stat().st_size > LARGEST:
        raise ReleaseError(f"{path.name} has {path.stat().st_size:,} bytes, more than {LARGEST:,}")
    for name in files:
        if FOREIGN.search(name):
            raise ReleaseError(f"{path.name} has {name} in it, which nobody needs")
        if name.startswith(("/", "..")):
            raise ReleaseError(f"{path.name} has {name} in it, which leads out of it")
    for pattern in needed(path.name):
        if not fnmatch.filter(files, pattern):
            raise ReleaseError(f"{path.name} has nothing like {pattern} in it")
    for name, data in files.items():
        if BUILT.search(name) and (found := PLACES.search(data)):
            raise ReleaseError(f"{path.name}: {name} has a path of this machine in it: {found[0].decode()}…")
    if path.suffix == ".vsix":
        licensed(path, files)


def licensed(path: Path, files: dict[str, bytes]) -> None:
    """Every library that comes along has its licence.

    Raises:
        ReleaseError: which one has not.
    """
    packages = {match[1] for name in files if (match := re.match(r"(extension/bundled/libs/[^/]+\.dist-info)/", name))}
    if not packages:
        raise ReleaseError(f"{path.name} has no libraries in it")
    for package in packages:
        if not any(re.match(rf"{re.escape(package)}/.*(LICENSE|COPYING|NOTICE)", name, re.I) for name in files):
            raise ReleaseError(f"{path.name}: {package} has no licence")


def needed(name: str) -> list[str]:
    """What must be in a file of that name."""
    return next(found.split() for kind, found in NEEDED.items() if name.startswith(kind) or name.endswith(kind))


def read(path: Path) -> dict[str, bytes]:
    """The files in an archive, by name."""
    if path.suffix in (".whl", ".vsix"):
        with zipfile.ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    with tarfile.open(path) as archive:
        members = [(entry.name, archive.extractfile(entry)) for entry in archive]
        return {name: file.read() for name, file in members if file is not None}
