"""What can be done about findings: their fixes, one kind of them all over the file, and silencing them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ptx_lsp.diagnostic import Diagnostic, Edit, Severity
from ptx_lsp.syntax.document import Document
from ptx_lsp.text import Span


class CodeAction(NamedTuple):
    """A change that the user can choose."""

    title: str
    edits: tuple[Edit, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    """The findings that it mends."""
    is_preferred: bool = False
    """Whether "fix this" should do it without asking."""
    kind: str = "quickfix"
    """LSP's name of the kind."""


FIX_ALL = "source.fixAll.ptx-lsp"


def code_actions(document: Document, diagnostics: Sequence[Diagnostic], span: Span) -> list[CodeAction]:
    """What can be done at ``span``, the likeliest first.

    Args:
        document: the text.
        diagnostics: all its findings.
        span: the selection, or an empty span at the cursor.

    """
    here = [one for one in diagnostics if one.span.start <= span.end and span.start <= one.span.end]
    found: list[CodeAction] = []
    for diagnostic in here:
        for number, fix in enumerate(diagnostic.fixes):
            preferred = number == 0 and len(diagnostic.fixes) == 1 and diagnostic.severity is Severity.ERROR
            found.append(CodeAction(fix.title, fix.edits, (diagnostic,), preferred))
    for code in dict.fromkeys(one.code for one in here if one.fixes):
        alike = [one for one in diagnostics if one.code == code and one.fixes]
        if len(alike) > 1:
            edits, mended = fixes_of(alike)
            if len(mended) > 1:
                title = f"fix all {len(mended)} of {code} {alike[0].name} in this file"
                found.append(CodeAction(title, edits, tuple(mended)))
    found += (_suppress(document, one) for one in _first_of_each_code(here))
    return found


def fix_all(diagnostics: Iterable[Diagnostic]) -> CodeAction | None:
    """All findings that have just one fix, mended at once; None if there are none."""
    edits, mended = fixes_of([one for one in diagnostics if len(one.fixes) == 1])
    return CodeAction("fix all that have one remedy", edits, tuple(mended), kind=FIX_ALL) if mended else None


def fixes_of(diagnostics: Iterable[Diagnostic]) -> tuple[tuple[Edit, ...], list[Diagnostic]]:
    """The edits of the first fix of each finding, without those that touch an earlier one; and what they mend."""
    taken: list[Edit] = []
    mended = []
    known: set[Edit] = set()
    for diagnostic in diagnostics:
        edits = diagnostic.fixes[0].edits
        if known.issuperset(edits):  # one edit of the header mends many
            mended.append(diagnostic)
            continue
        if any(_touch(edit, other) for edit in edits for other in taken):
            continue
        taken += edits
        known.update(edits)
        mended.append(diagnostic)
    return tuple(sorted(taken, key=lambda edit: edit.span)), mended


def _touch(one: Edit, other: Edit) -> bool:
    if one.span.start == one.span.end or other.span.start == other.span.end:
        return one.span.start <= other.span.end and other.span.start <= one.span.end
    return one.span.start < other.span.end and other.span.start < one.span.end


def _first_of_each_code(diagnostics: Iterable[Diagnostic]) -> Iterable[Diagnostic]:
    found: dict[str, Diagnostic] = {}
    for diagnostic in diagnostics:
        if diagnostic.code[0] not in "EI":
            found.setdefault(diagnostic.code, diagnostic)
    return found.values()


def _suppress(document: Document, diagnostic: Diagnostic) -> CodeAction:
    """A comment at the end of the line that silences the finding; one that is there already gets its code."""
    line, _ = document.position(diagnostic.span.start)
    text = document.line_text(line)
    start = document.offset(line, 0)
    there = _IGNORED.search(text)
    if there is not None:
        end = start + there.end()
        edit = Edit(Span(end, end), f"{', ' if there[1].strip() else ''}{diagnostic.code}")
    else:
        end = start + len(text.rstrip())
        edit = Edit(Span(end, end), f" // ptx-lsp: ignore[{diagnostic.code}]")
    return CodeAction(f"silence {diagnostic.code} {diagnostic.name} on this line", (edit,), (diagnostic,))


_IGNORED = re.compile(r"//\s*ptx-lsp:\s*ignore\[([^\]]*)(?=\])")
