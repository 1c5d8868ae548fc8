"""W816 mixed-cta-groups."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.model.ordering import Verb

RULE = warning("W816")
_OF_ALLOCATION = (Verb.ALLOCATES, Verb.FREES, Verb.RELINQUISHES)
_OF_WORK = ((Verb.STARTS, "tensor-work"), (Verb.COMPLETES, "tensor-work"))


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A kernel with `tcgen05` instructions for one CTA and for a pair of CTAs.

    All `tcgen05` instructions of a kernel must have the same `.cta_group`. ptxas accepts different groups when it only
    checks the file, and refuses them when it compiles.

    ```ptx
    //- sm_100a ptx 8.6
    .shared .align 4 .b32 where;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [where], 128;
    tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;
    //                             ^^^^^^^^^^^^^ warning[W816]: '.cta_group::2' after '.cta_group::1'; all 'tcgen05' of a kernel must have the same group
    // ptxas: Function 'kernel' uses single CTA(.cta_group::1) and CTA pair granularity(.cta_group::2) ...
    ```

    **Right:** `tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;`

    **Fixes offered:** the group of the first `tcgen05` instruction.

    ---

    ptxas compiles such a kernel up to CUDA 12.9, and refuses it since CUDA 13.0.
    """  # noqa: E501 (a caret line carries its message)
    first = ""
    facts = flow.kernel.facts
    of_tensor_memory = [step for verb in _OF_ALLOCATION for step in facts.steps(verb)]
    of_tensor_memory += [step for verb, kind in _OF_WORK for step in facts.steps(verb, kind)]
    for step in sorted(of_tensor_memory, key=lambda one: (one.node, one.statement)):
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
                fixes = (Fix(f"replace with '{first}'", (Edit(span, first),)),)
                message = f"'{word}' after '{first}'; all 'tcgen05' of a kernel must have the same group"
                yield PlacedFinding(step.place, RULE.at(span, message, fixes=fixes))
