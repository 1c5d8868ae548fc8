"""Addresses followed back to variables: ``//? %rd1 = .shared tile+4`` asks about the instruction after it.

The kind of an address is the space that it counts from (``generic`` if none), the place a variable of shared memory
and an offset; ``-`` stands for an unknown kind or place, ``tile+?`` for somewhere in a variable.
"""

from __future__ import annotations

import re

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.tree import OperandKind

_ASKED = re.compile(r"//\? (\S+) = (\S+) (\S+)")


def kind_of(flow: Flow, step: Step, register: str) -> str:
    address = flow.addresses.held(step, register)
    return "-" if address is None else address.space or "generic"


def place_of(flow: Flow, step: Step) -> str:
    tree = flow.kernel.context(step).instruction
    assert tree is not None
    operand = next(one for one in tree.operands if one.kind is OperandKind.ADDRESS)
    place = flow.kernel.places.of(step, operand)
    return "-" if place is None else f"{place.variable.name}+{'?' if place.offset is None else place.offset}"


def check_addresses(body: str) -> None:
    """Check what each ``//?`` line says of the address of the load that follows it."""
    registers = ".reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<16>;"
    variables = ".shared .b8 tile[64], other[64];"
    text = f".version 8.0\n.target sm_90\n.address_size 64\n{variables}\n.entry k() {{ {registers}\n{body}\nret;\n}}\n"
    module = Module(Document(text))
    flow = Semantics(module).flow(module.functions[-1])
    found = [
        f"{register} = {kind_of(flow, step, register)} {place_of(flow, step)}"
        for step in flow.steps.all(frozenset({"ld"}))
        for register, *_ in _ASKED.findall(step.chunk.part(step.statement))
    ]
    assert found == [f"{register} = {kind} {place}" for register, kind, place in _ASKED.findall(body)]


def test_copies_and_sums() -> None:
    check_addresses("""
        mov.u64 %rd1, tile;
        add.s64 %rd2, %rd1, 12;
        sub.s64 %rd3, %rd2, 4;
        //? %rd3 = .shared tile+8
        ld.shared.b32 %r1, [%rd3];
        //? %rd3 = .shared tile+10
        ld.shared.b32 %r1, [%rd3+2];
        mov.b64 %rd4, 16;
        add.s64 %rd5, %rd4, %rd1;
        //? %rd5 = .shared tile+16
        ld.shared.b32 %r1, [%rd5];
    """)


def test_conversions_change_the_kind() -> None:
    check_addresses("""
        mov.u64 %rd1, tile;
        cvta.shared.u64 %rd2, %rd1;
        //? %rd2 = generic tile+0
        ld.b32 %r1, [%rd2];
        cvta.to.shared.u64 %rd3, %rd2;
        //? %rd3 = .shared tile+0
        ld.shared.b32 %r1, [%rd3];
    """)


def test_a_choice_has_what_both_sides_have() -> None:
    check_addresses("""
        setp.eq.u64 %p1, %rd9, 0;
        mov.u64 %rd1, tile;
        add.s64 %rd2, %rd1, 4;
        selp.b64 %rd3, %rd1, %rd2, %p1;
        //? %rd3 = .shared tile+?
        ld.shared.b32 %r1, [%rd3];
        mov.u64 %rd4, other;
        selp.b64 %rd5, %rd1, %rd4, %p1;
        //? %rd5 = .shared -
        ld.shared.b32 %r1, [%rd5];
        selp.b64 %rd6, %rd1, %rd9, %p1;
        //? %rd6 = - -
        ld.shared.b32 %r1, [%rd6];
    """)


def test_the_difference_of_two_addresses_is_none() -> None:
    check_addresses("""
        mov.u64 %rd1, tile;
        mov.u64 %rd2, other;
        sub.s64 %rd3, %rd2, %rd1;
        //? %rd3 = - -
        ld.shared.b32 %r1, [%rd3];
    """)


def test_paths_that_meet_have_what_all_of_them_have() -> None:
    check_addresses("""
        mov.u64 %rd1, tile;
        @%p1 bra meet;
        mov.u64 %rd1, other;
    meet:
        //? %rd1 = .shared -
        ld.shared.b32 %r1, [%rd1];
    """)


def test_a_register_of_an_inner_block_is_another_one() -> None:
    check_addresses("""
        .reg .b64 at;
        mov.u64 at, tile;
        { .reg .b64 at; mov.u64 at, other; }
        //? at = .shared tile+0
        ld.shared.b32 %r1, [at];
    """)
