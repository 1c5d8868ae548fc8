"""The doors of docs/security.md that no other file tests, and that each test which it names exists."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from imports import Tree

from ptx_lsp.settings import Settings
from tests.faults.conftest import Start
from tests.server.conftest import MODULE, RawClient
from tests.server.served import ROWS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
TREE = Tree.read(ROOT / "ptx_lsp")

DOORS = {
    "socket": {"server/startup/tcp.py", "server/startup/authorization.py"},
    "subprocess": {"server/beside/peer.py", "server/workspace/file_reader.py"},
    "multiprocessing": {"cli/worker_processes.py"},
    "pickle": {"server/workspace/frames.py", "cli/background_process.py"},
    "ctypes": {"server/documents/free_memory.py", "server/startup/parent.py"},
    "tempfile": {"cli/writing.py"},
}
"""Libraries and the files of the package that may import them.

``server/beside/peer.py`` starts the other server of ``ptx-lsp beside``: its command is of the command line alone.
"""


FORMULAS = "ptx_lsp/layouts/expressions.py"
"""Compiles formulas of the package's own pages, of which it allows arithmetic alone."""


def test_each_test_that_the_table_names_exists() -> None:
    named = re.findall(r"`(tests/[\w/.-]+|editors/vscode/test/[\w/.-]+)(?:::(\w+))?`", PAGE)
    assert len(named) >= 20
    for path, function in named:
        assert (ROOT / path).is_file(), path
        assert f"def {function}(" in (ROOT / path).read_text("utf-8") if function else True, f"{path}::{function}"


def test_only_the_listed_files_lead_out_of_the_process() -> None:
    found: dict[str, set[str]] = {}
    for module, path in TREE.paths.items():
        for name in TREE.imported(module):
            first = name.partition(".")[0]
            if first in {*DOORS, "http", "ssl", "requests", "urllib3", "marshal", "shelve", "runpy", "webbrowser"}:
                found.setdefault(first, set()).add(path.removeprefix("ptx_lsp/"))
    assert found == DOORS


@pytest.mark.parametrize("name", ["eval", "exec", "compile", "__import__"])
def test_no_text_is_run_as_a_program(name: str) -> None:
    for path, source in TREE.sources.items():
        if path == FORMULAS:
            continue
        calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
        assert not any(isinstance(call.func, ast.Name) and call.func.id == name for call in calls), path


def test_no_setting_names_a_file_or_a_program() -> None:
    """What a ``ptx-lsp.toml`` of the workspace can set changes words, not what is run or read."""
    names = list(_keys(Settings()))
    assert not [name for name in names if re.search(r"path|file|program|command|exec|interpreter|url", name)]


def _keys(value: Any) -> Iterator[str]:
    for name in getattr(value, "_fields", ()):
        yield name
        yield from _keys(getattr(value, name))


WATCH = """
import os, sys
sys.dont_write_bytecode = True
_log = os.open({log!r}, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
def _watch(event, arguments):
    if event == "open":
        path, mode, flags = arguments
        if isinstance(path, (str, bytes)):
            kind = "write" if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) else "read"
            os.write(_log, f"{{kind}} {{os.fsdecode(path)}}\\n".encode())
    elif event.startswith(("socket.connect", "socket.bind", "socket.getaddrinfo", "subprocess.", "os.exec", "os.system",
                           "os.posix_spawn", "os.fork", "os.rename", "os.remove", "os.mkdir", "os.chmod", "shutil.")):
        os.write(_log, f"{{event}} {{arguments}}\\n".encode())
sys.addaudithook(_watch)
"""


def test_a_session_writes_nothing_and_reads_nothing_outside_the_workspace(start: Start, tmp_path: Path) -> None:
    """All requests, with files that name others outside of the workspace. Python tells what the server does."""
    work, log = tmp_path / "work", tmp_path / "log"
    work.mkdir()
    secret = tmp_path / "secret.cu"
    secret.write_text("int secret;\n" * 9)
    (work / "inside.cu").write_text("int inside;\n" * 9)
    (work / "link.cu").symlink_to(secret)
    names = [secret, "../secret.cu", "link.cu", "/etc/passwd", "//host/share/a.cu", "inside.cu"]
    files = "".join(f'.file {number} "{name}"\n' for number, name in enumerate(names, 1))
    lines = "".join(f".loc {number} 1 1\nret;\n" for number in range(1, len(names) + 1))
    text = f"{MODULE}{files}// https://example.org\n.entry k() {{\n{lines}}}\n"
    uri = (work / "a.ptx").as_uri()
    (work / "a.ptx").write_text(text)
    client = start(work, WATCH.format(log=str(log)))
    client.open(text, uri=uri)
    client.published(1)
    log_before = log.read_text()
    links = client.ask("textDocument/documentLink", {"textDocument": {"uri": uri}})["result"]
    inside = (work / "inside.cu").as_uri()
    assert {link["target"] for link in links} == {inside, f"{inside}#L1,1", "https://example.org"}
    shown = ""
    for line, content in enumerate(text.splitlines()):
        place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": min(6, len(content))}}
        shown += json.dumps(client.ask("textDocument/hover", place))
    assert "int inside" in shown
    assert "int secret" not in shown
    _ask_everything(client, uri)
    assert client.leave() == 0
    done = log.read_text()[len(log_before) :].splitlines()
    assert [line for line in done if not line.startswith("read ")] == []
    opened = {Path(line.removeprefix("read ")) for line in done}
    assert work / "inside.cu" in opened
    assert not opened & {secret, work / "link.cu", Path("/etc/passwd"), work / "../secret.cu"}


def _ask_everything(client: RawClient, uri: str) -> None:
    document = {"uri": uri}
    place = {"line": 11, "character": 2}
    here = {"start": place, "end": place}
    for row in ROWS:
        if row.method:
            params = {
                "textDocument": document,
                "position": place,
                "positions": [place],
                "range": here,
                "ranges": [here],
                "context": {"diagnostics": [], "includeDeclaration": True},
                "options": {"tabSize": 4, "insertSpaces": True},
                "newName": "fresh",
                "query": "",
                "ch": ";",
                "previousResultIds": [],
            }
            client.requests += 1
            client.request(client.requests, row.method, params)
    for command in ("explain", "decode", "encode", "status", "fixAll", "reload", "setTarget", "setVersion"):
        client.ask(
            "workspace/executeCommand", {"command": f"ptx-lsp.{command}", "arguments": [uri, "sm_90", "../../x"]}
        )
