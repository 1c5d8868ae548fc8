"""W835 wrong-byte-count."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator

from ptx_lsp.analysis.dataflow.registers import name_of
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.barriers import barrier_operand
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.mbarriers import MbarrierUse, reaches_other_ctas
from ptx_lsp.analysis.synchronization.memory_locations import ByLocation, maybe_same
from ptx_lsp.checks.support.finding import PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.mbarrier_uses import mbarrier_uses

RULE = warning("W835")
_BYTES = (2, 4, 8)
"""The sizes of elements that are often forgotten."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """An `expect_tx` of another number of bytes than its bulk copies bring.

    The phase ends when the expected bytes have come. If fewer are expected than come, the wait can return before the
    last copy is complete, and the rest counts against the next phase; if more are expected, the wait never returns. The
    number is one of bytes, not of elements.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 128 .b8 tile[4096];
    .shared .align 8 .b64 full;
    mbarrier.init.shared::cta.b64 [full], 1;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 1024;
    //                                                   ^^^^ warning[W835]: expects 1024 bytes, the copies bring 4096: elements of 4 bytes were counted (line 12)
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 4096, [full];
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0;
    @!%p1 bra WAIT;
    ret;
    ```

    **Right:** `mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 4096;`

    ---

    Reported if one `expect_tx` and all copies that may be for its mbarrier stand in one straight piece of code, under
    the same guard, with constant sizes; copies beside an `expect_tx` of their own do not count. Tensor copies have the
    size of their tensor-map, which is not known. Not reported in functions, in kernels that call functions which may
    take part, and in bodies without `ret` or `exit`. PTX ISA, "expect-tx operation".
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    if not kernel.is_known:
        return
    barriers = mbarrier_uses(flow)
    if not barriers.expectations or any(use.place is None for use in barriers.copies):
        return
    expectations, copies = _Together(kernel), _Together(kernel)
    yield from expectations.adding(barriers.expectations)
    yield from copies.adding(barriers.copies)
    # Copies that no expectation counts make the number unknown for all whose mbarrier they may use.
    alone: list[MbarrierUse] = []
    for use in barriers.copies:
        yield None
        if not any(expectations.beside(use)):
            alone.append(use)
    uncounted = ByLocation((use.place, use) for use in alone)
    for expectation in barriers.expectations:
        yield None
        if expectation.place is None or reaches_other_ctas(expectation.step):
            continue
        expected = kernel.constant(expectation.step, "txCount")
        if expected is None or _has_other(expectations, expectation, expectation):
            continue
        if any(uncounted.maybe_same(expectation.place)):
            continue
        own = [use for use in copies.beside(expectation) if not _has_other(expectations, use, expectation)]
        own = sorted(dict.fromkeys(own), key=lambda use: (use.step.node, use.step.statement))
        brought = _brought(kernel, own)
        if not own or brought is None or brought == expected:
            continue
        operand = kernel.operand(expectation.step, "txCount")
        context = kernel.context(expectation.step)
        if operand is None:
            continue
        message = f"expects {expected} bytes, the copies bring {brought}"
        for size in _BYTES:
            if expected * size == brought:
                message += f": elements of {size} bytes were counted"
        places = [RelatedPlace(use.step.place, "this copy counts") for use in own]
        diagnostic = RULE.at(context.operand_span(operand), message)
        yield PlacedFinding(expectation.step.place, diagnostic._replace(related=tuple(places)))


def _brought(kernel: Kernel, copies: list[MbarrierUse]) -> int | None:
    """The number of bytes of all copies; None if it is not known."""
    total = 0
    for use in copies:
        size = kernel.constant(use.step, "size")
        if size is None or any("multicast" in word or "cta_group" in word for word in use.step.opcode):
            return None
        total += size
    return total


def _has_other(expectations: _Together, use: MbarrierUse, expectation: MbarrierUse) -> bool:
    """Whether another expectation, which may be for the same mbarrier, is executed together with a use."""
    others = (one for one in expectations.beside(use) if one is not expectation)
    return any(maybe_same(one.place, expectation.place) for one in others)


class _Together:
    """Uses by what is always executed together with them: one straight piece of code, one guard, one mbarrier.

    The mbarrier is the same if its place is known and the same, or if the same words name it and no register in them is
    written between the two.
    """

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._uses: dict[Hashable, list[MbarrierUse]] = {}
        self._nodes = kernel.graph.nodes
        self._writes: dict[tuple[int, str], list[tuple[int, int]]] = {}
        """The nodes of straight code, by its first one, and their statements that write a register."""

    def adding(self, uses: Iterable[MbarrierUse]) -> Iterator[None]:
        """Add uses, with pauses."""
        for use in uses:
            yield
            for key in self._keys(use):
                self._uses.setdefault(key, []).append(use)

    def beside(self, use: MbarrierUse) -> Iterator[MbarrierUse]:
        """Those that are always executed together with a use; some of them twice."""
        for key in self._keys(use):
            yield from self._uses.get(key, ())

    def _keys(self, use: MbarrierUse) -> list[Hashable]:
        """Two uses belong together if they have one of these in common."""
        step, place = use
        keys: list[Hashable] = [] if place is None or place.offset is None else [place]
        operand = barrier_operand(self._kernel, step)
        if operand is not None:
            context = self._kernel.context(step)
            words = {context.word(token) for token in range(operand.first, operand.last)}
            names = [name for name in dict.fromkeys(step.reads) if name_of(name) in words]
            earlier = [
                (name, bisect_left(self._written(step.node, name), (step.node, step.statement))) for name in names
            ]
            keys.append((context.text_of(operand), tuple(earlier)))
        guard = step.reads[0] if step.guarded else ""
        return [(self._nodes[step.node].straight, guard, key) for key in keys]

    def _written(self, node: int, register: str) -> list[tuple[int, int]]:
        first = self._nodes[node].straight
        found = self._writes.get((first, register))
        if found is None:
            found = self._writes[first, register] = []
            for number in range(first, len(self._nodes)):
                if self._nodes[number].straight != first:
                    break
                for step in self._kernel.steps.naming(number, register):
                    if register in step.writes or register in step.updates:
                        found.append((number, step.statement))
        return found
