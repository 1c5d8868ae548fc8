"""Hovers over the wire: in the client's format and columns, with links and lines of source files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from ptx_lsp.server.documents.source_lines import MOST_BYTES, read_line

from .conftest import MODULE, URI, RawClient, kernel

MARKDOWN = {"textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]}}}
PLAIN = {"textDocument": {"hover": {"contentFormat": ["plaintext"]}}}
TEXT = kernel("mov.b32 %r1, 42;", "/* 😀 */ add.s32 %r2, %r1, 1;")


def hover(raw: RawClient, line: int, character: int, uri: str = URI) -> Any:
    position = {"line": line, "character": character}
    return raw.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": position})["result"]


def test_markdown_with_links_to_lines(raw: RawClient) -> None:
    raw.initialize(capabilities=MARKDOWN)
    raw.open(TEXT)
    found = hover(raw, 6, 9)
    assert found["contents"]["kind"] == "markdown"
    assert f"declared in [line 6]({URI}#L6)" in found["contents"]["value"]
    assert "value here: 42" in found["contents"]["value"]
    assert found["range"] == {"start": {"line": 6, "character": 8}, "end": {"line": 6, "character": 11}}


@pytest.mark.parametrize("capabilities", [PLAIN, {}, {"textDocument": {"hover": {}}}])
def test_plain_text_for_clients_that_do_not_name_markdown(raw: RawClient, capabilities: dict[str, Any]) -> None:
    raw.initialize(capabilities=capabilities)
    raw.open(TEXT)
    contents = hover(raw, 6, 9)["contents"]
    assert contents["kind"] == "plaintext"
    assert "declared in line 6" in contents["value"]
    assert not set("`[]") & set(contents["value"])


@pytest.mark.parametrize("opens_pages", [True, False])
def test_links_to_concepts_for_clients_that_open_pages(raw: RawClient, opens_pages: bool) -> None:
    """The links to concept pages stand at the end."""
    raw.initialize(capabilities=MARKDOWN | ({"workspace": {"textDocumentContent": {}}} if opens_pages else {}))
    raw.open(kernel("ld.acquire.gpu.global.b32 %r1, [%rd1];"))
    text = hover(raw, 6, 1)["contents"]["value"]
    assert text.endswith("\n\n[Memory model](ptx-lsp:/concepts/memory-model.md)") == opens_pages
    assert text.count("ptx-lsp:") == opens_pages


def test_a_document_that_is_no_file_gets_no_links(raw: RawClient) -> None:
    raw.initialize(capabilities=MARKDOWN)
    raw.open(TEXT, uri="untitled:Untitled-1")
    assert "declared in line 6" in hover(raw, 6, 9, "untitled:Untitled-1")["contents"]["value"]


@pytest.mark.parametrize(("encoding", "shift"), [("utf-8", 3), ("utf-16", 1), ("utf-32", 0)])
def test_columns_of_the_client(raw: RawClient, encoding: str, shift: int) -> None:
    raw.initialize(capabilities={"general": {"positionEncodings": [encoding]}})
    raw.open(TEXT)
    column = TEXT.split("\n")[7].index("%r1") + shift
    found = hover(raw, 7, column)
    assert "%r1: .b32 register" in found["contents"]["value"]
    assert found["range"]["start"] == {"line": 7, "character": column}


def test_where_nothing_is_to_be_said(raw: RawClient) -> None:
    raw.initialize(capabilities=MARKDOWN)
    raw.open(TEXT)
    assert hover(raw, 6, 9, "file:///nowhere/closed.ptx") is None
    assert hover(raw, 4000, 9) is None
    assert hover(raw, 7, 3) is None, "a comment"


def test_the_line_of_the_source_beside_the_document(raw: RawClient, tmp_path: Path) -> None:
    (tmp_path / "kernel.cu").write_text("int a;\n\tfloat sum = 0; // ß\n", encoding="utf-8")
    uri = (tmp_path / "kernel.ptx").as_uri()
    raw.initialize(capabilities=MARKDOWN)
    raw.open(MODULE + '.file 1 "kernel.cu"\n.entry k()\n{\n.loc 1 2 7\nret;\n}\n', uri=uri)
    value = hover(raw, 6, 6, uri)["contents"]["value"]
    assert value == "`kernel.cu`, line 2, column 7\n\n```cpp\nfloat sum = 0; // ß\n```"


def test_a_message_says_once_why_a_source_line_is_not_opened(raw: RawClient, tmp_path: Path) -> None:
    uri = (tmp_path / "kernel.ptx").as_uri()
    raw.initialize(capabilities=MARKDOWN)
    raw.open(MODULE + '.file 1 "/elsewhere/kernel.cu"\n.entry k()\n{\n.loc 1 2 7\n.loc 1 3 7\nret;\n}\n', uri=uri)
    for number, line in enumerate((6, 7)):
        place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": 2}}
        raw.request(100 + number, "textDocument/definition", place)
    heard = []
    while not heard or heard[-1].get("id") != 101:
        heard.append(raw.read())
    shown = [one["params"]["message"] for one in heard if one.get("method") == "window/showMessage"]
    assert len(shown) == 1, shown
    assert "outside of the workspace" in shown[0]
    assert "/elsewhere/kernel.cu" in shown[0]


@pytest.fixture
def uri(tmp_path: Path) -> str:
    return (tmp_path / "kernel.ptx").as_uri()


def test_relative_and_absolute_paths_and_both_slashes(uri: str, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_bytes(b"one\r\ntwo\r\n")
    assert read_line(uri, [], "src/a.cu", 2) == read_line(uri, [], "src\\a.cu", 2) == "two"
    assert read_line("untitled:x", [str(tmp_path)], str(tmp_path / "src" / "a.cu"), 1) == "one"
    assert read_line("untitled:x", [], "src/a.cu", 1) is None


def test_what_is_no_line_of_text(uri: str, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(b"\xff\x1b[31mred\x00\n" + b"x" * 5000)
    assert read_line(uri, [], "a.cu", 1) == "\ufffd[31mred"
    line = read_line(uri, [], "a.cu", 2)
    assert line is not None
    assert len(line) == 400
    assert read_line(uri, [], "a.cu", 3) is None
    assert read_line(uri, [], "a.cu", 0) is None
    assert read_line(uri, [], "a\0.cu", 1) is None
    assert read_line(uri, [], "missing.cu", 1) is None
    assert read_line(uri, [], ".", 1) is None


@pytest.mark.parametrize("path", ["//server/share/a.cu", "\\\\server\\share\\a.cu"])
def test_no_other_machine_is_asked(uri: str, path: str) -> None:
    assert read_line(uri, [], path, 1) is None


def test_a_long_file_is_not_read(uri: str, tmp_path: Path) -> None:
    with open(tmp_path / "long.cu", "wb") as file:
        file.truncate(MOST_BYTES + 1)
    assert read_line(uri, [], "long.cu", 1) is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_does_not_keep_anybody_waiting(uri: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.cu")
    assert read_line(uri, [], "pipe.cu", 1) is None
    assert read_line(uri, [], "/dev/zero", 1) is None
