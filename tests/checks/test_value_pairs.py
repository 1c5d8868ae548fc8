"""Pairs of kernels that differ in one wrong value; see ``test_pairs``, which has those about asynchronous work."""

from __future__ import annotations

import re
from pathlib import Path

import annotated
import pytest
from asked import ask
from checks.test_pairs import Pair

from ptx_lsp.diagnostic import Severity

FOLDER = Path(__file__).parent.parent / "pairs" / "values"
_OTHERS = ("W62", "W8", "W7", "E", "W61", "W63")
_UNUSED = frozenset({"W620", "W621", "W622", "W623"})
"""What the examples leave out is not what they are about."""


def _pairs() -> list[Pair]:
    found = []
    for path in sorted(FOLDER.glob("*.ptx")):
        for number, text in enumerate(re.split(r"^(?=//-)", path.read_text(), flags=re.MULTILINE)[1:], 1):
            found.append(Pair(f"{path.stem}-{number}", text.replace(" //bug", "//bug").replace("//bug", " //bug")))
    return found


PAIRS = _pairs()
NAMES = [f"{pair.name}-{pair.code}" for pair in PAIRS]


def findings(text: str) -> list[tuple[str, int]]:
    """The codes of the findings, with their lines in the snippet."""
    snippet = annotated.read(text)
    return [
        (one.code, snippet.text.count("\n", 0, one.span.start) - snippet.first_line)
        for one in snippet.findings
        if one.code.startswith(_OTHERS) and one.code not in _UNUSED and one.severity is not Severity.INFORMATION
    ]


@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_the_mistake_is_found_where_it_is_marked(pair: Pair) -> None:
    text = pair.kernel("bug")
    marked = [number for number, line in enumerate(text.strip("\n").split("\n")) if f"// <-- {pair.code}" in line]
    assert findings(text) == [(pair.code, line) for line in marked]


@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_the_twin_has_no_finding(pair: Pair) -> None:
    assert findings(pair.kernel("right")) == []


@pytest.mark.parametrize("which", ["bug", "right"])
@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_ptxas_accepts_both(pair: Pair, which: str, ptxas_13: Path) -> None:
    assert ask(ptxas_13, annotated.read(pair.kernel(which)).text).errors == {}
