"""The map of the code base names files that exist, made documents are up to date; links: test_readme.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.documents.__main__ import DOCUMENTS

ROOT = Path(__file__).parent.parent
TOP_LEVEL = {path.name for path in ROOT.iterdir() if path.is_dir()} - {"dist"}


def missing_paths(text):
    """The paths in code spans that begin with a folder of the repository or of the package and lead nowhere."""
    package = ROOT / "ptx_lsp"
    below = {path.name for path in package.iterdir() if path.is_dir()}
    found = []
    for path in re.findall(r"`([\w.-]+/[\w./-]*)`", text):
        first = path.partition("/")[0]
        base = ROOT if first in TOP_LEVEL else package if first in below else None
        if base is not None and not (base / path).exists():
            found.append(path)
    return found


def test_paths_in_the_map_exist():
    assert missing_paths((ROOT / "docs/architecture.md").read_text("utf-8")) == []


def test_a_missing_path_is_found():
    text = "`ptx_lsp/isa/match.py`, `isa/match.py`, `isa/gone.py`, `docs/gone.md`, `and/or`"
    assert missing_paths(text) == ["isa/gone.py", "docs/gone.md"]


@pytest.mark.parametrize("path", DOCUMENTS)
def test_made_documents_are_up_to_date(path):
    assert (ROOT / path).read_text("utf-8") == DOCUMENTS[path](), "python -m tools.documents writes it"
