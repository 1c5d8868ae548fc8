"""W701 illegal-field."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.descriptors.foreign import is_foreign
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.checks.support.packed_wording import packed_finding
from ptx_lsp.layouts.decode import FieldFaultKind

RULE = warning("W701")
_CORRECTABLE = frozenset({FieldFaultKind.RESERVED, FieldFaultKind.FIXED})


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A descriptor with an illegal field: a code that the manual does not list, or a reserved bit that is set.

    The hardware does not check descriptors. It reads other memory, or computes with other types.

    ```ptx
    //- sm_100a ptx 8.6
        mov.b32 %r1, 0x08200490;
        tcgen05.mma.cta_group::1.kind::tf32 [%r2], %rd1, %rd2, %r1, %p1;
    //                                                         ^^^ warning[W701]: 'idesc' 0x08200490: A type (bits 7-9) is 1; allowed: 2 tf32 (line 7)
    //                                                         ^^^ warning[W701]: 'idesc' 0x08200490: B type (bits 10-12) is 1; allowed: 2 tf32 (line 7)
    // ptxas: accepts it
    ```

    **Right:** `mov.b32 %r1, 0x08200910;` with type 2 (tf32) for A and B, as `.kind::tf32` requires.

    ---

    Only bits whose value is known are checked. `ptx-lsp decode` shows all fields of a value.
    """  # noqa: E501 (a caret line carries its message)
    for fault in (yield from flow.packed.finding_faults()):
        if fault.finding.fault is not FieldFaultKind.RULE and not is_foreign(fault.known):
            yield packed_finding(RULE, fault, fault.finding.says, with_correction=fault.finding.fault in _CORRECTABLE)
