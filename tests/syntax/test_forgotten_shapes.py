"""Shapes that no statement has any more are forgotten; those of statements that exist stay what they are."""

from __future__ import annotations

import gc
from typing import Any, cast

import pytest

from ptx_lsp.analysis.statements.value_limits import depends_on_values
from ptx_lsp.checks.engine import examination
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.shape import SHAPES, Shape, ShapeTable, shape_of
from ptx_lsp.text import Span

MANY = 1 << 30
"""More shapes than are kept."""
KERNEL = """.version 8.0
.target sm_80
.address_size 64
.entry k()
{
    .reg .b32 %r<3>;
    mov.u32 %r1, %tid.x;
    add.s32 %r2, %r1, 1;
    ret;
}
"""


@pytest.fixture(autouse=True)
def _forgotten_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget after 50 new shapes, however many the documents of other tests of this process hold."""
    forget = ShapeTable.forget_unused

    def forget_early(table: ShapeTable, *, in_pause: bool = False) -> None:
        if table is SHAPES and table._held > table._used + 50:
            table._held = MANY
        forget(table, in_pause=in_pause)

    monkeypatch.setattr(ShapeTable, "forget_unused", forget_early)


def shapes_of(document: Document) -> list[Shape]:
    return [SHAPES[number] for chunk in document.chunks for number in chunk.shapes]


def type_garbage(checker: Checker, count: int, word: str) -> None:
    at = checker.document.text.index("    add")
    for number in range(count):
        garbage = f"{word}{number}.u32 %r1, [%r2], 3;\n"
        checker.edit(Span(at, at), garbage)
        checker.diagnostics(100, at_once=False)
        checker.edit(Span(at, at + len(garbage)), "")


def test_statements_keep_their_shapes() -> None:
    checker = Checker(KERNEL)
    before = shapes_of(checker.document)
    type_garbage(checker, 300, "one")
    assert [one.id for one in shapes_of(checker.document)] == [one.id for one in before]
    assert [one.tree for one in shapes_of(checker.document)] == [one.tree for one in before]
    assert checker.diagnostics() == Checker(KERNEL).diagnostics()


def test_what_is_known_of_them_goes_too() -> None:
    type_garbage(Checker(KERNEL), 300, "three")
    forget_at_once()
    assert cast(Any, depends_on_values).cache_info().currsize == 0
    assert not any(SHAPES[number].id < 0 for number in examination._PREFILTER._asked)


def forget_at_once() -> None:
    """Forget whatever nothing refers to, however few they are."""
    gc.collect()
    SHAPES._held = MANY
    SHAPES.forget_unused()


def test_those_of_statements_that_were_typed_go() -> None:
    forget_at_once()
    before = len(SHAPES.by_exact_key)
    type_garbage(Checker(KERNEL), 300, "two")
    forget_at_once()
    held = sum(one.opcode[:1] != () and one.opcode[0].startswith("two") for one in SHAPES)
    assert held < 150
    assert len(SHAPES.by_exact_key) < before + 150


def test_those_of_statements_that_cannot_be_parsed_stay_without_their_texts() -> None:
    unparsable = [shape_of(f"add{number}.u32 %r1 %r2 ]]") for number in range(50)]
    before = dict(SHAPES.bad)
    assert {one.id for one in unparsable} <= set(before.values())
    assert set(SHAPES.by_exact_key.values()) & set(before.values())
    forget_at_once()
    assert SHAPES.bad == before
    assert not set(SHAPES.by_exact_key.values()) & set(before.values())
    assert shape_of("add0.u32 %r1 %r2 ]]") is unparsable[0]


def test_some_are_forgotten_in_a_pause() -> None:
    table = ShapeTable()
    table._held = 600
    table.forget_unused()
    assert table._held == 600
    table.forget_unused(in_pause=True)
    assert table._held == 0


def test_a_few_stay_in_a_pause() -> None:
    table = ShapeTable()
    table._held = 500
    table.forget_unused(in_pause=True)
    assert table._held == 500


def test_a_shape_that_was_forgotten_is_made_again() -> None:
    first = shape_of("forgotten.u32 %r1, %r2;")
    type_garbage(Checker(KERNEL), 200, "three")
    again = shape_of("forgotten.u32 %r1, %r2;")
    assert (again.opcode, again.names, again.tree) == (first.opcode, first.names, first.tree)
    assert again.id > first.id


def test_of_long_statements_about_a_megabyte_is_kept() -> None:
    for number in range(8):  # as when one types after a comment that is not closed
        shape_of(f"/* {number}\n" + "add.s32 %r1, %r1, %r1;\n" * 40_000)
    assert sum(map(len, SHAPES.by_long_text)) < 3 << 20
