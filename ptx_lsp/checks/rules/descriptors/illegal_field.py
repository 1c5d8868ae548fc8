"""W701 illegal-field."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.descriptors.foreign import is_foreign
from ptx_lsp.analysis.descriptors.packed_operands import OPCODES
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.checks.support.packed_wording import packed_finding
from ptx_lsp.layouts.decode import FieldFaultKind

RULE = warning("W701", opcodes=OPCODES)
_CORRECTABLE = frozenset({FieldFaultKind.RESERVED, FieldFaultKind.FIXED})


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A descriptor with a field that says nothing: a code that no manual lists, a reserved bit that is set.

    The hardware does not look whether a descriptor makes sense. It reads other memory, or computes with other types.

    ```ptx
    //- sm_100a ptx 8.6
        mov.b32 %r1, 0x08200490;
        tcgen05.mma.cta_group::1.kind::tf32 [%r2], %rd1, %rd2, %r1, %p1;
    //                                                         ^^^ warning[W701]
    //                                                         ^^^ warning[W701]
    // ptxas: accepts it
    ```

    **Right:** types 2 (tf32) for A and B, as the kind asks: `mov.b32 %r1, 0x08200910;`.

    ---

    Only bits that are proved count. `ptx-lsp decode` shows all fields of a value.
    """
    for fault in flow.packed.faults:
        if fault.finding.fault is not FieldFaultKind.RULE and not is_foreign(fault.known):
            yield packed_finding(RULE, fault, fault.finding.says, with_correction=fault.finding.fault in _CORRECTABLE)
