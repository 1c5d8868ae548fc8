"""Document links over the wire."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .conftest import URI, RawClient

METHOD = "textDocument/documentLink"
TOOLTIPS = {"textDocument": {"documentLink": {"tooltipSupport": True}}}


def about(uri: str) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}}


def test_links_to_files_beside_the_document(raw: RawClient, tmp_path: Path) -> None:
    (tmp_path / "a b.cu").write_text("")
    (tmp_path / "folder").mkdir()
    uri = (tmp_path / "kernel.ptx").as_uri()
    raw.initialize()
    absolute = (tmp_path / "a b.cu").as_posix()
    paths = ["a b.cu", "./folder/../a b.cu", "folder", absolute]
    files = "".join(f'.file {number} "{path}"\n' for number, path in enumerate(paths, 1))
    raw.open(files + '# 9 "a b.cu"\n', uri=uri)
    found = raw.ask(METHOD, about(uri))["result"]
    file = (tmp_path / "a b.cu").as_uri()
    assert [link["target"] for link in found] == [file, file, file, f"{file}#L9"]
    assert found[0]["range"] == {"start": {"line": 0, "character": 9}, "end": {"line": 0, "character": 15}}
    assert "tooltip" not in found[0]


def test_a_document_without_a_folder_has_no_files_beside_it(raw: RawClient, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("")
    raw.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "work"}])
    raw.open(f'.file 1 "a.cu"\n.file 2 "{(tmp_path / "a.cu").as_posix()}"\n.file 3 "//host/a.cu"\n', uri="untitled:1")
    assert len(raw.ask(METHOD, about("untitled:1"))["result"]) == 1


def test_the_manual_is_found_when_it_is_asked_for(raw: RawClient) -> None:
    announced = raw.initialize(capabilities=TOOLTIPS)["capabilities"]["documentLinkProvider"]
    assert announced == {"resolveProvider": True}
    raw.open("// PTX ISA: add, see https://example.org. ptx-lsp: ignore[E502]\n// ptx-lsp: ignore-file[I701]\n")
    mention, address, code = raw.ask(METHOD, about(URI))["result"]
    assert "target" not in mention
    assert address["target"] == "https://example.org"
    assert code["target"].endswith("#ptx-module-directives-target")
    assert [link["tooltip"] for link in (mention, address, code)] == [
        "PTX ISA: add",
        "open in the browser",
        "E502 newer-target",
    ]
    resolved = raw.ask("documentLink/resolve", mention)["result"]
    assert resolved["target"].endswith("#integer-arithmetic-instructions-add")
    place = {"range": address["range"]}
    for link in (address, place, {**place, "data": {"instruction": "nonsense"}}, {**place, "data": 1}):
        assert raw.ask("documentLink/resolve", link)["result"].get("target") == link.get("target")


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 7), ("utf-16", 5), ("utf-32", 4)])
def test_columns_are_in_the_client_s_units(raw: RawClient, encoding: str, column: int) -> None:
    raw.initialize(capabilities={"general": {"positionEncodings": [encoding]}})
    raw.open("/*😀 https://example.org */")
    (link,) = raw.ask(METHOD, about(URI))["result"]
    assert link["range"]["start"]["character"] == column


def test_documents_that_are_not_open_or_empty(raw: RawClient) -> None:
    raw.initialize()
    assert raw.ask(METHOD, about("file:///else.ptx"))["result"] is None
    raw.open("")
    assert raw.ask(METHOD, about(URI))["result"] == []
