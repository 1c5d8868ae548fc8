"""W861 foreign-lanes."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.allocated_columns import AllocatedColumns
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.semantics.thread_facts import ThreadFacts
from ptx_lsp.analysis.symbolic.tensor_addresses import tensor_address
from ptx_lsp.analysis.synchronization.path_values import PathValues
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.isa.model.ordering import Verb

RULE = warning("W861")
_KINDS = ("tensor-loads", "tensor-stores")
_ADDRESS = "taddr"
_WARP, _QUARTERS = 32, 4
_MOST_WARPS = 8
_MOST_VALUES = 2_000
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
    reported: set[Step] = set()
    for warp in range(warps):
        values = PathValues(kernel.steps, kernel.path_values.branches, _MOST_VALUES, warp)
        first = warp % _QUARTERS * _WARP
        for step in accesses:
            yield None
            operand = kernel.operand(step, _ADDRESS)
            if operand is None or step in reported or not paths.executes(step, warp * _WARP):
                continue
            value = values.operand_at(-1, step, operand)
            address = tensor_address(value, values.unknowns)
            if address is None or 0 <= address.lane - first < _WARP:
                continue
            if address.base is not None and not allocated.allocations_of(address.base):
                continue
            reported.add(step)
            context = kernel.context(step)
            message = f"warp {warp} accesses lane {address.lane}; it can access lanes {first} to {first + _WARP - 1}"
            yield PlacedFinding(step.place, RULE.at(context.operand_span(operand), message))
