"""What can be done about findings: their fixes, and one kind of them all over the file."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from ptx_lsp.checks.engine.header_fixes import with_header_fixes
from ptx_lsp.diagnostic import Diagnostic, Edit, Fix, Severity
from ptx_lsp.features.code_actions.action import FIX_ALL, Asked, CodeAction


def fixes(here: Iterable[Diagnostic]) -> Iterator[CodeAction]:
    """The fixes of each finding; one that mends several is offered once."""
    found: dict[Fix, list[Diagnostic]] = {}
    for diagnostic in here:
        for fix in diagnostic.fixes:
            found.setdefault(fix, []).append(diagnostic)
    for fix, mended in found.items():
        preferred = fix.is_sure and all(len(one.fixes) == 1 and one.severity is Severity.ERROR for one in mended)
        yield CodeAction(fix.title, fix.edits, tuple(mended), preferred)


def all_of_a_kind(asked: Asked, here: Iterable[Diagnostic]) -> Iterator[CodeAction]:
    """For each kind of finding ``here`` the first fix of all of that kind in the file."""
    for code in dict.fromkeys(one.code for one in here if one.fixes):
        alike = with_header_fixes(asked.semantics, [one for one in asked.diagnostics if one.code == code])
        alike = [one for one in alike if one.fixes]
        if len(alike) < 2:
            continue
        edits, mended = fixes_of(alike)
        if len(mended) > 1:
            title = f"fix all {len(mended)} of {code} {alike[0].name} in this file"
            own = tuple(one for one in here if one.code == code)
            yield CodeAction(title, diagnostics=own, later=lambda edits=edits: edits)  # type: ignore[misc]


def fix_all(diagnostics: Iterable[Diagnostic]) -> CodeAction | None:
    """All findings that have just one fix, mended at once; None if there are none."""
    edits, mended = fixes_of([one for one in diagnostics if len(one.fixes) == 1 and _is_safe(one)])
    if not mended:
        return None
    return CodeAction("fix all that have one remedy", diagnostics=tuple(mended), kind=FIX_ALL, later=lambda: edits)


def _is_safe(diagnostic: Diagnostic) -> bool:
    """Whether the one remedy keeps the meaning, or mends what has none: editors may do this whenever a file is saved.

    What is never used is left alone: while somebody writes, it is not used *yet*.
    """
    return diagnostic.fixes[0].is_sure and not diagnostic.code.startswith(_ON_REQUEST)


_ON_REQUEST = ("W62", "W8")
"""What is unused, and waits and fences: where these belong is not certain enough to write them unasked."""


def fixes_of(diagnostics: Iterable[Diagnostic]) -> tuple[tuple[Edit, ...], list[Diagnostic]]:
    """The edits of the first fix of each finding, without those that touch an earlier one; and what they mend."""
    taken: list[Edit] = []
    """In the order of the text."""
    mended = []
    known: set[Edit] = set()
    is_header_changed = False
    for diagnostic in diagnostics:
        edits = diagnostic.fixes[0].edits
        if known.issuperset(edits):  # one edit of the header mends many
            mended.append(diagnostic)
            continue
        fresh = [edit for edit in edits if edit not in known]
        # Each header was tried by itself: two that do no harm can do some together.
        if any(_touches(edit, taken) for edit in fresh) or (diagnostic.header and is_header_changed):
            continue
        is_header_changed = is_header_changed or bool(diagnostic.header)
        for edit in fresh:
            taken.insert(_place(edit, taken), edit)
        known.update(edits)
        mended.append(diagnostic)
    return tuple(taken), mended


def _place(edit: Edit, taken: list[Edit]) -> int:
    return bisect_left(taken, edit.span, key=lambda one: one.span)


def _touches(edit: Edit, taken: list[Edit]) -> bool:
    """Whether an edit touches one of others, which are in order and do not touch each other."""
    at = _place(edit, taken)
    return any(_touch(edit, other) for other in taken[max(at - 1, 0) : at + 2])


def _touch(one: Edit, other: Edit) -> bool:
    if one.span.start == one.span.end or other.span.start == other.span.end:
        return one.span.start <= other.span.end and other.span.start <= one.span.end
    return one.span.start < other.span.end and other.span.start < one.span.end
