"""Counting what is done to a name."""

from __future__ import annotations

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.references.tally import Tally, lines, tally
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.syntax.document import Document

HEAD = ".version 8.0\n.target sm_80\n.entry k() {\n.reg .b32 %r<9>; .reg .pred %p;\n"


def counted(body: str, name: str, **more: int) -> tuple[Module, Tally]:
    module = Module(Document(f"{HEAD}{body}\nret;\n}}\n"))
    symbol = module.functions[-1].scope.lookup(name)
    assert symbol is not None
    return module, tally(Semantics(module), symbol, name, **more)


def test_writes_and_reads_apart() -> None:
    module, found = counted("mov.b32 %r1, 1;\nadd.s32 %r2, %r1, %r1;\n@%p mov.b32 %r1, 2;", "%r1")
    assert lines(module, found.writes) == [5, 7]
    assert lines(module, found.reads) == [6, 6]
    assert (found.count, found.is_complete) == (4, True)


def test_one_register_of_a_group_is_not_another() -> None:
    _, found = counted("mov.b32 %r1, 1;\nmov.b32 %r2, %r3;", "%r1")
    assert found.count == 1


def test_labels_are_mentioned() -> None:
    module, found = counted("L: bra L;\n@%p bra L;", "L")
    assert lines(module, found.mentions) == [5, 6]
    assert found.reads == found.writes == []


def test_the_first_of_very_many() -> None:
    module, found = counted("mov.b32 %r1, 1;\n" * 30, "%r1", most=10)
    assert (found.count, found.is_complete) == (10, False)
    assert lines(module, found.writes, 3) == [5, 6, 7]
