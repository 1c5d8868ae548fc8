"""Every example on an instruction page, and on the page of a rule, gets the findings that it announces.

``pytest --update`` writes the annotations of instruction pages anew.
"""

from __future__ import annotations

import re
from pathlib import Path

import annotated
import pytest

from ptx_lsp import codes
from ptx_lsp.checks import all_checks
from ptx_lsp.checks.support.check import Check

GRAMMAR = Path(__file__).parent.parent.parent / "grammar"
PAGES = sorted((GRAMMAR / "isa").rglob("*.md"))
_STATEMENT = re.compile(r" `([^`]+;[^`]*)`$", re.MULTILINE)
_OPCODE = re.compile(r"\s*(?:@!?\S+\s+)?(\w+)")
_FENCE = re.compile(r"(?<=^```ptx\n)//-.*?(?=^```)", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_examples_of_an_instruction(path: Path, update: bool) -> None:
    page = path.read_text()
    if update:
        path.write_text(_FENCE.sub(lambda fence: annotated.updated(fence[0]), page))
        return
    wrong = [difference for fence in _FENCE.findall(page) for difference in annotated.differences(fence)]
    assert not wrong, "\n".join(["", str(path.relative_to(GRAMMAR)), *wrong])


_OF_PTX = [check for check in all_checks() if check.check_fragment is None]
"""The rules about PTX; those about inline assembly are tested in tests/embedded."""


@pytest.mark.parametrize("check", _OF_PTX, ids=lambda check: check.rule.code)
def test_examples_of_a_rule(check: Check) -> None:
    rule, page = check.rule, check.page
    assert codes.NAMES[rule.code] == rule.name
    bad, right = _FENCE.findall(page.partition("**Right:**")[0]), page.partition("**Right:**")[2]
    assert bad
    for fence in bad:
        expected = annotated.read(fence).expected
        assert rule.code in {one.code for one in expected}, f"the example of {rule.code} shows another rule"
        assert all(one.message for one in expected), "a caret line carries its message"
        annotated.check(fence)
    for fence in [*_FENCE.findall(right), *_inline(right, bad[0])]:
        assert not annotated.read(fence).expected, "what is right has no findings"
        annotated.check(fence)
    assert right, "a page shows what would be right"
    fixed = any(found.fixes for fence in bad for found in annotated.read(fence).findings)
    assert not fixed or "**Fixes offered:**" in right


def _inline(right: str, bad: str) -> list[str]:
    """A line of PTX that stands for right in running text, in the place of the same instruction that is reported."""
    line = _STATEMENT.match(right)
    if line is None:
        return []
    lines = bad.split("\n")
    marked = next(at for at, text in enumerate(lines) if annotated.is_annotation(text))
    same, other = _OPCODE.match(lines[marked - 1]), _OPCODE.match(line[1])
    if same is None or other is None or same[1] != other[1] or "flow" in lines[0]:
        return [f"{lines[0]}\n{line[1]}\n"]
    lines[marked - 1] = line[1]
    return ["\n".join(text for text in lines if not annotated.is_annotation(text))]
