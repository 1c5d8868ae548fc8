"""Shapes: sound, and few."""

from __future__ import annotations

import random

import pytest

from ptx_lsp.syntax import shape
from ptx_lsp.syntax.abridged import abridged
from ptx_lsp.syntax.exact_keys import exact_key
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.parse_statement import _TREES, is_unreadable, known_statement, parse_statement, parsing_statement
from ptx_lsp.syntax.shape import SHAPES, shape_ids, shape_of
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.terminals import terminals
from ptx_lsp.syntax.tokens import readable, tokenize, words_and_kinds

_SAMPLES = [
    "add.s32 %r1, %r2, %r3;",
    "@!%p1 bra $L__BB0_1;",
    "ld.global.v2.f32 {%f1, %f2}, [%rd1+16];",
    "mov.f32 %f1, 0f3F800000;",
    "mov.f64 %fd1, 0d3FF0000000000000;",
    "mov.u32 %r1, table+4;",
    "setp.eq.and.s32 %p1|%p2, %r1, 017, !%p3;",
    "call (retval0), vprintf, (param0, param1);",
    "mov.u32 %r1, WARP_SZ;",
    ".reg .b32 %r<20>;",
    ".global .align 4 .b8 t[6] = {1, 2, 3, 4, 5, 6};",
    ".loc 1 2 3, function_name $L__info, inlined_at 1 5 9",
    ".b8 1, 2, 3",
    "vadd.u32.s32.u32 %r1, %r2.b0, -%r3.h1;",
    "mov.b64 %rd1, {%r1, _};",
    "add.s32 r1, tmp, -1; // hand-written",
    "tex.2d.v4.f32.f32 {a, b, c, d}, [t, {x, y}];",
    "$label:",
    "mov.u32 %r1, (1 << 4) ? 2 : 3U;",
]
_WORDS = [
    "%r1",
    "%rd22",
    "%tmp3",
    "%r",
    "%x1y",
    "$L",
    "$",
    "_",
    "a",
    "_a",
    "0",
    "7",
    "08",
    "1.5",
    "1e5",
    "0x1F",
    "12ab",
]
_WORDS += ["0f3F800000", "0f3F", "WARP_SZ", ".x", ".5", "-", "+", ", ", "[", "]", "{", "}", "e+5", "/* c */", "// c\n"]
_WORDS += ["12ab"]
_WORDS += ["function_name", "%", "%%r1", "1%2", "a$b", "call", " ", ";", "5U", "5u", "4.b32", "\t", "%envreg3", ".b32"]


def _mutated(chance: random.Random) -> str:
    text = chance.choice(_SAMPLES)
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(text) + 1)
        text = text[:at] + chance.choice(_WORDS) + text[at + chance.choice([0, 0, 1, 2, 5]) :]
    return text


def test_statements_of_a_shape_have_equal_tokens() -> None:
    """The rough keys join only what the exact keys join; so one tree serves all statements of a shape."""
    chance = random.Random(7)
    texts = list({_mutated(chance) for _ in range(30_000)})
    chance.shuffle(texts)
    representatives: dict[int, str] = {}
    for text, number in zip(texts, shape_ids(texts), strict=True):
        if SHAPES[number].kind is Kind.BAD:
            continue
        key = exact_key(text, tokenize(text))
        assert representatives.setdefault(number, key) == key, text


def test_bad_statements_are_bad_by_themselves() -> None:
    """The kind of a statement does not depend on the statements seen before it."""
    chance = random.Random(11)
    for _ in range(2000):
        text = _mutated(chance)
        shape = shape_of(text)
        own = exact_key(text, tokenize(text))
        assert shape_of(text + " ").kind is shape.kind or own == "", text


def _own_kind(text: str) -> Kind:
    """The kind of a statement, parsed without any memory of others."""
    readable_text, is_whole = readable(text)
    read = abridged(readable_text)
    return Kind.BAD if not is_whole or is_unreadable(read.tokens.kinds) else parse_statement(read.text, read).kind


def test_the_kind_is_that_of_the_statement_parsed_alone() -> None:
    """Whatever was seen before: a misspelt `@@DWRF` is wrong, and does not make `@@DWARF` wrong."""
    chance = random.Random(13)
    texts = [_mutated(chance) for _ in range(10_000)]
    texts += [
        "@@DWRF .byte 1",
        "@@DWARF .byte 1",
        "@@dwarf .byte 1",
        "@@ DWARF .byte 7",
        "DWARF .byte 1",
        "@DWARF ret;",
    ]
    for text in texts:
        assert shape_of(text).kind is _own_kind(text), text


def test_names_keep_the_prefix_of_numbered_registers() -> None:
    shape = shape_of("@%p1 ld.global.f32 %f12, [%rd4+8];")
    assert [prefix for _, prefix in shape.names] == ["%p", "%f", "%rd"]
    assert shape is shape_of("@%p7 ld.global.f32 %f1, [%rd99+16];")
    assert shape is not shape_of("@%p7 ld.global.f32 %r1, [%rd99+16];")


def test_other_names_are_abstracted() -> None:
    shape = shape_of("add.s32 total, tmp, 1;")
    assert [prefix for _, prefix in shape.names] == ["", ""]
    assert shape is shape_of("add.s32 x, y, 2;")
    statement = Statement("add.s32 total, tmp, 1;")
    assert [statement.word(token) for token, _ in statement.shape.names] == ["total", "tmp"]
    assert [statement.word(token) for token in statement.shape.constants] == ["1"]


def test_the_sink_is_no_name() -> None:
    assert shape_of("mov.b64 {%r1, _}, %rd1;") is not shape_of("mov.b64 {%r1, x}, %rd1;")


@pytest.mark.parametrize(
    "text",
    ["own{}:", "@%p1 bra own{};", "@!%p2 bra.uni own{};", "call (own{}), own{}, (own{});", ".alias own{}, other{};"],
)
def test_tokens_of_statements_with_other_names_are_looked_at_once(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    exact = shape._exact
    monkeypatch.setattr(shape, "_exact", lambda one: asked.append(one) or exact(one))
    found = shape_ids([text.replace("{}", f"{letter}x") for letter in "abcdefgh"])
    assert len(set(found)) == 1
    assert len(asked) <= 1


def parsed(monkeypatch: pytest.MonkeyPatch, texts: list[str]) -> int:
    """How many of some statements are parsed for their shapes."""
    done = []
    monkeypatch.setattr(shape, "parsing_statement", lambda *given: done.append(given) or parsing_statement(*given))
    shape_ids(texts)
    return len(done)


@pytest.mark.parametrize(
    "text", ["misspelt{};", ".global .misspelt{} v;", "@p misspelt{}.b{} a, 1;", ".section .debug_{}"]
)
def test_statements_that_differ_in_an_opcode_or_a_type_share_a_tree(monkeypatch: pytest.MonkeyPatch, text: str):
    assert parsed(monkeypatch, [text.replace("{}", "abcdefghij"[n % 10] * (n // 10 + 1)) for n in range(50)]) <= 1


@pytest.mark.parametrize(
    "text",
    [
        "add.sat.s32 %r1, %r2, 7;",
        "@!%p1 misspelt.of.any %f1, 1.5, [%rd1+4], {a, _}, 0f3F800000;",
        "ld.global.b32 %r1, [a].unified;",
        ".global .align 4 .v2 .misspelt v[4], w<3>;",
        ".reg .misspelt %r<9>;",
        ".shared .b32 a = {1, b, 2};",
        ".section .debug_misspelt",
        ".b32 .debug_misspelt+4",
        ".loc 1 2 3, function_name misspelt+4, inlined_at 1 4 5",
        '.file 1 "misspelt", 2, 3',
        ".branchtargets misspelt, b, c;",
    ],
)
def test_a_tree_that_is_shared_is_the_one_that_parsing_gives(text: str):
    words, kinds = words_and_kinds(text, tokenize(text))
    read = abridged(text)
    _TREES.clear()
    alone = parse_statement(text, read)
    _TREES.clear()
    other = text.replace("misspelt", "other").replace(".b32", ".u8")
    parse_statement(other, abridged(other))
    assert parse_statement(text, read) == alone
    assert known_statement(words, kinds, terminals(words, kinds)) == alone


def test_call_is_a_label_where_a_colon_follows() -> None:
    for text in ("call:", "other:", "call /* a */ :"):
        assert Statement(text).shape.kind is Kind.LABEL
    assert Statement("call other;").shape.kind is Kind.INSTRUCTION
