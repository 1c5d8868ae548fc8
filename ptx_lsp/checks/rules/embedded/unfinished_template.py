"""E907 unfinished-template."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.checks.support.finding import error
from ptx_lsp.checks.support.fragment_finding import FragmentFinding, Replaced, in_fragment
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.syntax.split import splitting
from ptx_lsp.syntax.tokens import tokenize
from ptx_lsp.text import Span

RULE = error("E907")
_LAST = frozenset(";{}:")


def check_fragment(fragment: AsmFragment) -> Iterator[FragmentFinding | None]:
    """A template whose last instruction has no `;`. ptxas reads on, and reports an error in whatever follows.

    ```cuda
    asm("mov.u32 %0, %clock" : "=r"(d));
    //                    ^ error[E907]: ';' expected at the end of the template
    ```

    **Right:** `asm("mov.u32 %0, %clock;" : "=r"(d));`

    **Fixes offered:** the `;`.
    """
    if fragment.text.rstrip()[-1:] in _LAST or fragment.unknown.has_statements or fragment.is_blank:
        return
    # Comments at the end are a part of no statement, or of the last one without its ";".
    at = len(fragment.text)
    for part in reversed((yield from splitting(fragment.text, closed_later=False))):
        at -= len(part)
        tokens = tokenize(part)
        if not tokens:
            continue
        last = tokens[-1]
        span = Span(at + last.end - 1, at + last.end)
        if fragment.text[span.start] not in _LAST and not fragment.unknown.is_opaque(span):
            fix = Fix("insert ';'", (Edit(Span(span.end, span.end), ";"),))
            found = RULE.at(span, "';' expected at the end of the template", fixes=(fix,))
            yield in_fragment(found, Replaced("E101", Span(at + last.end, len(fragment.text))))
        return
