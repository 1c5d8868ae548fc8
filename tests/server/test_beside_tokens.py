"""Semantic tokens of two servers as those of one."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from ptx_lsp.server.beside.merged_tokens import MergedTokens

THEIRS = {"legend": {"tokenTypes": ["variable", "string"], "tokenModifiers": ["readonly"]}, "full": True, "range": True}
OURS = {
    "legend": {"tokenTypes": ["opcode", "variable"], "tokenModifiers": ["definition", "readonly"]},
    "full": {"delta": True},
    "range": True,
}
URI = "file:///home/me/kernel.cu"

Tokens = list[tuple[int, int, int, int, int]]
"""Line, column, length, type and modifiers."""


def both() -> MergedTokens:
    merged = MergedTokens()
    assert merged.offered(THEIRS, OURS)
    return merged


def encoded(tokens: Tokens) -> list[int]:
    found, line, column = [], 0, 0
    for one in tokens:
        found += [one[0] - line, one[1] - (column if one[0] == line else 0), *one[2:]]
        line, column = one[:2]
    return found


def decoded(data: list[int]) -> Tokens:
    found, line, column = [], 0, 0
    for at in range(0, len(data), 5):
        lines, columns, length, kind, modifiers = data[at : at + 5]
        line, column = line + lines, columns if lines else column + columns
        found.append((line, column, length, kind, modifiers))
    return found


def check_merged(theirs: Tokens, ours: Tokens, expected: Tokens) -> None:
    """Fail unless these are the tokens of both in the merged legend."""
    found = both().part({"data": encoded(theirs)}, {"data": encoded(ours)})
    assert decoded(found["data"]) == expected


def test_the_legend_has_the_names_of_both() -> None:
    offered = MergedTokens().offered(THEIRS, OURS)
    assert offered == {
        "legend": {"tokenTypes": ["variable", "string", "opcode"], "tokenModifiers": ["readonly", "definition"]},
        "full": {"delta": True},
        "range": True,
    }


def test_a_server_without_ranges() -> None:
    offered = MergedTokens().offered({**THEIRS, "range": None}, OURS)
    assert offered is not None
    assert offered["range"] is False


def test_a_server_without_tokens() -> None:
    merged = MergedTokens()
    offered = merged.offered(None, OURS)
    assert offered is not None
    assert offered["legend"]["tokenTypes"] == ["opcode", "variable"]
    assert merged.part(None, {"data": [3, 4, 2, 1, 1]}) == {"data": [3, 4, 2, 1, 1]}


def test_lines_of_one_server_and_of_both() -> None:
    """Types and modifiers of this server have other numbers then."""
    check_merged(
        theirs=[(0, 4, 1, 0, 0), (2, 0, 3, 0, 1), (2, 20, 1, 0, 0), (7, 1, 1, 0, 0)],
        ours=[(2, 8, 3, 0, 1), (2, 12, 4, 1, 2), (5, 2, 3, 0, 3)],
        expected=[
            *((0, 4, 1, 0, 0), (2, 0, 3, 0, 1), (2, 8, 3, 2, 2), (2, 12, 4, 0, 1), (2, 20, 1, 0, 0)),
            *((5, 2, 3, 2, 3), (7, 1, 1, 0, 0)),
        ],
    )


def test_ours_within_a_string() -> None:
    check_merged(
        theirs=[(1, 4, 20, 1, 0)],
        ours=[(1, 5, 3, 0, 0), (1, 9, 2, 0, 0)],
        expected=[(1, 4, 1, 1, 0), (1, 5, 3, 2, 0), (1, 8, 1, 1, 0), (1, 9, 2, 2, 0), (1, 11, 13, 1, 0)],
    )


@pytest.mark.parametrize("theirs", [None, {}, {"data": "x"}, {"data": [1, 2]}, {"data": [1, 2, 3, 4, "5"]}])
def test_a_result_that_is_none(theirs: object) -> None:
    assert both().part(theirs, {"data": [1, 0, 1, 0, 0]}) == {"data": [1, 0, 1, 2, 0]}


@pytest.mark.parametrize("seed", range(20))
def test_edits_lead_from_one_result_to_the_next(seed: int) -> None:
    choose = random.Random(seed)

    def some() -> Tokens:
        places = sorted({(choose.randrange(9), 4 * choose.randrange(6)) for _ in range(choose.randrange(12))})
        return [(*place, choose.randrange(1, 4), choose.randrange(2), 0) for place in places]

    merged, theirs, ours = both(), some(), some()
    before = merged.all(URI, None, {"data": encoded(theirs)}, {"data": encoded(ours)})
    data = before["data"]
    for _ in range(8):
        theirs, ours = choose.choice([theirs, some()]), choose.choice([ours, some()])
        results = {"data": encoded(theirs)}, {"data": encoded(ours)}
        found = merged.all(URI, before["resultId"], *results)
        for edit in found["edits"]:
            data[edit["start"] : edit["start"] + edit["deleteCount"]] = edit["data"]
        assert data == both().all(URI, None, *results)["data"]
        tokens = decoded(data)
        assert tokens == sorted(tokens)
        assert all(one[0] < two[0] or one[1] + one[2] <= two[1] for one, two in pairwise(tokens))
        before = found


def test_an_unknown_result() -> None:
    merged = both()
    merged.all(URI, None, None, None)
    assert "data" in merged.all(URI, "another", None, None)
    merged.closed(URI)
    assert "data" in merged.all(URI, "both-2", None, None)
