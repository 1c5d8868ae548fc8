"""W835 wrong-byte-count."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.barriers import barrier_operand
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.mbarriers import MbarrierUse, reaches_other_ctas
from ptx_lsp.analysis.synchronization.memory_locations import maybe_same
from ptx_lsp.checks.support.finding import PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.mbarrier_uses import mbarrier_uses

RULE = warning("W835")
_BYTES = (2, 4, 8)
"""The sizes of elements that are often forgotten."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
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
    for expectation in barriers.expectations:
        if expectation.place is None or reaches_other_ctas(expectation.step):
            continue
        expectations = [use for use in barriers.expectations if maybe_same(use.place, expectation.place)]
        copies = [use for use in barriers.copies if maybe_same(use.place, expectation.place)]
        others = [use for use in expectations if use is not expectation]
        expected = kernel.constant(expectation.step, "txCount")
        if expected is None or any(_is_beside(kernel, expectation, use) for use in others):
            continue
        copies = [use for use in copies if not any(_is_beside(kernel, other, use) for other in others)]
        if not copies:
            continue
        brought = _brought(kernel, expectation, copies)
        if brought is None or brought == expected:
            continue
        operand = kernel.operand(expectation.step, "txCount")
        context = kernel.context(expectation.step)
        if operand is None:
            continue
        message = f"expects {expected} bytes, the copies bring {brought}"
        for size in _BYTES:
            if expected * size == brought:
                message += f": elements of {size} bytes were counted"
        places = [RelatedPlace(use.step.place, "this copy counts") for use in copies]
        diagnostic = RULE.at(context.operand_span(operand), message)
        yield PlacedFinding(expectation.step.place, diagnostic._replace(related=tuple(places)))


def _brought(kernel: Kernel, expectation: MbarrierUse, copies: list[MbarrierUse]) -> int | None:
    """The number of bytes of all copies; None if it is not known, or if they are not executed exactly together."""
    total = 0
    for use in copies:
        size = kernel.constant(use.step, "size")
        multicast = any("multicast" in word or "cta_group" in word for word in use.step.opcode)
        if size is None or multicast or not _is_beside(kernel, expectation, use):
            return None
        total += size
    return total


def _is_beside(kernel: Kernel, one: MbarrierUse, other: MbarrierUse) -> bool:
    """Whether two uses of one mbarrier are always executed together."""
    is_beside = one.step.node == other.step.node and _guard(one.step) == _guard(other.step)
    return is_beside and _is_same(kernel, one, other)


def _guard(step: Step) -> str:
    return step.reads[0] if step.guarded else ""


def _is_same(kernel: Kernel, one: MbarrierUse, other: MbarrierUse) -> bool:
    """Whether two uses are of the same mbarrier: one offset, or the same words."""
    if one.place == other.place and one.place is not None and one.place.offset is not None:
        return True
    first, second = barrier_operand(kernel, one.step), barrier_operand(kernel, other.step)
    if first is None or second is None:
        return False
    texts = kernel.context(one.step).text_of(first), kernel.context(other.step).text_of(second)
    registers = {name for name in one.step.reads if name in texts[0]}
    between = kernel.steps.of(one.step.node)
    low, high = sorted((one.step.statement, other.step.statement))
    written = {name for step in between if low <= step.statement < high for name in (*step.writes, *step.updates)}
    return texts[0] == texts[1] and registers.isdisjoint(written)
