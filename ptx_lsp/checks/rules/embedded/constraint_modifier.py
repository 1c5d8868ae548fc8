"""E905 constraint-modifier."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.checks.support.finding import error
from ptx_lsp.checks.support.fragment_finding import FragmentFinding, in_host
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.text import Span

RULE = error("E905")


def check_fragment(fragment: AsmFragment) -> Iterator[FragmentFinding]:
    """An input with `=` or `+`, or an output without: the lists of operands are in the wrong order, or one is missing.

    ```cuda
    asm("mov.b32 %0, %1;" : "r"(d) : "r"(a));
    //                       ^ error[E905]: an output has '=' or '+' before its letter
    ```

    **Right:** `asm("mov.b32 %0, %1;" : "=r"(d) : "r"(a));`

    **Fixes offered:** `=` before the letter of an output.

    ---

    Outputs stand after the first colon, inputs after the second: a statement without outputs begins with `::`.
    """
    if fragment.site.dialect != "gcc":
        return
    for operand in fragment.operands:
        constraint = operand.constraint
        if constraint is None:
            continue
        span = operand.written.constraint_span
        if operand.written.is_output and constraint.modifiers[:1] not in ("=", "+"):
            fix = Fix("insert '='", (Edit(Span(span.start, span.start), "="),))
            fixes = () if constraint.modifiers else (fix,)
            yield in_host(RULE.at(span, "an output has '=' or '+' before its letter", fixes=fixes))
        elif not operand.written.is_output and constraint.modifiers:
            yield in_host(
                RULE.at(span, f"an input has no '{constraint.modifiers[0]}'; outputs stand after the first ':'")
            )
