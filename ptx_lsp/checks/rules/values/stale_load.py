"""W632 stale-load."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.statements.accesses import extents
from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.mismatches import would_do
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.model.ordering import THREADS, Verb
from ptx_lsp.syntax.tree import OperandKind

if TYPE_CHECKING:
    from ptx_lsp.analysis.symbolic.linear_values import LinearValue

RULE = warning("W632")
_SHORT = 150
"""Functions with more statements are not looked at."""
_STORING = frozenset({(Verb.READS, ""), (Verb.WRITES, ""), (Verb.ORDERS, THREADS)})
"""The facts of stores and atomic operations."""
_NEAR = (".shared", ".local", ".param")


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A load through the non-coherent cache of memory that the kernel has written.

    With `.nc` the memory must not be written while the kernel runs. The load may give the value from before.

    ```ptx
    //- sm_80 ptx 7.0 flow
        ld.param.u64 %rd1, [parameter];
        mov.u32 %r1, 7;
        st.global.u32 [%rd1+4], %r1;
        ld.global.nc.u32 %r2, [%rd1+4];
    //  ^^^^^^^^^^^^^^^^ warning[W632]: the kernel writes this address before it (line 9); '.nc' may not see that
    // ptxas: accepts it
        st.global.u32 [%rd1], %r2;
        ret;
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 flow
        ld.param.u64 %rd1, [parameter];
        mov.u32 %r1, 7;
        st.global.u32 [%rd1+4], %r1;
        ld.global.u32 %r2, [%rd1+4];
        st.global.u32 [%rd1], %r2;
        ret;
    ```

    **Fixes offered:** the load without `.nc`.

    ---

    Reported in functions of up to 150 statements, if both addresses are computed from the same parameters, variables
    and special registers. Manual: `ld.global.nc`.
    """
    if not flow.graph.is_whole:
        return
    if sum(map(len, flow.function.chunks)) > _SHORT:
        return
    facts = flow.kernel.facts
    loads = [step for step in facts.possible(Verb.READS) if ".nc" in step.opcode]
    stores = [
        (step, address)
        for step in (facts.possible(Verb.WRITES) if loads else ())
        if possible_facts(step.opcode) <= _STORING
        and not any(word.startswith(_NEAR) for word in step.opcode)
        and (address := _address(flow, step)) is not None
    ]
    for load in loads:
        address = _address(flow, load)
        for store, other in stores if address is not None else ():
            if address is not None and _overlap(address, other) and _leads(flow, store, load):
                context = flow.steps.context(load)
                opcode = "".join(word for word in load.opcode if word != ".nc")
                edit = Edit(context.opcode_span(), opcode)
                fixes = (Fix(f"write '{opcode}'", (edit,)),) if would_do(context, edit) else ()
                message = f"the kernel writes this address before it{HERE}; '.nc' may not see that"
                beside = RelatedPlace(store.place, "it is written here")
                yield PlacedFinding(load.place, RULE.at(context.opcode_span(), message, fixes=fixes).related_to(beside))
                break


def _address(flow: Flow, step: Step) -> tuple[LinearValue, int] | None:
    """The address of an access and its size, if it never changes while a thread runs."""
    context = flow.steps.context(step)
    for operand, size, _ in extents(context):
        if operand.kind is OperandKind.ADDRESS and size:
            value = flow.expressions.values.operand(context, operand)
            if value is not None and value.terms and flow.expressions.values.atoms.is_fixed(value):
                return value, size
    return None


def _overlap(one: tuple[LinearValue, int], other: tuple[LinearValue, int]) -> bool:
    distance = one[0].distance(other[0])
    return distance is not None and -one[1] < distance < other[1]


def _leads(flow: Flow, store: Step, load: Step) -> bool:
    if store.node == load.node and store.statement < load.statement:
        return True
    return flow.graph.reachability.leads(store.node, load.node)
