"""W863 empty-collector."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.checks.support.finding import Finding, PlacedFinding, warning
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.form import Slot
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.process_cache import memoized

RULE = warning("W863")
_COLLECTOR = ".collector::"
_FILL, _DISCARD = "::fill", "::discard"
_READING = {"::use": _FILL, "::lastuse": _DISCARD}
"""The words for a buffer that is full already, each with the one for the first product with a matrix."""
_EMPTYING = frozenset({"::lastuse", _DISCARD})


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A product that takes a matrix from a collector buffer that no product before it has filled.

    `.collector::a::use` and `.collector::a::lastuse` permit a product to reuse the matrix that an earlier one with
    `.collector::a::fill` has put into the buffer. After `lastuse` or `discard` the buffer has no valid content; a product
    without such a word discards buffer a, with `.ws` buffer b0. What a product computes from a buffer without valid
    content is undefined.

    ```ptx
    //- module
    .version 8.6
    .target sm_100a
    .address_size 64
    .visible .entry kernel()
    {
        .reg .b32 %r<4>;
        .reg .b64 %rd<4>;
        .reg .pred %p<2>;
        .shared .align 8 .b64 done;
        mbarrier.init.shared::cta.b64 [done], 1;
        bar.sync 0;
        tcgen05.mma.cta_group::1.kind::f16.collector::a::use [%r1], %rd1, %rd2, %r2, 0;
    //                                    ^^^^^^^^^^^^^^^^^^ warning[W863]: no product before it fills collector buffer a
        tcgen05.mma.cta_group::1.kind::f16.collector::a::lastuse [%r3], %rd1, %rd3, %r2, 0;
        tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [done];
    WAIT:
        mbarrier.try_wait.parity.shared::cta.b64 %p1, [done], 0;
        @!%p1 bra WAIT;
        ret;
    }
    ```

    **Right:** the first product with a matrix has `.collector::a::fill`.

    **Fixes offered:** `fill` instead of `use`, `discard` instead of `lastuse`; neither is applied automatically.

    ---

    Reported once for a buffer of a kernel that calls no function with such products, if on no path to the product another
    one fills the buffer after the last `lastuse` or `discard`. That fill and use have the same matrix is not checked.
    PTX ISA, `.collector_usage` of `tcgen05.mma`.
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    if not kernel.is_known:
        return
    products: dict[str, list[tuple[Step, str]]] = {}
    for step in kernel.facts.steps(Verb.STARTS, "tensor-work"):
        for buffer, operation in _used(step.opcode):
            products.setdefault(buffer, []).append((step, operation))
    for buffer, steps in products.items():
        if not _READING.keys().isdisjoint(operation for _, operation in steps):
            for step, operation in islice(_empty(kernel.graph, steps), 1):
                yield PlacedFinding(step.place, _finding(kernel, step, buffer, operation))


@memoized(1 << 8)
def _used(opcode: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The buffers that a product uses, each with what it does with it: what it names, or else the page's default."""
    page = next(iter(catalogue().candidates(opcode)), None)
    words = {slot.name: _word(slot, opcode) for form in (page.forms if page else ()) for slot in form.slots}
    named = (word.removeprefix(_COLLECTOR).partition("::") for word in words.values() if word.startswith(_COLLECTOR))
    return tuple((buffer, colons + operation) for buffer, colons, operation in named if operation)


def _word(slot: Slot, opcode: tuple[str, ...]) -> str:
    """The word of an opcode that stands in a place, or the one that leaving it out means; empty if there is none."""
    return next((word for word in opcode if word in slot.choices), slot.default or "")


def _empty(graph: Graph, steps: list[tuple[Step, str]]) -> Iterator[tuple[Step, str]]:
    """The products that find a buffer empty on all paths, of all that use it."""
    in_nodes: dict[int, list[tuple[Step, str]]] = {}
    for step, operation in sorted(steps, key=lambda one: one[0].statement):
        in_nodes.setdefault(step.node, []).append((step, operation))
    full: set[int] = set()
    """The nodes at whose beginning the buffer may be full."""
    waiting = [
        way for node, used in in_nodes.items() if _is_full_after(used, is_full=False) for way in graph.ways(node)
    ]
    while waiting:
        node = waiting.pop()
        if node not in full:
            full.add(node)
            if _is_full_after(in_nodes.get(node, ()), is_full=True):
                waiting += graph.ways(node)
    for node, used in in_nodes.items():
        if node in graph.reachable:
            for at, (step, operation) in enumerate(used):
                if operation in _READING and not _is_full_after(used[:at], is_full=node in full):
                    yield step, operation


def _is_full_after(used: Sequence[tuple[Step, str]], *, is_full: bool) -> bool:
    """Whether a buffer may be full after some products one after the other."""
    for step, operation in used:
        if operation == _FILL:
            is_full = True
        elif operation in _EMPTYING and not step.guarded:
            is_full = False
    return is_full


def _finding(kernel: Kernel, step: Step, buffer: str, operation: str) -> Finding:
    context = kernel.context(step)
    word = f"{_COLLECTOR}{buffer}{operation}"
    tokens = context.instruction.opcode_tokens if context.instruction is not None else ()
    span = next((context.span(token) for token in tokens if context.word(token) == word), context.opcode_span())
    right = f"{_COLLECTOR}{buffer}{_READING[operation]}"
    fixes = (Fix(f"write '{right}'", (Edit(span, right),), is_sure=False),)
    return RULE.at(span, f"no product before it fills collector buffer {buffer}", fixes=fixes)
