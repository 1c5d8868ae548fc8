"""Trees: every form of operand and directive, as ptxas takes them."""

from __future__ import annotations

import pytest

from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Declaration, FunctionHead, Instruction, Location, Operand, OperandKind, Prototype


def shown(statement: Statement, operand: Operand) -> str:
    """An operand in brief: kind, and in brackets its parts."""
    words = operand.kind.name.lower()
    if operand.sign:
        words = operand.sign + words
    if operand.name >= 0:
        words += ":" + statement.word(operand.name)
    words += "".join(statement.word(token) for token in operand.selector)
    if operand.parts:
        words += "(" + " ".join(shown(statement, part) for part in operand.parts) + ")"
    if operand.offset is not None:
        words += ("[%s]" if operand.indexed else "+%s") % shown(statement, operand.offset)
    if operand.pair is not None:
        words += "|" + shown(statement, operand.pair)
    return words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%r1", "name:%r1"),
        ("vv.x", "name:vv.x"),
        ("%r1.b3210", "name:%r1.b3210"),
        ("-%r1.h0", "-name:%r1.h0"),
        ("!%p1", "!name:%p1"),
        ("%p1|%p2", "name:%p1|name:%p2"),
        ("{%f1, %f2}|%p1", "vector(name:%f1 name:%f2)|name:%p1"),
        ("_", "sink"),
        ("42", "integer"),
        ("-42", "-integer"),
        ("1.5", "float"),
        ("0f3F800000", "float"),
        ("(1 + 2) * 3", "constant"),
        ("1 ? 2 : 3", "constant"),
        ("(.s64) 1", "constant"),
        ("WARP_SZ", "constant"),
        ("g+4", "name:g+integer"),
        ("g[%r1+1]", "name:g[name:%r1+integer]"),
        ("[%rd1]", "address(name:%rd1)"),
        ("[%rd1+-4]", "address(name:%rd1+-integer)"),
        ("[g+4*2].unified", "address.unified(name:g+constant)"),
        ("[map, {%r1, %r2}]", "address(name:map vector(name:%r1 name:%r2))"),
        ("[id, off, counter]", "address(name:id name:off name:counter)"),
        ("{%r1, _, 3}", "vector(name:%r1 sink integer)"),
    ],
)
def test_operands(text: str, expected: str) -> None:
    statement = Statement(f"op.b32 {text}, last;")
    tree = statement.shape.tree
    assert isinstance(tree, Instruction)
    first = tree.operands[0]
    assert shown(statement, first) == expected
    span = statement.span(first.first, first.last)
    assert statement.text[span.start : span.end] == text


@pytest.mark.parametrize(
    ("text", "operands"),
    [
        ("call f;", ["name:f"]),
        ("call.uni (r), f, (a, 1), proto;", ["arguments(name:r)", "name:f", "arguments(name:a integer)", "name:proto"]),
        ("call (_), f, ();", ["arguments(sink)", "name:f", "arguments"]),
    ],
)
def test_calls(text: str, operands: list[str]) -> None:
    statement = Statement(text)
    tree = statement.shape.tree
    assert isinstance(tree, Instruction)
    assert [shown(statement, operand) for operand in tree.operands] == operands


def test_guards_and_opcodes() -> None:
    statement = Statement("  @!%p1 ld.shared::cta .u32 %r1, [a];")
    tree = statement.shape.tree
    assert isinstance(tree, Instruction)
    assert tree.guard is not None
    assert (tree.guard.negated, statement.word(tree.guard.name)) == (True, "%p1")
    assert tree.opcode == ("ld", ".shared::cta", ".u32")
    assert statement.lead == 2


def test_declarations() -> None:
    statement = Statement(".visible .global .align 8 .v2 .f32 a, t[2][4] = {{1.0, 2}, 0}, r<9>;")
    tree = statement.shape.tree
    assert isinstance(tree, Declaration)
    assert statement.kind is Kind.VARIABLE
    assert (tree.space, tree.vector, tree.type) == (".global", ".v2", ".f32")
    assert [statement.word(token) for token in (tree.linkage, tree.align)] == [".visible", "8"]
    plain, array, many = tree.declarators
    assert statement.word(plain.name) == "a"
    assert [statement.word(token) for token in array.dimensions] == ["2", "4"]
    assert array.initializer is not None
    assert array.initializer.kind is OperandKind.VECTOR
    assert statement.word(many.count) == "9"


@pytest.mark.parametrize(
    "initialiser",
    [
        "{1, -2, 3, 4, 5}",
        "g",
        "g+4",
        "generic(g)+4",
        "{0xFF(g), 0xFF00(generic(g)+2)}",
        "{filter_mode = linear, width = 3}",
    ],
)
def test_initialisers(initialiser: str) -> None:
    assert not Statement(f".global .b64 x[] = {initialiser};").shape.errors


def test_function_heads() -> None:
    text = (
        ".visible .entry k(.param .u64 .ptr .global .align 16 p, .param .align 8 .b8 s[32])"
        ' .maxntid 128, 1 .noreturn .pragma "x"; .language 3, "cuda c++"'
    )
    statement = Statement(text)
    tree = statement.shape.tree
    assert isinstance(tree, FunctionHead)
    assert (tree.kind, statement.word(tree.name), tree.returns, tree.has_semicolon) == (".entry", "k", None, False)
    assert tree.parameters is not None
    pointer, structure = tree.parameters
    assert pointer.pointer is not None
    assert statement.word(pointer.pointer.space) == ".global"
    assert [statement.word(token) for token in structure.declarators[0].dimensions] == ["32"]
    assert [statement.word(one.word) for one in tree.tuning] == [".maxntid", ".noreturn", ".pragma", ".language"]
    assert isinstance(Statement(".extern .func (.param .b32 r) f (.param .b8 a[]);").shape.tree, FunctionHead)


def test_other_directives() -> None:
    prototype = Statement(".callprototype (.param .b32 _) _ (.param .b64 _) .noreturn;")
    assert isinstance(prototype.shape.tree, Prototype)
    location = Statement(".loc 1 2 3, function_name $L+4, inlined_at 1 5 6")
    tree = location.shape.tree
    assert isinstance(tree, Location)
    assert [location.word(token) for token in (*tree.place, tree.function, *tree.inlined_at)] == [*"123", "$L", *"156"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("L:", Kind.LABEL),
        (".version 8.5", Kind.HEADER),
        (".target sm_90, debug", Kind.HEADER),
        (".address_size 64", Kind.HEADER),
        ('.file 1 "a.cu", 3, 4', Kind.FILE),
        (".section .debug_str", Kind.SECTION),
        (".b32 .debug_info+4", Kind.DATA),
        (".b32 L-M", Kind.DATA),
        (".b32 1, -1", Kind.DATA),
        ('.pragma "a", "b";', Kind.PRAGMA),
        (".alias a, b;", Kind.ALIAS),
        (".branchtargets a, b<4>;", Kind.TARGETS),
        (".calltargets f;", Kind.TARGETS),
        ("@@DWARF .byte 0x2b", Kind.DIRECTIVE),
        (".reg .pred %p<4>;", Kind.REGISTERS),
        (".const[3] .b32 x;", Kind.VARIABLE),
        (".attribute(.managed) .global .b32 x;", Kind.VARIABLE),
        (".global .attribute(.unified(1, 2)) .b32 x;", Kind.VARIABLE),
        ("\\ mov.u32 %r1, 1;", Kind.INSTRUCTION),
        ("// nothing", Kind.EMPTY),
        ("", Kind.EMPTY),
    ],
)
def test_kinds(text: str, kind: Kind) -> None:
    statement = Statement(text)
    assert statement.kind is kind
    assert not statement.shape.errors
