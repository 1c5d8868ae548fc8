"""Tables, long declarations and unknown words: what each part of them costs, counted in function calls."""

from __future__ import annotations

import pytest
from called import calls

from ptx_lsp.analysis.symbols import declarations
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.checks.rules.operands import constant_expression
from ptx_lsp.settings import Settings
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax import shape
from ptx_lsp.syntax.abridged import abridged
from ptx_lsp.syntax.parse_statement import ParsedStatement, parse_statement
from ptx_lsp.syntax.shape import shape_of
from ptx_lsp.syntax.terminals import terminals
from ptx_lsp.syntax.token_columns import columns
from ptx_lsp.syntax.tree import Declaration, Operand

from .texts.shapes import HEADER


def read(text: str) -> ParsedStatement:
    """A statement, parsed."""
    return parse_statement(text, abridged(text))


def declared(text: str) -> Declaration:
    """A declaration without errors."""
    found = read(text)
    assert not found.problems
    assert isinstance(found.tree, Declaration)
    return found.tree


def terminals_of(text: str) -> list[str]:
    """The terminals of a statement."""
    found = columns(text)
    return terminals(found.words, found.kinds).names


@pytest.mark.parametrize("row", ["{}", "{7}", "{1, -2}", "{1.5, -2, 3}", "{1, 2, 3, 4, 5}"])
def test_inner_braces_of_numbers_are_one_terminal(row: str):
    def length(count: int) -> int:
        return len(terminals_of(f".global .f32 a[9][5] = {{{', '.join([row] * count)}}};"))

    assert length(40) - length(20) == 20 * len(("ROW", "COMMA"))


def test_sizes_are_one_terminal():
    def length(count: int) -> int:
        return len(terminals_of(f".global .b32 a{'[1]' * count};"))

    assert length(40) == length(20)


@pytest.mark.parametrize(
    "row", ["{}", "{7}", "{1, -2}", "{0f3F800000, -2.5, 12U}", "{1, 2, 3, 4, 5}", "{-1, -2, -3, 4}"]
)
def test_inner_braces_have_the_tree_of_other_braces(row: str):
    """Braces right after the equals sign are read by the parser number by number, or as one run."""
    outer = declared(f".global .f32 a[] = {row};").declarators[0].initializer
    inner = declared(f".global .f32 a[] = {{{row}, {row}}};").declarators[0].initializer
    assert outer is not None
    assert inner is not None

    def shifted(operand: Operand, by: int) -> Operand:
        parts = tuple(shifted(part, by) for part in operand.parts)
        return operand._replace(first=operand.first + by, last=operand.last + by, parts=parts)

    width = outer.last - outer.first
    assert inner.parts == (shifted(outer, 1), shifted(outer, width + 2))


@pytest.mark.parametrize("count", [1, 5, 6, 30])
def test_each_size_is_a_dimension(count: int):
    text = f".global .b32 a[]{''.join(f'[{n}]' for n in range(1, count))}, b[1][2][3][4][5][6][7] = {{{{1}}}};"
    a, b = declared(text).declarators
    words = columns(text).words
    assert [words[token] if token >= 0 else "" for token in a.dimensions] == ["", *map(str, range(1, count))]
    assert [words[token] for token in b.dimensions] == list("1234567")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (".global .b32 a[] = {{1, 2}, {3 4}};", "4"),
        (".global .b32 a[1][2][3][4][5][6 = {{1}};", "="),
        (".global .b32 a[] = {{1, 2}, {1, 2;", ";"),
        (".global .b32 a[1][2][3][4][5][6]] = {{{{1}}}};", "]"),
    ],
)
def test_errors_beside_them_are_at_their_tokens(text: str, wrong: str):
    found = read(text)
    words = columns(text).words
    assert words[found.terminals.firsts[found.problems[0].position]] == wrong


def test_a_statement_of_ordinary_numbers_is_tokenized_once(monkeypatch: pytest.MonkeyPatch):
    read_again = 0
    original = shape.abridging

    def counted(text: str):
        nonlocal read_again
        read_again += 1
        return original(text)

    monkeypatch.setattr(shape, "abridging", counted)
    text = f".global .f32 unusual_table[3]{'[1]' * 300} = {{0.5, 0x1F, 1.}};"
    assert not shape_of(text).errors
    assert not read_again


def test_numbers_that_fit_are_passed_over():
    def found(rows: int) -> int:
        text = f"{HEADER}.global .s32 a[{rows}][2] = {{{', '.join(['{1, 2}'] * rows)}}};\n"
        checker = Checker(text, Settings())
        return calls(lambda: checker.findings(1000))

    found(10)
    assert found(3000) - found(2000) < 20 * 1000


def test_numbers_are_no_constant_expressions():
    def asked(rows: int) -> int:
        one = shape_of(f".global .s32 a[] = {{{', '.join(['{1, 2}'] * rows)}}};")
        return calls(lambda: constant_expression.accepts_shape(one))

    asked(10)
    assert asked(3000) < asked(10) + 100


def test_the_names_of_a_long_declaration_are_declared_once():
    def declaring(count: int) -> int:
        text = f"{HEADER}.global .b32 {', '.join(f'v{n}' for n in range(count))};\n"
        checker = Checker(text, Settings())
        chunk = checker.module.functions[0].chunks[-1]
        index = next(at for at in range(len(chunk.kinds)) if len(chunk.part(at)) > count)
        return calls(lambda: run_to_completion(declarations.declaring(chunk, index)))

    declaring(100)
    assert declaring(3000) - declaring(2000) < 10 * 1000


def test_the_first_faults_of_a_head_have_fixes():
    def with_fixes(count: int) -> int:
        text = f"{HEADER}.func f() {'.abi_preserve 3 ' * count}{{ ret; }}\n"
        return sum(one.code == "E424" and bool(one.fixes) for one in Checker(text).diagnostics())

    assert with_fixes(500) == 499
    assert with_fixes(3000) == with_fixes(2000) < 2000
