"""Files that editors take as they are: they can be read and start the server; the README names what there is."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from ptx_lsp import __version__
from tests.editors.programs import EDITORS, ROOT

FOLDER = ROOT / "editors"
PAGE = (FOLDER / "README.md").read_text("utf-8")
COMMAND = ["ptx-lsp", "--stdio"]


def _json(path: str) -> dict:
    """A file of JSON, whole lines of comments left out."""
    return json.loads(re.sub(r"(?m)^\s*//.*$", "", (FOLDER / path).read_text("utf-8")))


def test_helix():
    read = tomllib.loads((FOLDER / "helix" / "languages.toml").read_text("utf-8"))
    server = read["language-server"]["ptx-lsp"]
    (language,) = read["language"]
    assert [server["command"], *server["args"]] == COMMAND
    assert (language["name"], language["scope"], language["file-types"]) == ("ptx", "source.ptx", ["ptx"])
    assert language["language-servers"] == ["ptx-lsp"]


def test_kate():
    server = _json("kate/lspclient.json")["servers"]["ptx"]
    (name,) = re.findall(r'<language [^>]*\bname="([^"]+)"', (FOLDER / "kate" / "ptx.xml").read_text("utf-8"))
    assert server["command"] == COMMAND
    assert re.search(server["highlightingModeRegex"], name)


def test_coc():
    server = _json("vim/coc-settings.json")["languageserver"]["ptx-lsp"]
    assert [server["command"], *server["args"]] == COMMAND
    assert server["filetypes"] == ["ptx"]


def test_sublime():
    client = _json("sublime/LSP.sublime-settings")["clients"]["ptx-lsp"]
    assert client["command"] == COMMAND
    syntax = (FOLDER / "sublime" / "PTX.sublime-syntax").read_text("utf-8")
    assert re.search(r"^scope: (\S+)$", syntax, re.MULTILINE)[1] == client["selector"]


def test_emacs_has_the_version_of_the_project():
    text = (FOLDER / "emacs" / "ptx-mode.el").read_text("utf-8")
    assert re.search(r"^;; Version: (.+)$", text, re.MULTILINE)[1] == __version__


def test_the_page_names_every_editor_and_leads_somewhere():
    for name in (*EDITORS, "Helix", "Kate", "Sublime Text", "Zed"):
        assert f"[{name}](" in PAGE
    headings = {re.sub(r"\W+", "-", line.lower()) for line in re.findall(r"^## (.+)$", PAGE, re.MULTILINE)}
    for link in re.findall(r"\]\((?!http)([^)]+)\)", PAGE):
        path, _, heading = link.partition("#")
        assert heading in headings if not path else (FOLDER / Path(path)).exists(), link


def test_the_page_names_what_emacs_has():
    text = "".join(path.read_text("utf-8") for path in (FOLDER / "emacs").glob("*.el"))
    for name in re.findall(r"`(ptx-(?!lsp|mode\b)[a-z-]+)`", PAGE):
        assert re.search(rf"\((?:defun|defcustom|defface) {name}\b", text), name
