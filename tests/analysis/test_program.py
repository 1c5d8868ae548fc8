"""Programs of several files: which declarations are one thing."""

from __future__ import annotations

import pytest

from ptx_lsp.analysis.module.interface import interface
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.module.program import Program
from ptx_lsp.syntax.document import Document
from ptx_lsp.text import Span

EXTERN = ".extern .func f();"
VISIBLE = ".visible .func f() { ret; }"
WEAK = ".weak .func f() { ret; }"
PRIVATE = ".func f() { ret; }"
COMMON = ".common .global .b32 f;"
DYNAMIC = ".extern .shared .b8 f[];"


def program(*texts: str) -> Program[Span]:
    found: Program[Span] = Program()
    for name, text in zip("abcdef", texts, strict=False):
        found.put(name, interface(Module(Document(text)), lambda span: span))
    return found


@pytest.mark.parametrize(
    ("texts", "linked"),
    [
        ((VISIBLE,), "a"),
        ((VISIBLE, EXTERN), "ab"),
        ((EXTERN, VISIBLE), "ab"),
        ((EXTERN, EXTERN), "ab"),
        ((VISIBLE, VISIBLE), "a"),
        ((VISIBLE, VISIBLE, EXTERN), "abc"),
        ((WEAK, WEAK), "ab"),
        ((COMMON, COMMON), "ab"),
        ((PRIVATE, VISIBLE, EXTERN), "a"),
        ((EXTERN, PRIVATE, VISIBLE), "ac"),
        ((DYNAMIC, DYNAMIC), "a"),
        ((EXTERN + VISIBLE, EXTERN), "ab"),
    ],
)
def test_the_files_in_which_a_name_is_one_thing(texts: tuple[str, ...], linked: str) -> None:
    assert "".join(program(*texts).linked("a", "f")) == linked


@pytest.mark.parametrize(
    ("texts", "defined"),
    [
        ((EXTERN, VISIBLE), "b"),
        ((EXTERN, WEAK, VISIBLE), "c"),
        ((EXTERN, WEAK, WEAK), "bc"),
        ((EXTERN, PRIVATE), ""),
        ((EXTERN, EXTERN), ""),
        ((VISIBLE, VISIBLE), ""),
    ],
)
def test_where_a_name_is_defined_in_other_files(texts: tuple[str, ...], defined: str) -> None:
    assert "".join(one.file for one in program(*texts).definitions("a", "f")) == defined


@pytest.mark.parametrize(
    ("texts", "is_defined"),
    [
        ((EXTERN,), False),
        ((EXTERN, EXTERN), False),
        ((EXTERN, VISIBLE), True),
        ((DYNAMIC,), True),
        ((WEAK,), True),
    ],
)
def test_whether_a_name_is_defined_at_all(texts: tuple[str, ...], is_defined: bool) -> None:
    assert program(*texts).is_defined("a", "f") is is_defined


@pytest.mark.parametrize(
    ("ours", "texts", "collides"),
    [
        ("a", (VISIBLE, VISIBLE), False),
        ("a", (VISIBLE, EXTERN), True),
        ("ab", (VISIBLE, EXTERN), False),
        ("ab", (VISIBLE, EXTERN, VISIBLE), True),
        ("a", (VISIBLE, PRIVATE), False),
    ],
)
def test_a_new_name_that_another_file_shares(ours: str, texts: tuple[str, ...], collides: bool) -> None:
    assert (program(*texts).collision(ours, "f") is not None) is collides


def test_a_file_that_is_put_again_or_dropped() -> None:
    found = program(VISIBLE, EXTERN)
    found.put("b", interface(Module(Document(PRIVATE)), lambda span: span))
    assert found.linked("a", "f") == ["a"]
    found.drop("a")
    found.drop("a")
    assert list(found.declarations("f")) == []
    assert found.linked("a", "f") == ["a"]
