"""Folding and selection ranges over the wire: what clients that differ get."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import URI, RawClient

TEXT = """// #region one
.global .u32 a;
.global .u32 b;
.global .u32 c;
// #endregion
.func f()
{
    .loc 1 1 1
    ret;
    ret;
    ret;
    { // inner
        ret;
    } ret;
}
/* two
lines */
"""


def folds(raw: RawClient, text: str = TEXT, **client: object) -> list[dict[str, Any]]:
    raw.initialize(capabilities={"textDocument": {"foldingRange": client}})
    raw.open(text)
    return raw.ask("textDocument/foldingRange", {"textDocument": {"uri": URI}})["result"]


def lines(found: list[dict[str, Any]]) -> list[tuple[int, int]]:
    return [(fold["startLine"], fold["endLine"]) for fold in found]


def test_whole_lines(raw: RawClient) -> None:
    found = folds(raw, lineFoldingOnly=True)
    assert lines(found) == [(0, 4), (1, 3), (5, 14), (7, 10), (11, 12), (15, 16)]
    assert [fold.get("kind") for fold in found] == ["region", None, None, None, None, "comment"]
    assert not any("startCharacter" in fold or "collapsedText" in fold for fold in found)


def test_parts_of_lines(raw: RawClient) -> None:
    found = folds(raw)
    assert lines(found) == [(0, 4), (1, 3), (6, 14), (7, 10), (11, 13), (15, 16)]
    assert (found[2]["startCharacter"], found[2]["endCharacter"]) == (1, 0)
    assert (found[4]["startCharacter"], found[4]["endCharacter"]) == (5, 4)


def test_words_for_what_is_hidden(raw: RawClient) -> None:
    found = folds(raw, lineFoldingOnly=True, foldingRange={"collapsedText": True})
    assert [fold.get("collapsedText") for fold in found] == [
        None,
        "… 3 declarations",
        "… }",
        "… 3 lines",
        "… }",
        None,
    ]


def test_kinds_that_the_client_knows(raw: RawClient) -> None:
    found = folds(raw, foldingRangeKind={"valueSet": ["comment"]})
    assert [fold.get("kind") for fold in found] == [None, None, None, None, None, "comment"]


@pytest.mark.parametrize(
    ("limit", "kept"),
    [
        (0, []),
        (1, [(5, 14)]),
        (3, [(0, 4), (5, 14), (7, 10)]),
        (99, [(0, 4), (1, 3), (5, 14), (7, 10), (11, 12), (15, 16)]),
    ],
)
def test_the_largest_are_kept(raw: RawClient, limit: int, kept: list[tuple[int, int]]) -> None:
    assert lines(folds(raw, lineFoldingOnly=True, rangeLimit=limit)) == kept


def test_lines_that_end_in_a_carriage_return(raw: RawClient) -> None:
    assert lines(folds(raw, TEXT.replace("\n", "\r\n"), lineFoldingOnly=True))[2] == (5, 14)


TWO = """.func f()
{
    .loc 1 1 1
    ret;
    ret;
    ret;
} .func g()
{
    ret;
} // ü
.func h()
{
    ret;
}
"""


@pytest.mark.parametrize(
    ("line", "character", "text"),
    [
        (6, 1, "\n"),  # 'f' ends its line now
        (6, 2, "ü { "),  # a brace that no other closes
        (6, 0, "  "),  # 'g' begins at another column
        (0, 0, "// one\n// two\n// three\n"),
        (9, 0, "// #endregion\n"),
        (4, 0, "// #region\n"),
        (10, 0, "{"),
        (13, 1, " /* a\nb\nc */"),
    ],
)
@pytest.mark.parametrize("whole_lines", [False, True])
def test_after_an_edit(raw: RawClient, line: int, character: int, text: str, whole_lines: bool) -> None:
    """Folds of functions that are not edited are kept; the answer is that for the new text."""
    folds(raw, TWO, lineFoldingOnly=whole_lines)
    place = {"line": line, "character": character}
    change = {"range": {"start": place, "end": place}, "text": text}
    raw.notify("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [change]})
    edited = raw.ask("textDocument/foldingRange", {"textDocument": {"uri": URI}})["result"]
    before, after = TWO.splitlines(keepends=True)[:line], TWO.splitlines(keepends=True)[line:]
    after[0] = after[0][:character] + text + after[0][character:]
    raw.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    raw.open("".join([*before, *after]))
    assert edited == raw.ask("textDocument/foldingRange", {"textDocument": {"uri": URI}})["result"]


def test_several_cursors(raw: RawClient) -> None:
    raw.initialize()
    raw.open(TEXT)
    positions = [{"line": 12, "character": 9}, {"line": 0, "character": 5}, {"line": 999, "character": 0}]
    params = {"textDocument": {"uri": URI}, "positions": positions}
    found = raw.ask("textDocument/selectionRange", params)["result"]
    assert [depth(one) for one in found] == [6, 2, 1]
    assert found[0]["range"]["start"] == {"line": 12, "character": 8}


def depth(selection: dict[str, Any]) -> int:
    return 1 + (depth(selection["parent"]) if "parent" in selection else 0)
