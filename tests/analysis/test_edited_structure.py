"""Blocks and loops after edits are those of the text, whether they are kept or found anew."""

from __future__ import annotations

import random

import pytest

from ptx_lsp.analysis.dataflow.module_effects import Effects
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.semantics import edited_structure
from ptx_lsp.analysis.semantics.function_structure import FunctionStructure
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.text import Span

from .random_kernels import Kernel

_LINES = (
    "add.s32 %r1, %r1, 1;",
    "mov.u32 %r2, %tid.x;",
    "ld.shared.u32 %r3, [smem];",
    "st.shared.u32 [smem], %r2;",
    "// comment",
    "",
    "L_new:",
    "bra L0;",
    "@%p0 bra L1;",
    "setp.lt.s32 %p0, %r1, 7;",
    "bar.sync 0;",
)


def structure_of(checker: Checker) -> FunctionStructure:
    (function,) = (one for one in checker.module.functions if one.has_body)
    return run_to_completion(checker.semantics.structuring(function))


def shown(checker: Checker) -> list[object]:
    """All that the structure says, with offsets instead of places."""

    def offset(value: object) -> object:
        if not isinstance(value, Place):
            return value
        return checker.module.positions.statement_start(value.chunk, value.statement)

    found = structure_of(checker)
    return [tuple(map(offset, one)) for one in (*found.blocks, *found.loops)]


@pytest.mark.parametrize("seed", range(40))
def test_random_edits(seed: int) -> None:
    source = random.Random(seed)
    text = Kernel(seed).text
    checker = Checker(text)
    structure_of(checker)
    for _ in range(12):
        lines = text.split("\n")
        first = next(at for at, line in enumerate(lines) if line.startswith("{")) + 1
        at = source.randrange(first, len(lines) - 1)
        start = sum(len(line) + 1 for line in lines[:at])
        if source.random() < 0.5:
            span, new = Span(start, start), source.choice(_LINES) + "\n"
        else:
            span, new = Span(start, start + len(lines[at])), source.choice(_LINES)
        checker.edit(span, new)
        text = text[: span.start] + new + text[span.end :]
        if source.random() < 0.7:
            assert shown(checker) == shown(Checker(text)), text


LOOP = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k()
{
.reg .b32 %r<9>; .reg .pred %p<3>;
mov.u32 %r1, 0;
again:
add.s32 %r1, %r1, 1;
mov.u32 %r2, %tid.x;
bar.sync 0;
setp.lt.s32 %p1, %r1, 64;
@%p1 bra again;
ret;
}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("mov.u32 %r2, %tid.x;", "mov.u32 %r2, %tid.y;"),
        ("mov.u32 %r2, %tid.x;", "\n// why\nmov.u32 %r2, %tid.x;"),
        ("bar.sync 0;", "bar.sync 0;\nbar.sync 1;"),
        ("mov.u32 %r2, %tid.x;", ""),
    ],
)
def test_an_edit_within_a_block_finds_nothing_anew(old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    checker = Checker(LOOP)
    structure_of(checker)
    found: list[FunctionStructure | None] = []
    original = edited_structure.edited_structure

    def noted(before: FunctionStructure, effects: Effects, function: Function) -> FunctionStructure | None:
        found.append(original(before, effects, function))
        return found[-1]

    monkeypatch.setattr(edited_structure, "edited_structure", noted)
    start = LOOP.index(old)
    checker.edit(Span(start, start + len(old)), new)
    assert shown(checker) == shown(Checker(LOOP.replace(old, new)))
    assert found[0] is not None


def test_an_edit_that_concerns_a_counter_does() -> None:
    checker = Checker(LOOP)
    assert structure_of(checker).loops[0].counter == "%r1"
    start = LOOP.index("add.s32 %r1, %r1, 1;")
    checker.edit(Span(start, start + len("add.s32 %r1")), "mul.lo.s32 %r1")
    assert structure_of(checker).loops[0].counter == ""


IN_TWO_PARTS = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k()
{
.reg .b32 %r<9>;
DONE:
}
add.s32 %r1, %r1, 1;
bar.sync 0;
{
ret;
"""


def test_instructions_between_two_parts_of_a_body_do_not_count() -> None:
    checker = Checker(IN_TWO_PARTS)
    before = shown(checker)
    assert before
    start = IN_TWO_PARTS.index("bar")
    checker.edit(Span(start, start), "bar.sync 1;\n")
    assert shown(checker) == shown(Checker(IN_TWO_PARTS.replace("bar", "bar.sync 1;\nbar", 1)))
