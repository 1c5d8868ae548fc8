"""W862 outside-allocation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.allocated_columns import AllocatedColumns
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.symbolic.tensor_addresses import tensor_address
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.model.ordering import TENSOR_MEMORY, Verb
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.patterns import compile_pattern
from ptx_lsp.syntax.tree import Operand, OperandKind

RULE = warning("W862")
_LANES = 32
"""Lanes that the threads of a warp access together."""
_SHAPE = compile_pattern(r"\.(\d+)x\d+b", re.ASCII).fullmatch
_COLUMNS = 512
"""Columns of Tensor Memory."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """An access of Tensor Memory before the first or beyond the last column that was allocated.

    Columns that the CTA has not allocated may belong to another CTA of the multiprocessor. An access of them is
    undefined behavior.

    ```ptx
    //- sm_100a ptx 8.6
    .shared .align 4 .b32 where;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [where], 64;
    tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
    bar.sync 0;
    ld.shared.b32 %r1, [where];
    tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r2, %r3}, [%r1+64];
    //                                                ^^^^^^^^ warning[W862]: accesses columns 64 to 65; 64 were allocated (line 8)
    // ptxas: accepts it
    tcgen05.wait::ld.sync.aligned;
    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 64;
    ret;
    ```

    **Right:** allocate enough columns for all that stands in them.

    ```ptx
    //- sm_100a ptx 8.6
    .shared .align 4 .b32 where;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [where], 128;
    tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
    bar.sync 0;
    ld.shared.b32 %r1, [where];
    tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r2, %r3}, [%r1+64];
    tcgen05.wait::ld.sync.aligned;
    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 128;
    ret;
    ```

    ---

    Reported if the address is the result of a `tcgen05.alloc` of this kernel plus a constant, and the numbers of columns
    of all allocations that it may come from are known; or a constant, and beyond the 512 columns of Tensor Memory. It is
    computed for the first warp that comes to the access. A load or store accesses as many columns as its registers
    hold; of a matrix product only the first column counts. Of several accesses outside of the same allocations the
    first has the finding. PTX ISA, "Tensor Memory Allocation" and "tcgen05.ld".
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    if not flow.graph.is_whole:
        return
    allocated = flow.derived(AllocatedColumns)
    yield from allocated.finding()
    outside: dict[tuple[Step, ...], list[_Access]] = {}
    for step in (step for kind in sorted(TENSOR_MEMORY) for step in kernel.facts.steps(Verb.STARTS, kind)):
        addresses = _addresses(kernel, step)
        if not addresses:
            continue
        yield from kernel.threads.finding(step)
        values = kernel.threads.values_at(step)
        if values is None:
            continue
        for operand, width in addresses:
            yield None
            address = tensor_address(values.operand_at(-1, step, operand), values.unknowns)
            if address is None:
                continue
            allocations = tuple(allocated.allocations_of(address.base))
            columns = _COLUMNS if address.base is None else _sum(kernel, allocations)
            first, last = address.column, address.column + width - 1
            if columns is not None and (first < 0 or last >= columns):
                outside.setdefault(allocations, []).append(_Access(step, operand, first, last, columns))
    for allocations, accesses in outside.items():
        yield _finding(kernel, allocations, accesses)


class _Access(NamedTuple):
    """An access of columns that are not allocated, with the number of those that are."""

    step: Step
    operand: Operand
    first: int
    last: int
    columns: int


def _finding(kernel: Kernel, allocations: Sequence[Step], accesses: Sequence[_Access]) -> PlacedFinding:
    """The finding about the accesses outside of some allocations, at the first of them."""
    rank = kernel.graph.module.positions.rank
    first = min(accesses, key=lambda one: (rank(one.step.chunk), one.step.statement))
    accessed = f"columns {first.first} to {first.last}" if first.last > first.first else f"column {first.first}"
    known = f"{first.columns} were allocated{HERE}" if allocations else f"Tensor Memory has {first.columns}"
    others = len({one.step for one in accesses}) - 1
    more = f"; {others} more in this function" if others else ""
    context = kernel.context(first.step)
    found = RULE.at(context.operand_span(first.operand), f"accesses {accessed}; {known}{more}")
    besides = [RelatedPlace(one.place, "the columns are allocated here") for one in allocations]
    return PlacedFinding(first.step.place, found.related_to(*besides))


def _addresses(kernel: Kernel, step: Step) -> list[tuple[Operand, int]]:
    """The operands of an instruction that are addresses in Tensor Memory, and the columns from there that it accesses.

    For the 32 lanes of a warp a register holds one column, for 16 lanes it holds two.
    """
    facts = kernel.facts
    operands = [kernel.operand(step, role) for role in facts.roles(step, Verb.READS, Verb.WRITES)]
    registers = sum(len(one.parts) for one in operands if one is not None and one.kind is OperandKind.VECTOR)
    lanes = next((int(shape[1]) for shape in map(_SHAPE, step.opcode) if shape is not None), _LANES)
    width = max(1, registers * _LANES // lanes)
    return [(one, width) for one in dict.fromkeys(operands) if one is not None and one.kind is OperandKind.ADDRESS]


def _sum(kernel: Kernel, allocations: Sequence[Step]) -> int | None:
    """The number of columns of some allocations together; None if it is not known or there are none."""
    numbers = [kernel.constant(one, "nCols") for one in allocations]
    known = [one for one in numbers if one is not None]
    return sum(known) if known and len(known) == len(numbers) else None
