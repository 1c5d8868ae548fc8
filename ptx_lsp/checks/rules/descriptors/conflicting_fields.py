"""W702 conflicting-fields."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.descriptors.foreign import is_foreign
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.checks.support.packed_wording import packed_finding
from ptx_lsp.layouts.decode import FieldFaultKind

RULE = warning("W702")


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A descriptor whose fields conflict with each other or with the opcode: a shape that the `.kind` does not support.

    The result is undefined; neither ptxas nor the hardware reports it.

    ```ptx
    //- sm_100a ptx 8.6
        mov.b32 %r1, 0x10200490;
        tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, %r1, %p1;
    //                                                        ^^^ warning[W702]: 'idesc' 0x10200490: encodes M = 256; M is 64 or 128 with .cta_group::1 (line 7)
    // ptxas: accepts it
    ```

    **Right:** `mov.b32 %r1, 0x08200490;` for M = 128 (one CTA allows 64 or 128), or `.cta_group::2` for M = 256.

    ---

    Only bits whose value is known are checked.
    """  # noqa: E501 (a caret line carries its message)
    for fault in (yield from flow.packed.finding_faults()):
        if fault.finding.fault is FieldFaultKind.RULE and not is_foreign(fault.known):
            yield packed_finding(RULE, fault, fault.finding.says)
