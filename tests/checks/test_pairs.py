"""Pairs of kernels that differ in one mistake: it is found in one, and the other has no warning of the same family.

``tests/pairs`` holds both in one text. A line that ends in ``//bug`` is only in the kernel with the mistake, one that
ends in ``//right`` only in its corrected twin. ``// <-- W801`` marks the line that is reported. ptxas accepts both.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import annotated
import pytest
from asked import ask

from ptx_lsp.diagnostic import Diagnostic

FOLDER = Path(__file__).parent.parent / "pairs"
FAMILY = "W8"
LEAST = 3
"""So many pairs have each of the rules."""
MOST = 10
WITH_TEN = (
    *("W801", "W802", "W803", "W804", "W805", "W806", "W807", "W808", "W809", "W810", "W811", "W812", "W813", "W814"),
    *(
        "W815",
        "W816",
        "W817",
        "W818",
        "W820",
        "W822",
        "W823",
        "W824",
        "W832",
        "W833",
        "W834",
        "W835",
        "W836",
        "W837",
        "W838",
        "W840",
    ),
    *("W841", "W842", "W843", "W844", "W845", "W846", "W847", "W848", "W849"),
    *("W839", "W850", "W851", "W852", "W853", "W854", "W855", "W856", "W857", "W858"),
    *("W859", "W860", "W861", "W862", "W863"),
)
"""Rules with ten pairs, written from their pages."""

RULES = (
    "W801",
    "W802",
    "W803",
    "W804",
    "W805",
    "W806",
    "W807",
    "W808",
    "W809",
    "W810",
    "W811",
    "W812",
    "W813",
    "W814",
    "W815",
    "W816",
    "W817",
    "W818",
    "W820",
    "W821",
    "W822",
    "W823",
    "W824",
    *(f"W{number}" for number in range(830, 864)),
)
_MARK = re.compile(r"// <-- (W\d+)")
_ONLY = re.compile(r" //(bug|right)$")


class Pair(NamedTuple):
    """One text with both kernels."""

    name: str
    text: str

    @property
    def code(self) -> str:
        """The code that is expected."""
        found = _MARK.search(self.text)
        assert found is not None, self.text
        return found[1]

    def kernel(self, which: str) -> str:
        """One of the two, ``bug`` or ``right``; the lines of the other are empty."""
        lines = []
        for line in self.text.split("\n"):
            only = _ONLY.search(line)
            lines.append("//" if only and only[1] != which else _ONLY.sub("", line))
        return "\n".join(lines)


def _pairs() -> list[Pair]:
    found = []
    for path in sorted(FOLDER.glob("*.ptx")):
        for number, text in enumerate(re.split(r"^(?=//-)", path.read_text(), flags=re.MULTILINE)[1:], 1):
            found.append(Pair(f"{path.stem}-{number}", text))
    return found


PAIRS = _pairs()
NAMES = [f"{pair.name}-{pair.code}" for pair in PAIRS]


def findings(text: str) -> list[tuple[Diagnostic, int]]:
    """The findings of the family, with their lines in the snippet."""
    snippet = annotated.read(text)
    return [
        (one, snippet.text.count("\n", 0, one.span.start) - snippet.first_line)
        for one in snippet.findings
        if one.code.startswith((FAMILY, "E"))
    ]


@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_the_mistake_is_found_where_it_is_marked(pair: Pair) -> None:
    text = pair.kernel("bug")
    marked = [number for number, line in enumerate(text.strip("\n").split("\n")) if _MARK.search(line)]
    found = findings(text)
    assert [(one.code, line) for one, line in found] == [(pair.code, marked[0])], found


@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_the_twin_has_no_finding(pair: Pair) -> None:
    assert findings(pair.kernel("right")) == []


@pytest.mark.parametrize("which", ["bug", "right"])
@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_ptxas_accepts_both(pair: Pair, which: str, ptxas_13: Path) -> None:
    assert ask(ptxas_13, annotated.read(pair.kernel(which)).text).errors == {}


def test_each_rule_has_enough_pairs() -> None:
    counts = {code: sum(pair.code == code for pair in PAIRS) for code in RULES}
    wanted = {code: MOST if code in WITH_TEN else LEAST for code in RULES}
    assert {code: count for code, count in counts.items() if count < wanted[code]} == {}
