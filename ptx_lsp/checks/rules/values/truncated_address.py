"""W628 truncated-address."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.syntax.tree import OperandKind

if TYPE_CHECKING:
    from ptx_lsp.analysis.symbolic.atoms import Atom
    from ptx_lsp.analysis.symbolic.linear_values import LinearValue

RULE = warning("W628")
_NARROW = frozenset({".u32", ".s32", ".b32"})
_WIDE = frozenset({".u64", ".s64", ".b64"})
_MOST_ACCESSES = 100
_MOST_WRITERS = 4
_SHORT = 150
"""Functions with more statements are not looked at."""
_NEAR = (".shared", ".local", ".const", ".param")


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A global or generic address of which only 32 bits are left.

    Addresses of shared, local and constant memory, in their state space, fit into 32 bits. Global and generic addresses
    have 64: what is cut off cannot be got back.

    ```ptx
    //- sm_80 ptx 7.0 flow
        ld.param.u64 %rd1, [parameter];
        cvt.u32.u64 %r1, %rd1;
        add.u32 %r2, %r1, 16;
        cvt.u64.u32 %rd2, %r2;
        ld.global.u32 %r3, [%rd2];
    //                     ^^^^^^ warning[W628]: only 32 bits of the address in 'parameter' are left here
    // ptxas: accepts it
        st.global.u32 [%rd1], %r3;
        ret;
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 flow
        ld.param.u64 %rd1, [parameter];
        add.u64 %rd2, %rd1, 16;
        ld.global.u32 %r3, [%rd2];
        st.global.u32 [%rd1], %r3;
        ret;
    ```

    ---

    Reported if the address is computed from nothing but such a value, of a parameter of 64 bits, a variable in global
    memory, or a generic address. Functions of up to 150 statements. Manual: "Addresses as Operands",
    "Generic Addressing".
    """
    opcodes = flow.full_opcodes
    cuts = any(_converts(opcode, _NARROW, _WIDE) for opcode in opcodes)
    if not cuts or not any(_converts(opcode, _WIDE, _NARROW) for opcode in opcodes):
        return
    if sum(map(len, flow.function.chunks)) > _SHORT or not flow.graph.is_whole:
        return
    left = _MOST_ACCESSES
    facts = flow.kernel.facts
    accesses = {*facts.possible(Verb.READS), *facts.possible(Verb.WRITES)}
    for step in sorted(accesses, key=lambda one: (one.node, one.statement)):
        if any(word.startswith(_NEAR) for word in step.opcode) or not _may_come_from_conversion(flow, step):
            continue
        left -= 1
        if left < 0:
            return
        context = flow.steps.context(step)
        tree = context.instruction
        for operand in tree.operands if tree is not None else ():
            if operand.kind is OperandKind.ADDRESS:
                value = flow.expressions.values.operand(context, operand)
                name = _cut(flow, value) if value is not None else ""
                if name:
                    message = f"only 32 bits of the address in '{name}' are left here"
                    yield PlacedFinding(step.place, RULE.at(context.operand_span(operand), message))


def _converts(opcode: tuple[str, ...], to: frozenset[str], of: frozenset[str]) -> bool:
    """Whether an opcode is that of a conversion between types of two sets: those are its last words."""
    return not to.isdisjoint(opcode[1:2]) and not of.isdisjoint(opcode[2:])


def _may_come_from_conversion(flow: Flow, step: Step) -> bool:
    """Whether some register that an access reads is a result of a conversion, or of a sum of one."""
    seen = set()
    waiting = [register for register in step.reads if register in flow.graph.writers]
    for _ in range(4):
        found = []
        for register in waiting:
            writers = flow.graph.writers.get(register, ())
            if register in seen or not 0 < len(writers) <= _MOST_WRITERS:
                continue
            seen.add(register)
            for one in (step for number in writers for step in flow.steps.writing(number, register)):
                if _converts(one.opcode, _WIDE, _NARROW):
                    return True
                if flow.graph.effects.of(one.chunk, one.statement).results_only:
                    found += [name for name in one.reads if name in flow.graph.writers]
        waiting = found
    return False


def _cut(flow: Flow, value: LinearValue) -> str:
    """The name of the object whose address, cut to 32 bits, is all that an address is computed from; else empty."""
    from ptx_lsp.analysis.symbolic.atoms import AtomKind

    atoms = flow.expressions.values.atoms
    large = [(atoms.atom(token), factor) for token, factor in value.terms if _is_large(atoms.atom(token))]
    if len(large) != 1 or large[0][1] != 1:
        return ""
    atom: Atom = large[0][0]
    if atom.kind not in (AtomKind.UNSIGNED, AtomKind.SIGNED) or atom.most - atom.least != (1 << 32) - 1:
        return ""
    for token, factor in atom.operands[0].terms:
        inner = atoms.atom(token)
        if factor != 1:
            continue
        if inner.kind is AtomKind.PARAMETER and isinstance(inner.key, tuple) and inner.key[2] == 64:
            return str(inner.key[0].name)
        if inner.kind is AtomKind.WINDOW:
            return f"generic address of {inner.key}"
        if inner.kind is AtomKind.SYMBOL and isinstance(inner.key, Symbol) and inner.key.space == ".global":
            return inner.key.name
    return ""


def _is_large(atom: Atom) -> bool:
    """Whether an unknown thing may have 32 bits or more."""
    from ptx_lsp.analysis.symbolic.atoms import AtomKind

    return atom.most >= 1 << 31 or (atom.kind is AtomKind.SIGNED and atom.least <= -1 << 31)
