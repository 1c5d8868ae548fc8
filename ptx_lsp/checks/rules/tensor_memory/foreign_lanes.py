"""W861 foreign-lanes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.allocated_columns import AllocatedColumns
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.semantics.thread_facts import ThreadFacts
from ptx_lsp.analysis.symbolic.tensor_addresses import TensorAddress, tensor_address
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.path_values import PathValues
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.syntax.tree import Operand, OperandKind

RULE = warning("W861")
_KINDS = ("tensor-loads", "tensor-stores")
_ADDRESS = "taddr"
_WARP, _QUARTERS = 32, 4
_MOST_WARPS = 8
_MOST_VALUES = 2_000
_IN_A_STEP = 32
"""So many instructions are evaluated for a warp."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A `tcgen05.ld` or `tcgen05.st` of lanes of Tensor Memory that belong to another warp.

    Each warp of a warpgroup can access a quarter of the 128 lanes: those from `32 * (warp % 4)` on. The lane is in bits
    16 to 31 of the address. An access of other lanes is undefined behavior; usually all warps get the rows of one.

    ```ptx
    //- sm_100a ptx 8.6 module
    .visible .entry kernel() .reqntid 128
    {
        .reg .b32 %r<4>;
        mov.u32 %r1, 0;
        tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r2, %r3}, [%r1];
    //                                                    ^^^^^ warning[W861]: warp 1 accesses lane 0; it can access lanes 32 to 63
    // ptxas: accepts it
        tcgen05.wait::ld.sync.aligned;
        ret;
    }
    ```

    **Right:** add the first lane of the warp to the address:

    ```ptx
    //- sm_100a ptx 8.6 module
    .visible .entry kernel() .reqntid 128
    {
        .reg .b32 %r<4>;
        mov.u32 %r1, %tid.x;
        shl.b32 %r1, %r1, 16;
        and.b32 %r1, %r1, 0x600000;
        tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r2, %r3}, [%r1];
        tcgen05.wait::ld.sync.aligned;
        ret;
    }
    ```

    ---

    Reported if the address is a constant, or the result of a `tcgen05.alloc` of this kernel plus a constant, as the
    warp computes it, and the warp comes to the access for sure. Warps but the first one are followed only if `.reqntid`
    says that there are so many in a row. PTX ISA, "tcgen05.ld" and "tcgen05.st": access restrictions.
    """  # noqa: E501 (a caret line carries its message)
    kernel, facts = flow.kernel, flow.derived(ThreadFacts)
    accesses = [step for kind in _KINDS for step in kernel.facts.steps(Verb.STARTS, kind)]
    paths = facts.paths if accesses and flow.graph.is_whole else None
    if paths is None:
        return
    is_row = facts.limits.required[1:] == (1, 1)
    warps = min(_MOST_WARPS, -(-(facts.limits.threads() or 1) // _WARP)) if is_row else 1
    allocated = flow.derived(AllocatedColumns)
    yield from allocated.finding()
    named: list[tuple[Step, Operand, Hashable]] = []
    for number, step in enumerate(accesses):
        operand = kernel.operand(step, _ADDRESS)
        if operand is not None:
            named.append((step, operand, _meaning(kernel, step, operand)))
        if not number % _IN_A_STEP:
            yield None
    reported: set[tuple[int, int]] = set()
    of_first = PathValues(kernel.steps, kernel.path_values.branches, _MOST_VALUES, 0)
    for warp in range(warps):
        values = of_first.of_thread(warp)
        first = warp % _QUARTERS * _WARP
        addresses: dict[Hashable, TensorAddress | None] = {}
        for step, operand, meaning in named:
            if meaning not in addresses:
                yield None
                addresses[meaning] = tensor_address(values.operand_at(-1, step, operand), values.unknowns)
            address = addresses[meaning]
            if address is None or 0 <= address.lane - first < _WARP:
                continue
            if (step.node, step.statement) in reported:
                continue
            yield None
            if not paths.executes(step, warp * _WARP):
                continue
            if address.base is not None and not allocated.allocations_of(address.base):
                continue
            reported.add((step.node, step.statement))
            context = kernel.context(step)
            message = f"warp {warp} accesses lane {address.lane}; it can access lanes {first} to {first + _WARP - 1}"
            yield PlacedFinding(step.place, RULE.at(context.operand_span(operand), message))


def _meaning(kernel: Kernel, step: Step, operand: Operand) -> Hashable:
    """The text and the writes that an address is computed from; equal ones have one address in each thread."""
    context = kernel.context(step)
    base = operand.parts[0] if operand.kind is OperandKind.ADDRESS and operand.parts else operand
    if base.kind is not OperandKind.NAME or base.name < 0:
        return step.node, step.statement
    graph = kernel.graph
    register = graph.registers.key(context.word(base.name), graph.nodes[step.node].scope)
    writes = tuple((one.node, one.statement) for one in kernel.steps.definitions(step, register))
    return (context.text_of(operand), register, writes) if writes else (step.node, step.statement)
