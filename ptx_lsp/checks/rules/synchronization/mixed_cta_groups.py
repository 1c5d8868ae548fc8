"""W816 mixed-cta-groups."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.diagnostic import Edit, Fix

RULE = warning("W816", opcodes=frozenset({"tcgen05"}))


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A kernel with `tcgen05` instructions for one CTA and for a pair of CTAs.

    All of them in a kernel name the same group. ptxas takes a mixture when it only reads the file, and refuses it
    when it compiles.

    ```ptx
    //- sm_100a ptx 8.6
    .shared .align 4 .b32 where;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [where], 128;
    tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;
    //                             ^^^^^^^^^^^^^ warning[W816]
    // ptxas: Function 'kernel' uses single CTA(.cta_group::1) and CTA pair granularity(.cta_group::2) ...
    ```

    **Right:** `tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;`

    **Fixes offered:** the group that the kernel names first.

    ---

    ptxas compiles such a kernel up to CUDA 12.9, and refuses it since CUDA 13.0.
    """
    first = ""
    for step in flow.kernel.all("tcgen05"):
        for at, word in enumerate(step.opcode):
            if not word.startswith(".cta_group"):
                continue
            first = first or word
            if word != first:
                context = flow.kernel.context(step)
                tree = context.instruction
                if tree is None:
                    continue
                span = context.span(tree.opcode_tokens[at])
                fixes = (Fix(f"replace by '{first}'", (Edit(span, first),)),)
                message = f"the kernel uses '{first}' before; all 'tcgen05' name the same group"
                yield PlacedFinding(step.place, RULE.at(span, message, fixes=fixes))
