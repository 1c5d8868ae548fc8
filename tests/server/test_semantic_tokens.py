"""Semantic tokens over the wire, and that what is kept between requests is what a fresh look would give."""

from __future__ import annotations

import random
from typing import Any

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.semantic_tokens.legend import TokenType
from ptx_lsp.features.semantic_tokens.tokens import document_tokens
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.client.legend import Legend, legend
from ptx_lsp.server.documents.lines import DocumentLines, Position
from ptx_lsp.server.documents.token_changes import TokenSnapshot, difference
from ptx_lsp.server.documents.tokens import DocumentTokens
from ptx_lsp.text import Span

from .conftest import URI, RawClient, insertion, kernel

STANDARD = (
    "namespace type class enum interface struct typeParameter parameter variable property enumMember event function "
    "method macro keyword modifier comment string number regexp operator decorator"
).split()
OWN = legend(None, {"ownTokenTypes": True})
TEXT = kernel(
    "// a comment",
    "mov.u32 %r1, %tid.x; add.s32 %r1, %r1, 12;",
    "$L1:",
    "@%p1 bra $L1;",
    "{ .reg .f32 x; mov.f32 x, 0f00000000; }",
    "/* two",
    "lines */ st.global.u32 [%rd1+4], %r1;",
)


class Shown:
    """An editor's copy of the tokens: numbers to which edits are applied."""

    def __init__(self, answer: TokenSnapshot) -> None:
        self.id = answer.id
        self.numbers = numbers(answer.data)

    def update(self, tokens: DocumentTokens) -> None:
        answer, changes = tokens.changes(self.id)
        assert changes is not None
        self.id = answer.id
        for start, deleted, data in reversed(changes):
            self.numbers[start : start + deleted] = numbers(data)


def numbers(data: str) -> list[int]:
    return [int(number) for number in data.split(",")] if data else []


def expected(checker: Checker, encoding: Encoding, names: Legend = OWN) -> list[int]:
    """The numbers of a document, made the plain way."""
    lines = DocumentLines(checker.document.chunks, encoding)
    found: list[int] = []
    line = column = 0
    for token in document_tokens(checker.module):
        start, end = lines.position(token.start), lines.position(token.end)
        assert start.line == end.line
        relative = start.character - column if start.line == line else start.character
        found += [start.line - line, relative, end.character - start.character]
        found += [names.types[token.type], int(token.modifiers)]
        line, column = start
    return found


FUNCTION = ".func f$(.param .b32 a$) { .reg .b32 r; ld.param.b32 r, [a$]; }\n"
PIECES = [
    "\n",
    "\r\n",
    "\r",
    " ",
    "x",
    "1",
    "%r1",
    ";",
    "{",
    "}",
    "/*",
    "*/",
    "// é\n",
    "/* 😀\nü */",
    "$L1:",
    '"',
    ".reg .f64 %r<9>;\n",
    "add.s32 %r1, %r2, %r3;\n",
    "ld.param.u64 %rd1, [p];",
    "bra $L1;",
    "ret;\n}\n",
    ".visible .entry k2(.param .u64 p)\n{\n",
    ".global .u32 p;\n",
    ".version 6.0\n",
    '# 3 "é.cu"\n',
    ".source_begin",
    ".source_end",
    "@@DWARF .byte 1",
]


@pytest.mark.parametrize("seed", range(9))
def test_after_any_edits_the_tokens_are_those_of_the_text(seed: int) -> None:
    chance, encoding = random.Random(seed), list(Encoding)[seed % 3]
    text = TEXT + "".join(FUNCTION.replace("$", str(number)) for number in range(9))
    if seed % 2:
        text = text.replace("\n", "\r\n")
    checker = Checker(text)
    tokens = DocumentTokens(checker.module, encoding, OWN)
    shown = Shown(tokens.full())
    for _ in range(40):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice([0, 0, 1, 3, 40]))
        piece = chance.choice(PIECES)
        text = text[:start] + piece + text[end:]
        checker.edit(Span(start, end), piece)
        shown.update(tokens)
        assert shown.numbers == expected(checker, encoding)
        check_range(checker, tokens, encoding, chance)
    assert shown.numbers == expected(Checker(text), encoding)


def test_a_return_before_a_newline_is_no_line_of_its_own() -> None:
    text = ".version 8.0\n@@DWARF .byte 1\r"
    checker = Checker(text)
    tokens = DocumentTokens(checker.module, Encoding.UTF_16, OWN)
    shown = Shown(tokens.full())
    checker.edit(Span(len(text), len(text)), "\n.target sm_80\n")
    shown.update(tokens)
    assert shown.numbers == expected(checker, Encoding.UTF_16)


def check_range(checker: Checker, tokens: DocumentTokens, encoding: Encoding, chance: random.Random) -> None:
    """The tokens of some lines are among all tokens, and none that touches these lines is missing."""
    lines = DocumentLines(checker.document.chunks, encoding)
    first = chance.randrange(lines.count)
    last = first + chance.randrange(6)
    every = absolute(expected(checker, encoding))
    some = absolute(numbers(tokens.between(Position(first, 0), Position(last, 999), lines)))
    assert not some or every[every.index(some[0]) :][: len(some)] == some
    assert {token for token in every if first <= token[0] <= last} <= set(some)


def absolute(data: list[int]) -> list[tuple[int, ...]]:
    """Tokens with their line and column instead of the steps between them."""
    found = []
    line = column = 0
    for at in range(0, len(data), 5):
        line, column = line + data[at], data[at + 1] + (0 if data[at] else column)
        found.append((line, column, *data[at + 2 : at + 5]))
    return found


def test_words_of_a_debug_line_have_their_classes_by_place() -> None:
    """Not by the word: all such lines have one shape, and a style is kept for a shape."""
    checker = Checker("@@DWARF .byte 1\n@@DWARF .4byte DWARF\n")
    tokens = DocumentTokens(checker.module, Encoding.UTF_16, OWN)
    tokens.full()
    checker.edit(Span(2, 7), "D")
    fresh = DocumentTokens(Checker(checker.document.text).module, Encoding.UTF_16, OWN)
    assert tokens.full().data == fresh.full().data


def test_a_keystroke_changes_few_numbers() -> None:
    text = TEXT * 40
    checker = Checker(text)
    tokens = DocumentTokens(checker.module, Encoding.UTF_16, OWN)
    shown = Shown(tokens.full())
    at = text.index("12;", len(text) // 2)
    checker.edit(Span(at, at), "3")
    _, changes = tokens.changes(shown.id)
    assert changes is not None
    assert [(deleted, len(numbers(data))) for _, deleted, data in changes] == [(1, 1)]


def test_an_edit_encodes_its_own_chunk_only(monkeypatch: pytest.MonkeyPatch) -> None:
    body = "add.s32 %r1, %r2, 1;\n" * 9000
    checker = Checker(f".version 8.0\n.target sm_90\n.func f() {{ .reg .b32 %r<9>; {body} }}\n")
    tokens = DocumentTokens(checker.module, Encoding.UTF_16, OWN)
    shown = Shown(tokens.full())
    runs = []
    run = DocumentTokens._run
    monkeypatch.setattr(DocumentTokens, "_run", lambda *arguments: runs.append(1) or run(*arguments))
    assert tokens.full().data.count(",") + 1 == len(shown.numbers)
    assert not runs, "nothing changed"
    at = checker.document.text.index("add", 100_000)
    checker.edit(Span(at, at), "x")
    tokens.full()
    assert 1 <= len(runs) <= 3
    checker.edit(Span(60, 60), " .reg .b64 %q<5>; ")
    tokens.full()
    assert 2 <= len(runs) <= 6, "a register that nobody names changes nothing elsewhere"


def test_a_declaration_changes_the_tokens_of_its_uses() -> None:
    checker = Checker(".version 8.0\n.target sm_90\n.func f() { .reg .b32 a;" + "mov.b32 a, b; " * 900 + "}\n")
    tokens = DocumentTokens(checker.module, Encoding.UTF_16, OWN)
    shown = Shown(tokens.full())
    for text in (".reg .b32 b; ", ".global .b32 b;\n"):
        at = checker.document.text.index(".func" if "global" in text else ".reg")
        checker.edit(Span(at, at), text)
        shown.update(tokens)
        assert shown.numbers == expected(checker, Encoding.UTF_16)
        assert sum(token[3] == OWN.types[TokenType.REGISTER] for token in absolute(shown.numbers)) >= 1800


def test_a_label_changes_the_tokens_of_its_uses_and_nothing_between() -> None:
    body = "add.s32 %r1, %r2, %r3; " * 2000
    checker = Checker(f".version 8.0\n.target sm_90\n.func f() {{ bra end; {body} end: {body} bra end; }}\n")
    tokens = DocumentTokens(checker.module, Encoding.UTF_16, OWN)
    shown = Shown(tokens.full())
    at = checker.document.text.index("end:")
    checker.edit(Span(at, at), "x")
    _, changes = tokens.changes(shown.id)
    assert changes is not None
    assert len(changes) == 3
    assert sum(len(numbers(data)) for _, _, data in changes) < 20


@pytest.mark.parametrize(
    ("before", "after", "edits"),
    [
        (["1,2,3,4,5"], ["1,2,3,4,5"], []),
        (["1,2,3,4,5"], [], [(0, 5, "")]),
        ([], ["1,2,3,4,5"], [(0, 0, "1,2,3,4,5")]),
        (["1,2,3,4,5", "6,7,8,9,0"], ["1,2,3,4,5", "6,7,1,9,0"], [(7, 1, "1")]),
        (["1,2,3,4,5", "", "6,7,8,9,0"], ["6,7,8,9,0"], [(0, 5, "")]),
        (["1,1,1,1,1"], ["1,1,1,1,1,1,1,1,1,1"], [(5, 0, "1,1,1,1,1")]),
        (["1,2,3,4,5", "", "1,2,3,4,5"], ["0,2,3,4,5", "", "1,2,3,4,6"], [(0, 1, "0"), (9, 1, "6")]),
        (["1,2,3,4,5", "", "1,2,3,4,5"], ["0,2,3,4,5", "9,9,9,9,9", ""], [(0, 1, "0"), (5, 5, "9,9,9,9,9")]),
        (
            ["1,2,3,4,5", "7,7,7,7,7"] * 30,
            ["1,2,3,4,6", "7,7,7,7,7"] * 30,
            [(10 * at, 5, "1,2,3,4,6") for at in range(30)],
        ),
        (["1,2,3,4,5"] * 30, ["1,2,3,4,6"] * 30, [(0, 150, ",".join(["1,2,3,4,6"] * 30))]),
    ],
)
def test_difference(before: list[str], after: list[str], edits: list[tuple[int, int, str]]) -> None:
    def answer(parts: list[str]) -> TokenSnapshot:
        return TokenSnapshot("1", parts, [len(numbers(part)) // 5 for part in parts])

    assert difference(answer(before), answer(after)) == edits


# -------------------------------------------------------------------- over the wire


def about(**more: object) -> dict[str, Any]:
    return {"textDocument": {"uri": URI}, **more}


def client(**tokens: object) -> dict[str, Any]:
    return {"capabilities": {"textDocument": {"semanticTokens": tokens}}}


def test_full_and_changes(raw: RawClient) -> None:
    announced = raw.initialize()["capabilities"]["semanticTokensProvider"]
    assert announced["full"] == {"delta": True}
    assert announced["range"] is True
    raw.open(TEXT)
    first = raw.ask("textDocument/semanticTokens/full", about())["result"]
    raw.change(2, insertion(6, 0, "\n"))
    params = about(previousResultId=first["resultId"])
    answer = raw.ask("textDocument/semanticTokens/full/delta", params)["result"]
    ((edit),) = answer["edits"]
    assert edit["deleteCount"] == len(edit["data"]) == 1
    again = raw.ask("textDocument/semanticTokens/full", about())["result"]
    data = first["data"]
    data[edit["start"] : edit["start"] + 1] = edit["data"]
    assert again["data"] == data
    old = raw.ask("textDocument/semanticTokens/full/delta", params)["result"]
    assert old["data"] == data, "an answer that is not the last one is not remembered"


def test_range(raw: RawClient) -> None:
    raw.initialize()
    raw.open(TEXT)
    every = absolute(raw.ask("textDocument/semanticTokens/full", about())["result"]["data"])
    lines = {"start": {"line": 7, "character": 0}, "end": {"line": 8, "character": 0}}
    some = absolute(raw.ask("textDocument/semanticTokens/range", about(range=lines))["result"]["data"])
    assert {token[0] for token in some} >= {7, 8}
    assert set(some) < set(every)
    far = {"start": {"line": 999, "character": 9}, "end": {"line": 9999, "character": 0}}
    assert "data" in raw.ask("textDocument/semanticTokens/range", about(range=far))["result"]


def test_a_document_that_is_not_open_and_an_empty_one(raw: RawClient) -> None:
    raw.initialize()
    nowhere = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    for method in ("full", "full/delta", "range"):
        params = about(previousResultId="7", range=nowhere)
        assert raw.ask(f"textDocument/semanticTokens/{method}", params)["result"] is None
    raw.open("")
    for method in ("full", "full/delta", "range"):
        params = about(previousResultId="7", range=nowhere)
        assert raw.ask(f"textDocument/semanticTokens/{method}", params)["result"]["data"] == []


@pytest.mark.parametrize(
    ("parameters", "names"),
    [
        ({"capabilities": {}}, {"keyword", "variable", "macro"}),
        (client(tokenTypes=STANDARD), {"keyword", "variable", "macro", "enumMember"}),
        (client(tokenTypes=[*STANDARD, "label", "predicate"]), {"label", "predicate", "keyword"}),
        ({"capabilities": {}, "initializationOptions": {"ownTokenTypes": True}}, {kind.label for kind in TokenType}),
        (client(tokenTypes="nonsense"), {"keyword"}),
    ],
)
def test_the_legend_has_the_names_that_the_client_knows(
    raw: RawClient, parameters: dict[str, Any], names: set[str]
) -> None:
    announced = raw.initialize(**parameters)["capabilities"]["semanticTokensProvider"]["legend"]
    known = set(announced["tokenTypes"])
    assert names <= known
    assert "opcode" in known or known <= {*STANDARD, "label", "predicate"}
    raw.open(TEXT)
    data = raw.ask("textDocument/semanticTokens/full", about())["result"]["data"]
    types = {announced["tokenTypes"][number] for number in data[3::5]}
    assert "comment" in types
    assert "variable" in types or "register" in types


@pytest.mark.parametrize(("encoding", "columns"), [("utf-8", [0, 8]), ("utf-16", [0, 6]), ("utf-32", [0, 5])])
def test_columns_are_in_the_client_s_units(raw: RawClient, encoding: str, columns: list[int]) -> None:
    raw.initialize(capabilities={"general": {"positionEncodings": [encoding]}})
    raw.open("/*😀*/.version 8.0\n")
    data = absolute(raw.ask("textDocument/semanticTokens/full", about())["result"]["data"])
    assert [token[1] for token in data[:2]] == columns
    assert data[0][2] == columns[1]
