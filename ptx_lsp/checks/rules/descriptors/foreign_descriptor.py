"""W703 foreign-descriptor."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.descriptors.foreign import is_foreign, own_layout
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.checks.support.packed_wording import packed_finding

RULE = warning("W703")


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A matrix descriptor in the format of the other generation: of `wgmma` for `tcgen05`, or the other way round.

    The fields are at the same bits, but `tcgen05` requires 0b001 in bits 46 to 48, and the swizzle codes differ.

    ```ptx
    //- sm_100a ptx 8.6
        mov.b64 %rd1, 0x4000004000010000;
        tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, %r1, %p1;
    //                                            ^^^^ warning[W703]: 'a-desc' 0x4000004000010000: this is a matrix descriptor of wgmma.mma_async (line 7)
    // ptxas: accepts it
    ```

    **Right:** `mov.b64 %rd1, 0x4000404000010000;`: bit 46 is set, and swizzle 128B is code 2 in bits 61 to 63.
    """  # noqa: E501 (a caret line carries its message)
    reported: set[object] = set()
    for fault in (yield from flow.packed.finding_faults()):
        if is_foreign(fault.known):
            key = fault.written or (fault.context.place, fault.known.packed.operand)
            if key not in reported:
                reported.add(key)
                yield packed_finding(RULE, fault, f"this is a {own_layout(fault.known)}")
