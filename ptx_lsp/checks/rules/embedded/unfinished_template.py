"""E907 unfinished-template."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.checks.support.finding import error
from ptx_lsp.checks.support.fragment_finding import FragmentFinding, Replaced, in_fragment
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.syntax.document import Document
from ptx_lsp.text import Span

RULE = error("E907")
_LAST = frozenset(";{}:")


def check_fragment(fragment: AsmFragment) -> Iterator[FragmentFinding]:
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
    chunks = Document(fragment.text).chunks
    # Comments at the end are a part of no statement, or of the last one without its ";".
    at = len(fragment.text)
    for chunk in reversed(chunks):
        for index in range(len(chunk) - 1, -1, -1):
            statement = chunk.statement(index)
            at -= len(statement.text)
            if not statement.tokens:
                continue
            last = statement.tokens[-1]
            text = statement.text[last.start : last.end]
            span = Span(at + last.end - 1, at + last.end)
            if text[-1:] not in _LAST and not fragment.unknown.is_opaque(span):
                fix = Fix("insert ';'", (Edit(Span(span.end, span.end), ";"),))
                found = RULE.at(span, "';' expected at the end of the template", fixes=(fix,))
                yield in_fragment(found, Replaced("E101", Span(at + last.end, len(fragment.text))))
            return
