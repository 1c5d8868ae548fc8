"""W634 used-bytes-mask."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.statements.accesses import extents
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.pragmas import pragma_strings
from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.syntax.constants import integer_or_none
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES

RULE = warning("W634")
_NAME = "used_bytes_mask"
_PRAGMAS_IN_A_STEP = 256
_BETWEEN = frozenset({Kind.PRAGMA, Kind.LOCATION, Kind.REGISTERS, Kind.VARIABLE, Kind.LABEL})
"""Statements that may stand between the pragma and its load."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A `used_bytes_mask` without a load after it, for no byte, or for more bytes than the load has.

    The pragma says which bytes of the next load are used. Before any other instruction it has no effect; a mask that
    does not fit its load was written for another one, and the compiler may leave out bytes that are read.

    ```ptx
    //- sm_90 ptx 8.3
    .pragma "used_bytes_mask 0xfffff";
    //      ^^^^^^^^^^^^^^^^^^^^^^^^^ warning[W634]: the mask has bit 19; the load (line 9) has 16 bytes
    ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1];
    // ptxas: accepts it
    ```

    **Right:**

    ```ptx
    //- sm_90 ptx 8.3
    .pragma "used_bytes_mask 0xfff";
    ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1];  // %r4 is not used
    ```

    ---

    PTX ISA, "used_bytes_mask".
    """
    if not any(Kind.PRAGMA in chunk.kinds for chunk in flow.function.chunks):
        return
    for number, (context, following) in enumerate(_pragmas(flow), 1):
        if not number % _PRAGMAS_IN_A_STEP:
            yield None
        for token, name, rest in pragma_strings(context.statement):
            mask = integer_or_none(rest) if name == _NAME else None
            if mask is None:
                continue
            message = _fault(mask, following)
            if message:
                finding = RULE.at(context.span(token), message)
                if following is not None:
                    finding = finding.related_to(RelatedPlace(following.place, "the next instruction"))
                yield PlacedFinding(context.place, finding)


def _pragmas(flow: Flow) -> Iterator[tuple[StatementContext, StatementContext | None]]:
    """The pragmas in a body, each with the instruction that follows it, if one does."""
    waiting: list[StatementContext] = []
    for chunk in flow.function.chunks:
        if not waiting and Kind.PRAGMA not in chunk.kinds:
            continue
        for index, number in enumerate(chunk.shapes):
            kind = SHAPES[number].kind
            if waiting and kind not in _BETWEEN:
                following = StatementContext(flow.module, flow.function, chunk, index)
                yield from ((one, following if kind == Kind.INSTRUCTION else None) for one in waiting)
                waiting = []
            elif kind == Kind.PRAGMA:
                context = StatementContext(flow.module, flow.function, chunk, index)
                waiting += [context] if context.is_inside else []


def _fault(mask: int, following: StatementContext | None) -> str:
    tree = following.instruction if following is not None else None
    if following is None or tree is None or following.match is None or not following.match.fits:
        return ""
    facts = possible_facts(tree.opcode)
    if (Verb.READS, "") not in facts or any(verb is Verb.STARTS for verb, _ in facts):
        return f"the next instruction{HERE} is no load; the mask has no effect"
    if (Verb.WRITES, "") in facts or len(tree.operands) < 2:
        return ""
    if not mask:
        return f"no byte of the load{HERE} is used; leave the load out, or set the bits of the used bytes"
    size = next((size for operand, size, _ in extents(following) if operand is tree.operands[1]), 0)
    if size and mask >> size:
        return f"the mask has bit {mask.bit_length() - 1}; the load{HERE} has {size} bytes"
    return ""
