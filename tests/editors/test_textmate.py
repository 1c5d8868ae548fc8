"""The TextMate grammar: every word of PTX has its scope, and kernels look as the server's semantic tokens make them."""

from __future__ import annotations

import bisect
import itertools
import json
import re
import time
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from benchmarks import kept
from benchmarks.mutations.bases import handwritten
from editors.generate.scopes import SCOPES
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.semantic_tokens.legend import TokenType
from ptx_lsp.features.semantic_tokens.tokens import document_tokens
from ptx_lsp.features.semantic_tokens.word_classes import qualifier
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.form import PlaceKind
from tests.editors.tmgrammar import Grammar

VSCODE = Path(__file__).parent.parent.parent / "editors" / "vscode"
RAW = json.loads((VSCODE / "syntaxes" / "ptx.tmLanguage.json").read_text("utf-8"))
GRAMMAR = Grammar(RAW)
WORDS = catalogue().vocabulary


def scope_of(word: str, text: str) -> str:
    """The innermost scope of ``word``, which has one in the line ``text``; nothing else has the same around it."""
    at = text.index(word)
    (line,) = GRAMMAR.lines(text)
    (piece,) = [piece for piece in line if piece.start <= at < piece.end]
    assert text[piece.start : piece.end].strip() == word, text
    return piece.scopes[-1] if piece.scopes else ""


def is_a(scope: str, kind: TokenType) -> bool:
    return f"{scope}.".startswith(SCOPES[kind].removesuffix("ptx"))


# -------------------------------------------------------------------- the vocabulary


def numbered(word: str) -> str:
    return word.replace("#", "16")


def plain(words: set[str]) -> list[str]:
    return sorted(word for word in words if word.replace(".", "").replace(":", "").isidentifier())


@cache
def qualifiers() -> list[str]:
    """Every word that a page has behind an opcode."""
    slots = (slot for page in catalogue().instructions for form in page.forms for slot in form.slots)
    return sorted({word for slot in slots if slot.kind is PlaceKind.QUALIFIER for word in slot.choices if word})


def test_names_of_instructions():
    firsts = {name.partition(".")[0] for name in WORDS.mnemonics}
    names = plain({*catalogue().names, *firsts})
    assert len(names) > 250
    assert [name for name in names if not is_a(scope_of(name, f"{name} %r1;"), TokenType.OPCODE)] == []


def test_names_of_the_manual_begin_with_an_instruction():
    for name in plain(set(WORDS.mnemonics)):
        (line,) = GRAMMAR.lines(f"{name} %r1;")
        assert is_a(line[0].scopes[-1], TokenType.OPCODE), name


def test_qualifiers_have_the_scopes_of_their_roles():
    assert len(qualifiers()) > 500
    # Behind 'abs', no word is part of a name.
    wrong = [word for word in qualifiers() if not is_a(scope_of(word, f"abs{word} %r1;"), qualifier(word))]
    assert wrong == []


def test_what_the_roles_list():
    for word in map(numbered, WORDS.qualifiers):
        if qualifier(word) is not TokenType.QUALIFIER:
            assert is_a(scope_of(word, f"abs{word} %r1;"), qualifier(word)), word


def test_types():
    for word in WORDS.types:
        assert is_a(scope_of(word, f"abs{word} %r1;"), TokenType.TYPE), word
        assert is_a(scope_of(word, f".global {word} x;"), TokenType.TYPE), word
        assert is_a(scope_of(word, f".entry f(.param {word} x)"), TokenType.TYPE), word


def test_spaces():
    for word in WORDS.spaces:
        assert is_a(scope_of(word, f"abs{word} %r1;"), TokenType.SPACE), word
        assert is_a(scope_of(word, f"{word} .b32 x;"), TokenType.SPACE), word


def test_directives():
    for word in WORDS.directives:
        found = scope_of(word if word.startswith(".") else "@@DWARF", f"{word} 1")
        assert is_a(found, TokenType.SPACE if word in WORDS.spaces else TokenType.DIRECTIVE), word


def test_special_registers():
    for register in WORDS.special_registers.values():
        assert is_a(scope_of(register.name, f"mov.u32 x, {register.name};"), TokenType.SPECIAL), register.name
        longer = f"{register.name}_mine"
        assert is_a(scope_of(longer, f"mov.u32 x, {longer};"), TokenType.REGISTER), longer
        if register.vector:
            assert is_a(scope_of(register.name, f"mov.u32 x, {register.name}.y;"), TokenType.SPECIAL)
            assert is_a(scope_of(".y", f"mov.u32 x, {register.name}.y;"), TokenType.PROPERTY)


def test_words_of_directives():
    for word in (*WORDS.targets, *WORDS.rare.target_options):
        assert is_a(scope_of(word, f".target {word}"), TokenType.CONSTANT), word
    for word in WORDS.rare.constants:
        assert is_a(scope_of(word, f"mov.u32 %r1, {word};"), TokenType.CONSTANT), word
    for word in WORDS.rare.opaque_fields:
        assert is_a(scope_of(word, f".global .texref t = {{ {word} = 1 }};"), TokenType.PROPERTY), word
    for word in plain(set(WORDS.rare.opaque_values)):
        assert is_a(scope_of(word, f".global .texref t = {{ x = {word} }};"), TokenType.CONSTANT), word


@pytest.mark.parametrize("word", ["ad", "addx", "add_", "cpasync", "fooo", "Add", "sm_9"])
def test_an_unknown_opcode_is_plain(word):
    assert scope_of(word, f"{word} %r1;") == ""


@pytest.mark.parametrize("word", [".frob", ".globa", ".globals", ".shared::ct", ".f3", ".f322", ".x::y", ".m16n8k"])
def test_an_unknown_qualifier_is_plain(word):
    assert scope_of(word, f"abs{word} %r1;") == ""


def test_a_name_is_no_opcode_where_none_can_stand():
    for text in ("call add, (%r1);", "mov.u64 %rd1, add;", "bra add;", "add: ret;", ".func add()", ".reg .b32 add;"):
        assert not is_a(scope_of("add", text), TokenType.OPCODE), text


# -------------------------------------------------------------------- suites

SUITES = sorted((VSCODE / "test" / "grammar").glob("*.ptx"))


@pytest.mark.parametrize("path", SUITES, ids=lambda path: path.stem)
def test_a_suite(path):
    """What ``npm run test:grammar`` asks of VS Code's own engine holds here too: our reading of grammars is right."""
    line = []
    sources = path.read_text().splitlines()[1:]
    kept_lines = [text for text in sources if not _assertion(text)]
    read = iter(GRAMMAR.lines("\n".join(kept_lines)))
    count = 0
    for text in sources:
        found = _assertion(text)
        if not found:
            line = next(read)
            continue
        start, end, scopes = found
        wanted, _, unwanted = scopes.partition(" - ")
        pieces = [piece for piece in line if piece.start < end and piece.end > start]
        assert pieces, text
        for piece in pieces:
            all_scopes = ["source.ptx", *piece.scopes]
            for scope in wanted.split():
                assert any(f"{one}.".startswith(f"{scope}.") for one in all_scopes), (text, all_scopes)
            for scope in unwanted.split():
                assert not any(f"{one}.".startswith(f"{scope}.") for one in all_scopes), (text, all_scopes)
        count += 1
    assert count > 5


def _assertion(text: str) -> tuple[int, int, str] | None:
    """The columns and scopes of an assertion."""
    found = re.fullmatch(r"//(?: <(?P<tildes>~*)(?P<dashes>-+)|(?P<blanks> *)(?P<carets>\^+)) (?P<scopes>\S.*)", text)
    if found is None:
        return None
    if found["dashes"]:
        start = len(found["tildes"])
        return start, start + len(found["dashes"]), found["scopes"]
    return found.start("carets"), found.end("carets"), found["scopes"]


def test_suites_cover_every_scope():
    """No scope that the grammar gives is without an assertion."""
    text = "\n".join(path.read_text() for path in SUITES)
    given = set(re.findall(r'"(?:name|contentName)": "([\w.-]+\.ptx)"', json.dumps(RAW["repository"])))
    assert len(given) > 40
    assert sorted(scope for scope in given if not re.search(rf" {re.escape(scope)}\b", text)) == []


# -------------------------------------------------------------------- against the server

UNKNOWN = "variable.other.ptx"
"""A name without ``%`` in operands: a register, a variable, a parameter or a function. Only its declaration tells."""

KNOWN_DIFFERENCES = {
    ("PREDICATE", "variable.other.register.ptx"): "a predicate register that is not called %p1",
    ("REGISTER", "variable.parameter.ptx"): "a register without '%' among the arguments of a call",
    ("REGISTER", "entity.name.function.ptx"): "a call by a register without '%'",
    ("FUNCTION", UNKNOWN): "a function whose address is taken",
}


def differences(text: str) -> tuple[int, Counter[tuple[str, str]]]:
    """How many semantic tokens look as the grammar says, and how many do not: by type and scope."""
    places, base = {}, 0
    for line, pieces in zip(text.split("\n"), GRAMMAR.lines(text), strict=True):
        for scope, group in itertools.groupby(pieces, lambda piece: piece.scopes[-1] if piece.scopes else ""):
            together = list(group)
            places[base + together[0].start] = (base + together[-1].end, scope)
        base += len(line) + 1
    starts = sorted(places)
    same, different = 0, Counter()
    for token in document_tokens(Checker(text).module):
        # Part of an opcode is a token of its own: the piece around it counts.
        end, scope = places[starts[bisect.bisect_right(starts, token.start) - 1]]
        wanted = SCOPES[token.type]
        if token.end <= end and (is_a(scope, token.type) or scope == UNKNOWN and wanted.startswith("variable.")):
            same += 1
        else:
            different[token.type.name, scope if token.end <= end else f"{scope} ends early"] += 1
    return same, different


def examples() -> dict[str, str]:
    folder = VSCODE.parent.parent / "examples"
    return {path.stem: path.read_text() for path in sorted(folder.glob("*.ptx"))}


def test_what_people_wrote_looks_as_the_server_paints_it():
    same, different = 0, Counter()
    for text in (*handwritten().values(), *examples().values()):
        one, other = differences(text)
        same, different = same + one, different + other
    assert set(different) <= set(KNOWN_DIFFERENCES), different
    assert different.total() < same / 100


@pytest.mark.parametrize("way", "plain lineinfo unoptimised debug llvm".split())
def test_what_compilers_write_looks_as_the_server_paints_it(way):
    names = [name for name in kept.names() if f".{way}." in name]
    texts = sorted((kept.read(name) for name in names), key=len)
    same, different = 0, Counter()
    for text in texts[len(texts) // 4 : len(texts) // 4 + 3]:
        one, other = differences(text)
        same, different = same + one, different + other
    assert same > 500
    # Tables of addresses: what is called later may be a variable here.
    assert set(different) <= {("FUNCTION", UNKNOWN)}
    assert different.total() < same / 100


# -------------------------------------------------------------------- bounds

LONG = {
    "numbers": ".global .b8 t[1] = {" + "1," * 10_000,
    "letters": "a" * 20_000,
    "blanks": "add" + " " * 20_000,
    "blanks and a name": "x " + " " * 20_000 + "x",
    "dots": "." * 20_000,
    "qualifiers": "ld" + ".a" * 10_000 + " x",
    "unknown qualifiers": "ld" + " .a" * 6_000 + " .param",
    "digits": "0x" + "1" * 20_000,
    "half comments": "/*" * 10_000,
    "empty comments": "/**/" * 5_000,
    "quotes": 'add "' + '""' * 10_000,
    "braces": "mov " + "{" * 5_000,
    "parentheses": "call " + "(" * 5_000,
    "guards": "@" * 20_000,
    "statements": "add;" * 5_000,
    "labels": "a: " * 6_000,
    "registers": "add " + "%r1, " * 4_000,
}


@pytest.mark.parametrize("line", LONG.values(), ids=list(LONG))
def test_a_long_line_takes_no_more_than_its_length(line):
    """VS Code gives a line up to 20,000 characters to the grammar. What takes them squared takes minutes."""
    before = time.process_time()
    list(GRAMMAR.lines(line))
    assert time.process_time() - before < 5
