"""Blocks within each other: as many as ptxas can read, and the first one that is too many."""

from __future__ import annotations

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.formatting import formatted
from ptx_lsp.features.selection_ranges import selection
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.text import Span

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k()\n{\n"
VOCABULARY = catalogue().vocabulary
MOST = VOCABULARY.limit("nested blocks", VOCABULARY.newest_version, VOCABULARY.newest_target)
EMPTY, DECLARING = "{\n", "{ .reg .b32 x;\n"


def nest(count: int, block: str) -> str:
    return f"{HEAD}{block * count}{'}' * count}\nret;\n}}\n"


def errors(checker: Checker) -> list[tuple[str, str, int]]:
    return [(one.code, one.message, one.span.start) for one in checker.diagnostics() if one.code.startswith("E")]


def check_nesting(count: int, block: str) -> None:
    """The errors of so many blocks within each other: one at the first that is too many, if any is."""
    wanted = [("E106", f"more than {MOST} blocks within each other", len(HEAD) + MOST * len(block))]
    assert errors(Checker(nest(count, block))) == (wanted if count > MOST else [])


@pytest.mark.parametrize("block", [EMPTY, DECLARING], ids=["empty", "declaring"])
@pytest.mark.parametrize("count", [1, MOST, MOST + 1, 4 * MOST])
def test_blocks_within_each_other(count, block):
    check_nesting(count, block)


@pytest.mark.parametrize("block", [EMPTY, DECLARING], ids=["empty", "declaring"])
def test_an_edit_that_nests_one_block_more(block):
    text = nest(MOST, block)
    checker = Checker(text)
    middle = len(HEAD) + MOST // 2 * len(block)
    checker.edit(Span(middle, middle), block)
    checker.edit(Span(len(checker.document.text) - 7, len(checker.document.text) - 7), "}")
    assert errors(checker) == errors(Checker(checker.document.text)) != []
    checker.edit(Span(middle, middle + len(block)), "")
    assert errors(checker) == errors(Checker(checker.document.text))


def test_names_of_too_deep_blocks_are_neither_duplicates_nor_unknown():
    uses = "".join(f"mov.b32 %r1, x{n};\n" for n in range(2 * MOST))
    blocks = "".join(f"{{ .reg .b32 x{n}, y;\n" for n in range(2 * MOST))
    text = f"{HEAD}.reg .b32 %r<2>;\n{blocks}{uses}{'}' * 2 * MOST}\nret;\n}}\n"
    assert [code for code, _, _ in errors(Checker(text))] == ["E106"]


@pytest.mark.parametrize("depth", [201, 3000])
def test_brackets_within_each_other_are_no_error(depth):
    """As many as this ptxas accepts; what looks at an initializer must not depend on how deep it is."""
    text = (
        f"{HEAD.partition('.entry')[0]}"
        f".global .s64 a = {'(' * depth}1{')' * depth};\n"
        f".global .s64 b{'[1]' * depth} = {'{' * depth}1{'}' * depth};\n"
        f".global .s64 c{'[1]' * depth} = {'{' * depth}1, 2{'}' * depth};\n"
    )
    assert [(code, at) for code, _, at in errors(Checker(text))] == [("E415", text.rindex("2}"))]
    assert errors(Checker(formatted(text)))[0][0] == "E415"


def test_the_values_in_deep_braces_are_looked_at():
    text = f".version 8.0\n.target sm_90\n.global .b8 x{'[1]' * 3000} = {'{' * 3000}300{'}' * 3000};\n"
    assert [one.code for one in Checker(text).diagnostics()] == ["W610"]


def test_selections_in_deep_braces():
    text = f".version 8.0\n.target sm_90\n.global .b8 x{'[1]' * 3000} = {'{' * 3000}3{'}' * 3000};\n"
    found = selection(Checker(text).semantics.module, text.index("3}"))
    assert found[0] == Span(text.index("3}"), text.index("3}") + 1)
    assert found[1] == Span(text.index("{3"), text.index("3}") + 2)
