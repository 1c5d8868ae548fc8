"""Quick fixes of findings, single or for all findings of a code in the file."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from ptx_lsp.checks.engine.header_fixes import with_header_fixes
from ptx_lsp.diagnostic import Diagnostic, Edit, Fix, Severity
from ptx_lsp.features.code_actions.action import FIX_ALL, ActionRequest, CodeAction
from ptx_lsp.features.code_actions.repairs import repairs
from ptx_lsp.syntax.document import Document


def quick_fixes(document: Document, here: Iterable[Diagnostic]) -> Iterator[CodeAction]:
    """Yield the fixes of each finding; a fix shared by several findings is offered once."""
    found: dict[Fix, list[Diagnostic]] = {}
    for diagnostic in here:
        for fix in diagnostic.fixes:
            found.setdefault(fix, []).append(diagnostic)
    for fix, fixed in found.items():
        preferred = (
            fix.is_sure
            and all(len(one.fixes) == 1 and one.severity is Severity.ERROR for one in fixed)
            and repairs(document, fixed[0])
        )
        yield CodeAction(fix.title, fix.edits, tuple(fixed), preferred)


def all_of_a_kind(request: ActionRequest, here: Iterable[Diagnostic]) -> Iterator[CodeAction]:
    """For each code among ``here``, offer the first fix of all findings of that code in the file."""
    for code in dict.fromkeys(one.code for one in here if one.fixes):
        alike = with_header_fixes(request.semantics, [one for one in request.diagnostics if one.code == code])
        alike = [one for one in alike if one.fixes]
        if len(alike) < 2:
            continue
        edits, fixed = fixes_of(alike)
        if len(fixed) > 1:
            title = f"fix all {len(fixed)} of {code} {alike[0].name} in this file"
            own = tuple(one for one in here if one.code == code)
            yield CodeAction(title, diagnostics=own, compute_edits=lambda edits=edits: edits)  # type: ignore[misc]


def fix_all(document: Document, diagnostics: Iterable[Diagnostic]) -> CodeAction | None:
    """Return an action that fixes all findings with exactly one safe fix; None if there are none."""
    safe = [one for one in diagnostics if len(one.fixes) == 1 and _is_safe(one)]
    edits, fixed = fixes_of([one for one in safe if repairs(document, one)])
    if not fixed:
        return None
    return CodeAction(
        "apply all unambiguous fixes", diagnostics=tuple(fixed), kind=FIX_ALL, compute_edits=lambda: edits
    )


def _is_safe(diagnostic: Diagnostic) -> bool:
    """Whether the only fix preserves the meaning or repairs code that has none, so that clients may apply it on save.

    Findings of unused declarations are excluded: during editing a name is not used *yet*.
    """
    return diagnostic.fixes[0].is_sure and not diagnostic.code.startswith(_ON_REQUEST)


_ON_REQUEST = ("W62", "W8")
"""Codes of unused names, waits and fences: the fix is not certain enough to apply it without a request."""


def fixes_of(diagnostics: Iterable[Diagnostic]) -> tuple[tuple[Edit, ...], list[Diagnostic]]:
    """Return the edits of the first fixes, without edits that touch an earlier one, and the findings that they fix."""
    taken: list[Edit] = []
    """Accepted edits, sorted."""
    fixed = []
    known: set[Edit] = set()
    is_header_changed = False
    for diagnostic in diagnostics:
        edits = diagnostic.fixes[0].edits
        if known.issuperset(edits):  # one header edit can fix many findings
            fixed.append(diagnostic)
            continue
        fresh = [edit for edit in edits if edit not in known]
        # Each header was tried by itself: two that do no harm can do some together.
        if any(_touches(edit, taken) for edit in fresh) or (diagnostic.header and is_header_changed):
            continue
        is_header_changed = is_header_changed or bool(diagnostic.header)
        for edit in fresh:
            taken.insert(_place(edit, taken), edit)
        known.update(edits)
        fixed.append(diagnostic)
    return tuple(taken), fixed


def _place(edit: Edit, taken: list[Edit]) -> int:
    return bisect_left(taken, edit.span, key=lambda one: one.span)


def _touches(edit: Edit, taken: list[Edit]) -> bool:
    """Whether an edit overlaps or adjoins one of ``taken``, which are sorted and disjoint."""
    at = _place(edit, taken)
    return any(_touch(edit, other) for other in taken[max(at - 1, 0) : at + 2])


def _touch(one: Edit, other: Edit) -> bool:
    if one.span.start == one.span.end or other.span.start == other.span.end:
        return one.span.start <= other.span.end and other.span.start <= one.span.end
    return one.span.start < other.span.end and other.span.start < one.span.end
