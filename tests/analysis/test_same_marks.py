"""A function that is not scanned again after an edit has the record that a scan makes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from ptx_lsp.analysis.module import same_marks
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.module.scanner import scanning
from ptx_lsp.analysis.symbols.symbols import Scope, Symbol
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.document import Document
from ptx_lsp.text import Span

LINES = "".join(f"    add.s32 %r1, %r1, {number};\n" for number in range(40))
BLOCK = """    {{
    .reg .b32 inner{one};
    mov.b32 inner{one}, %r1;
    .loc 1 {one} 5
AGAIN{one}:
    .reg .b32 late{one}, %other<3>;
    setp.lt.s32 %p1, inner{one}, 4;
    @%p1 bra AGAIN{one};
    }}
"""
KERNEL = """.visible .entry kernel{one}(.param .u64 out{one}, .param .u32 n)
{{
    .reg .pred %p<4>;
    .reg .b32 %r<8>;
    .shared .align 4 .b8 tile{one}[128];
{body}    bra END;
%r3:
END:
    ret;
}}
.global .u32 after{one}[4];
.shared .b32 counter{one};
"""
TEXT = '.version 8.0\n.target sm_90\n.address_size 64\n.file 1 "a.cu"\n.func outer();\n' + "".join(
    KERNEL.format(one=one, body="".join(LINES + BLOCK.format(one=10 * one + at) for at in range(4))) for one in range(3)
)
PIECES = (
    *"1,;{} \n%:x",
    "\n",
    "    mov.b32 %r2, 7;\n",
    ".reg .b32 more;\n",
    "{\n}\n",
    "HERE:\n",
    ".loc 1 7 1\n",
    "/*",
    "*/",
)


def as_scanned(module: Module, function: Function) -> Function:
    """The record that a scan makes of the same chunks."""
    is_body = module.document.chunks[0] is function.first and function.symbol is None and function.has_body
    return run_to_completion(scanning(function.chunks, module.summaries, module.globals, is_body=is_body))


def described(symbol: Symbol | None) -> tuple[object, ...]:
    return () if symbol is None else (*symbol,)


def scopes(scope: Scope) -> list[object]:
    """The contents of a scope and those around it, in the order of the declarations."""
    return [
        [list(map(described, table.values())) for table in (one.names, one.groups)] + [sorted(one.numbered)]
        for one in scope.chain()
        if one.parent is not None
    ]


def contents(function: Function) -> dict[str, Any]:
    """All that a record says, as values that can be compared."""
    plain = ("aliases", "faults", "files", "half_declared", "has_body", "has_broken_file", "has_unbalanced_braces")
    return {
        **{name: getattr(function, name) for name in (*plain, "headers", "section_labels", "sections", "sources")},
        "first": function.first,
        "symbol": described(function.symbol),
        "globals": list(map(described, function.globals)),
        "scope": scopes(function.scope),
        "segments": {
            chunk: [(one.start, one.end, scopes(one.scope), one.inside) for one in own]
            for chunk, own in function.segments.items()
        },
        "late": [
            (scopes(scope), [(name, described(symbol)) for name, symbol in late.items()])
            for scope, late in function.late.items()
        ],
    }


@pytest.mark.parametrize("seed", range(12))
def test_a_record_with_the_same_marks_is_that_of_a_scan(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Function] = []
    count = 0
    original = same_marks.with_same_marks

    def noted(*arguments: Any) -> Function | None:
        found = original(*arguments)
        if found is not None:
            made.append(found)
        return found

    monkeypatch.setattr(same_marks, "with_same_marks", noted)
    rng = random.Random(seed)
    document = Document(TEXT)
    module = Module(document)
    for _ in range(25):
        text = document.text
        place = rng.randrange(len(text))
        length = rng.choice((0, 0, 1, 3))
        edits = [(Span(place, place + length), rng.choice(PIECES))]
        edits.append((Span(place, place + len(edits[0][1])), text[place : place + length]))  # and back
        for span, new in edits[: rng.choice((1, 2, 2, 2))]:
            made.clear()
            run_to_completion(module.updating(document.edit(span, new)))
            count += len(made)
            for function in made:
                assert contents(function) == contents(as_scanned(module, function)), (seed, span, new)
        if len(text) - len(document.text) > 500 or document.text.count("/*") > document.text.count("*/"):
            document = Document(TEXT)
            module = Module(document)
    assert count > 10


def scanned_for(text: str, place: int, new: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """The number of chunks that an edit lets be scanned again."""
    from ptx_lsp.analysis.module import module as modules

    count = 0

    def counted(chunks: Any, *arguments: Any, **named: Any) -> Iterator[None]:
        nonlocal count
        count += len(chunks)
        return scanning(chunks, *arguments, **named)

    document = Document(text)
    module = Module(document)
    run_to_completion(module.updating(document.edit(Span(place, place), " ")))  # the first edit divides its chunk
    monkeypatch.setattr(modules, "scanning", counted)
    run_to_completion(module.updating(document.edit(Span(place, place), new)))
    return count


@pytest.mark.parametrize("new", ["1", " ", "\n", "mov.b32 %r1, 2;"])
@pytest.mark.parametrize("where", ["mov.b32 inner11", "setp.lt.s32 %p1, inner12", "bra END"])
def test_instructions_between_braces_and_declarations_are_edited_without_a_scan(
    where: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert scanned_for(TEXT, TEXT.index(where), new, monkeypatch) == 0
