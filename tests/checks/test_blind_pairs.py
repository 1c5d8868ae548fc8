"""Mistakes that were written from the pages of the rules, before their writer had seen the code of the rules.

Each text of ``tests/pairs/blind`` is a right kernel and several mistakes in it. A line that ends in ``//bug NAME`` is
only in the kernel with that mistake, one that ends in ``//right NAME …`` is not in the kernels with these. The lines
after ``//-`` list the mistakes with the code that is expected: ``none`` if no rule was about it, *beyond the page* if
the page of the rule says that it is not reported, *not found* if it is not. docs/synchronization.md has the figures.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from asked import ask

from ptx_lsp.checks.engine.checker import check_text
from ptx_lsp.diagnostic import Severity

FOLDER = Path(__file__).parent.parent / "pairs" / "blind"
_LISTED = re.compile(r"// ((?:W\d+(?: or )?)+|none) (\w+)(, beyond the page)?(, not found)?$", re.MULTILINE)
_ONLY = re.compile(r" //(bug|right) ([\w ]+)$")


class Mistake(NamedTuple):
    """A mistake in a kernel."""

    kernel: str
    name: str
    codes: frozenset[str]
    is_found: bool
    right: str
    wrong: str


def _kernel(text: str, mistake: str) -> str:
    """The text with one mistake; with none if its name is empty."""
    lines = []
    for line in text.split("\n"):
        only = _ONLY.search(line)
        if only is None:
            lines.append(line)
        elif (only[1] == "bug") == (mistake in only[2].split()):
            lines.append(_ONLY.sub("", line))
    return "\n".join(lines)


def _mistakes() -> list[Mistake]:
    found = []
    for path in sorted(FOLDER.glob("*.ptx")):
        for text in re.split(r"^//- ", path.read_text(), flags=re.MULTILINE)[1:]:
            name, _, rest = text.partition(":")
            body = rest.partition("\n")[2]
            for codes, mistake, _, not_found in _LISTED.findall(body):
                code = frozenset(codes.split(" or "))
                texts = _kernel(body, ""), _kernel(body, mistake)
                found.append(Mistake(name, mistake, code, not not_found and codes != "none", *texts))
    return found


MISTAKES = _mistakes()
RIGHT = {mistake.kernel: mistake.right for mistake in MISTAKES}


@cache  # a right kernel is compared with several wrong ones
def _findings(text: str) -> Counter[tuple[str, str]]:
    return Counter((one.code, one.message.partition("\n")[0]) for one in check_text(text))


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda one: f"{one.kernel}-{one.name}")
def test_a_mistake_is_found_as_it_is_listed(mistake: Mistake) -> None:
    new = _findings(mistake.wrong) - _findings(mistake.right)
    assert any(code in mistake.codes for code, _ in new) is mistake.is_found, new


@pytest.mark.parametrize("kernel", RIGHT)
def test_a_right_kernel_has_no_warning(kernel: str) -> None:
    assert [one for one in check_text(RIGHT[kernel]) if one.severity in (Severity.ERROR, Severity.WARNING)] == []


@pytest.mark.parametrize("kernel", RIGHT)
def test_ptxas_accepts_the_right_kernel(kernel: str, ptxas_13: Path) -> None:
    assert ask(ptxas_13, RIGHT[kernel]).errors == {}
