"""Derived facts of a module: kept as long as they hold, forgotten by edits, freed with the module."""

from __future__ import annotations

import gc
from weakref import ref

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.document import Document
from ptx_lsp.text import Span

TEXT = """
.version 8.0
.target sm_90a
.global .b32 counter;
.func helper() { .reg .b32 %r<4>; add.s32 %r1, %r2, %r3; ret; }
.entry kernel()
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    .reg .f32 %f<4>;
    .reg .pred %p;
    ld.global.b32 %r1, [counter];
    elect.sync _|%p, 0xffffffff;
    mov.b64 %rd1, 0x4000004000010000;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd1, 1, 1, 1, 0, 0;
    call.uni helper, ();
    ret;
}
"""


def semantics_of(text: str) -> Semantics:
    return Semantics(Module(Document(text)))


def named(semantics: Semantics, name: str) -> Function:
    return next(one for one in semantics.module.functions if one.symbol is not None and one.symbol.name == name)


def replaced(semantics: Semantics, old: str, new: str) -> None:
    """Edit the text: the first ``old`` becomes ``new``."""
    document = semantics.module.document
    start = document.text.index(old)
    run_to_completion(semantics.updating(document.edit(Span(start, start + len(old)), new)))


def flagged(semantics: Semantics, name: str) -> list[str]:
    """The flagged statements of a function."""
    function = named(semantics, name)
    return [
        chunk.statement(index).text.strip() for chunk in function.chunks for index in semantics.flagged(function, chunk)
    ]


def test_a_flow_is_kept_while_another_function_is_edited() -> None:
    semantics = semantics_of(TEXT)
    flow = semantics.flow(named(semantics, "kernel"))
    replaced(semantics, "add.s32", "sub.s32")
    assert semantics.flow(named(semantics, "kernel")) is flow


def test_a_flow_is_forgotten_when_its_function_is_edited() -> None:
    semantics = semantics_of(TEXT)
    function = named(semantics, "helper")
    semantics.flow(function).graph.nodes.clear()
    replaced(semantics, "add.s32", "sub.s32")
    assert not semantics.has_flow(named(semantics, "helper"))
    assert semantics.flow(named(semantics, "helper")).graph.nodes


def test_flows_and_packed_values_are_forgotten_when_the_module_declares_something_else() -> None:
    for old, new in (("counter;", "counts;"), ("sm_90a", "sm_80"), ("8.0", "8.1")):
        semantics = semantics_of(TEXT)
        kernel = named(semantics, "kernel")
        flow, packed = semantics.flow(kernel), semantics.packed(kernel)
        replaced(semantics, old, new)
        assert semantics.flow(kernel) is not flow
        assert semantics.packed(kernel) is not packed


def test_packed_values_that_others_may_give_are_forgotten_at_each_edit() -> None:
    semantics = semantics_of(TEXT)
    kernel = named(semantics, "kernel")
    packed = semantics.packed(kernel)
    replaced(semantics, "add.s32", "sub.s32")
    assert semantics.packed(kernel) is not packed
    alone = semantics_of(TEXT.replace("    call.uni helper, ();\n", ""))
    packed = alone.packed(named(alone, "kernel"))
    replaced(alone, "add.s32", "sub.s32")
    assert alone.packed(named(alone, "kernel")) is packed


def test_statements_that_name_a_changed_variable_are_flagged_again() -> None:
    semantics = semantics_of(TEXT)
    assert flagged(semantics, "kernel") == []
    replaced(semantics, "counter;", "counts;")
    assert flagged(semantics, "kernel") == ["ld.global.b32 %r1, [counter];"]
    replaced(semantics, "counts;", "counter;")
    assert flagged(semantics, "kernel") == []


def test_effects_follow_the_target() -> None:
    semantics = semantics_of(TEXT)
    kernel = named(semantics, "kernel")
    chunk = kernel.first
    index = next(at for at in range(len(chunk)) if "wgmma" in chunk.part(at))
    assert semantics.effects.of(chunk, index).writes
    replaced(semantics, "sm_90a", "sm_80")
    assert not semantics.effects.of(chunk, index).writes


def test_another_header_leaves_the_module_as_it_is() -> None:
    semantics = semantics_of(TEXT)
    other = semantics.under(Version.parse("7.0"), Target.parse("sm_70"))
    assert [one.partition(" ")[0].partition(".")[0] for one in flagged(other, "kernel")] == ["elect", "wgmma"]
    assert flagged(semantics, "kernel") == []
    assert (str(semantics.module.target), str(other.module.target)) == ("sm_90a", "sm_70")


def test_all_of_it_is_freed_without_a_collection() -> None:
    """But for packed values, which refer to each other."""
    checker = Checker("\n".join(line for line in TEXT.split("\n") if "wgmma" not in line))
    assert checker.diagnostics()
    semantics = checker.semantics
    for function in semantics.module.functions:
        flow = semantics.flow(function)
        made = [flow.kernel.is_known, flow.unwritten.always, flow.addresses, flow.lanes]
        assert None not in made
    held = [ref(semantics), ref(semantics.module), ref(semantics.effects)]
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        del checker, semantics, function, flow, made
        assert [one() for one in held] == [None, None, None]
    finally:
        if was_enabled:
            gc.enable()
