"""H911 bare-percent."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.checks.support.finding import hint
from ptx_lsp.checks.support.fragment_finding import FragmentFinding, in_fragment
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.template import SigilKind
from ptx_lsp.stepwise import in_parts
from ptx_lsp.text import Span

RULE = hint("H911")


def check_fragment(fragment: AsmFragment) -> Iterator[FragmentFinding | None]:
    """A single `%` before a name, where the statement has operands. nvcc copies it; clang refuses it.

    ```cuda
    asm("mov.u32 %0, %laneid;" : "=r"(d));
    //               ^^^^^^^ hint[H911]: clang does not accept '%laneid' in a statement with operands; write '%%laneid'
    ```

    **Right:** `asm("mov.u32 %0, %%laneid;" : "=r"(d));`

    **Fixes offered:** `%%` for `%`.
    """
    if fragment.site.dialect != "gcc":
        return
    for part in in_parts(fragment.marks):
        for mark in part:
            if mark.kind is SigilKind.BARE and not fragment.is_comment(mark.span.start):
                start, end = mark.span
                name = fragment.text[start:end]
                message = f"clang does not accept '{name}' in a statement with operands; write '%{name}'"
                fix = Fix(f"write '%{name}'", (Edit(Span(start, start + 1), "%"),))
                yield in_fragment(RULE.at(mark.span, message, fixes=(fix,)))
        yield None
