"""Call hierarchy: files with a cursor ``<|>``, and the functions at the other ends of the calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from ptx_lsp.analysis.module.interface import interface
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.module.program import Program
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.features.call_hierarchy import Calls, declared, incoming, outgoing, prepare
from ptx_lsp.syntax.document import Document
from ptx_lsp.text import Span

from .cursor import CURSOR

BROKEN = sorted((Path(__file__).parent.parent / "diagnostics").glob("*.ptx"))


class Files:
    """Texts by name; the first one has the cursor."""

    def __init__(self, *texts: str) -> None:
        self.offset = texts[0].index(CURSOR)
        self.texts = {name: text.replace(CURSOR, "") for name, text in zip("abcdef", texts, strict=False)}
        self.modules = {name: Module(Document(text)) for name, text in self.texts.items()}
        self.program: Program[Span] = Program()
        for name, module in self.modules.items():
            self.program.put(name, interface(module, lambda span: span))

    def names(self) -> list[str]:
        return prepare(Semantics(self.modules["a"]), self.offset)

    def told(self, calls: list[Calls[Span]], at: str | None = None) -> list[str]:
        """Each as ``file function × number of calls``; the places are those of names in the calling file."""
        for call in calls:
            text = self.texts[at or call.function.file]
            assert all(text[place.start : place.end].strip() for place in call.places)
            assert len(set(call.places)) == len(call.places)
        return [f"{one.function.file} {one.function.entry.name} × {len(one.places)}" for one in calls]


def check_incoming(*texts: str, callers: str) -> None:
    files = Files(*texts)
    (name,) = files.names()
    found = files.told(incoming(files.program, "a", name))
    assert "; ".join(found) == callers


def check_outgoing(*texts: str, callees: str) -> None:
    files = Files(*texts)
    (name,) = files.names()
    found = files.told(outgoing(files.program, "a", name), "a")
    assert "; ".join(found) == callees


def test_who_calls_a_function() -> None:
    check_incoming(
        ".func f<|>() { ret; } .func g() { call f; call f; ret; } .entry k() { call g; call.uni f; ret; }",
        callers="a g × 2; a k × 1",
    )


def test_from_a_call() -> None:
    check_incoming(".func f() { ret; } .entry k() { call <|>f; ret; }", callers="a k × 1")


def test_whom_a_function_calls() -> None:
    check_outgoing(
        ".func f() { ret; } .func g() { ret; } .entry k<|>() { call g; @p call f; call g; ret; }",
        callees="a g × 2; a f × 1",
    )


def test_kernels_are_roots() -> None:
    check_incoming(".entry k<|>() { ret; }", callers="")


def test_a_function_that_calls_itself() -> None:
    text = ".func f<|>() { call f; ret; }"
    check_incoming(text, callers="a f × 1")
    check_outgoing(text, callees="a f × 1")


def test_a_function_declared_before_its_body() -> None:
    text = ".func f(); .entry k() { call f<|>; ret; } .func f() { call f; ret; }"
    check_incoming(text, callers="a k × 1; a f × 1")
    files = Files(text)
    found = declared(files.program, "a", "f")
    assert found is not None
    assert files.texts["a"][slice(*found.entry.extent)].endswith("ret; }"), "the body is shown"


def test_arguments_and_results_are_no_calls() -> None:
    check_outgoing(
        ".func (.reg .b32 r) f(.reg .b32 a) { ret; } .entry k<|>() { .reg .b32 x; call (x), f, (x); ret; }",
        callees="a f × 1",
    )


def test_calls_through_a_list_of_targets() -> None:
    text = (
        ".func f() { ret; } .func g() { ret; } .entry k<|>() { .reg .u64 %r; mov.u64 %r, f; "
        "T: .calltargets f, g; call %r, (), T; call f; ret; }"
    )
    check_outgoing(text, callees="a f × 2; a g × 1")
    check_incoming(text.replace("<|>", "").replace(".func g", ".func <|>g"), callers="a k × 1")


def test_calls_through_a_table_in_memory() -> None:
    check_outgoing(
        ".func f() { ret; } .func g() { ret; } .global .u64 table[2] = {f, g}; "
        ".entry k<|>() { .reg .u64 %r; ld.global.u64 %r, [table]; call %r, (), table; ret; }",
        callees="a f × 1; a g × 1",
    )


def test_a_list_stands_for_all_its_targets() -> None:
    files = Files(
        ".func f() { ret; } .func g() { ret; } .entry k() { .reg .u64 %r; "
        "<|>T: .calltargets f, g; call %r, (), T; ret; }"
    )
    assert files.names() == ["f", "g"]


def test_a_prototype_says_nothing_of_whom() -> None:
    check_outgoing(
        ".func f() { ret; } .entry k<|>() { .reg .u64 %r; P: .callprototype _ (); call %r, (), P; ret; }", callees=""
    )


def test_taking_an_address_is_no_call() -> None:
    check_incoming(".func f<|>() { ret; } .entry k() { .reg .u64 %r; mov.u64 %r, f; ret; }", callers="")


LIBRARY = ".visible .func f() { ret; }"
CALLER = ".extern .func f(); .entry k() { call f; ret; }"


def test_callers_in_other_files() -> None:
    check_incoming(".visible .func f<|>() { ret; }", CALLER, CALLER, callers="b k × 1; c k × 1")


def test_callees_in_other_files() -> None:
    check_outgoing(".extern .func f(); .entry k<|>() { call f; ret; }", LIBRARY, callees="b f × 1")


def test_what_nobody_defines_is_shown_where_it_is_declared() -> None:
    check_outgoing(".extern .func f(); .entry k<|>() { call f; ret; }", callees="a f × 1")


def test_names_without_linkage_stay_apart() -> None:
    check_incoming(".func f<|>() { ret; }", CALLER, callers="")
    check_incoming(".func f<|>() { ret; }", ".func f() { ret; } .entry k() { call f; ret; }", callers="")


def test_two_programs_with_equal_names_stay_apart() -> None:
    other = LIBRARY + " .entry k() { call f; ret; }"
    check_incoming(".visible .func f<|>() { ret; }", other, callers="")


def test_weak_functions_are_one() -> None:
    weak = ".weak .func f() { ret; } .entry k() { call f; ret; }"
    check_incoming(".weak .func f<|>() { ret; }", weak, callers="b k × 1")


def test_what_is_no_function() -> None:
    for text in (
        ".global .b32 v<|>;",
        ".entry k() { .reg .b32 <|>x; ret; }",
        ".entry k() { L<|>: ret; }",
        "// f<|>",
        ".entry k() { call un<|>known; ret; }",
        "<|>",
        ".entry k() { mov<|>.u32 x, %tid.x; ret; }",
    ):
        assert Files(text).names() == []


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_no_text_is_too_broken(path: Path) -> None:
    text = path.read_text("utf-8")
    module = Module(Document(text))
    semantics = Semantics(module)
    program: Program[Span] = Program()
    program.put("a", interface(module, lambda span: span))
    for offset in range(0, len(text) + 1, 7):
        for name in prepare(semantics, offset):
            assert declared(program, "a", name) is not None
            incoming(program, "a", name)
            outgoing(program, "a", name)
