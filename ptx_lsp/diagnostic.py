"""Diagnostics: findings with their span, related locations and fixes.

Spans are relative to the text that was checked (a statement, or the whole document);
:meth:`Diagnostic.shifted` converts from one to the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.text import Span


class Severity(IntEnum):
    """The severity of a finding; the numbers are those of LSP's ``DiagnosticSeverity``."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3
    HINT = 4

    def noun(self, count: int) -> str:
        """The noun for ``count`` findings of this severity: ``errors``, ``hint``."""
        word = "note" if self is Severity.INFORMATION else self.name.lower()
        return word if count == 1 else word + "s"


def describe_counts(counts: Mapping[Severity, int], *, is_minimum: bool = False) -> str:
    """The number of findings of each severity in words, the most severe first: ``3 errors, 1 hint``.

    If there ``is_minimum``, there may be more: ``3 errors, 2000 or more warnings``.
    """
    found = [(severity, count) for severity, count in sorted(counts.items()) if count]
    words = [f"{count} {severity.noun(count)}" for severity, count in found]
    if is_minimum and found:
        words[-1] = f"{found[-1][1]} or more {found[-1][0].noun(2)}"
    return ", ".join(words)


class Tag(IntEnum):
    """Additional presentation of a finding in editors; the numbers are those of LSP's ``DiagnosticTag``."""

    UNNECESSARY = 1
    DEPRECATED = 2


class Edit(NamedTuple):
    """Replace ``span`` by ``text``."""

    span: Span
    text: str


class Fix(NamedTuple):
    """A fix: a title in the imperative ("insert ';'") and the edits that apply it."""

    title: str
    edits: tuple[Edit, ...]
    is_sure: bool = True
    """Whether it is certainly intended; a guess, such as a lane mask, is never applied automatically."""

    def shifted(self, by: int) -> Fix:
        """A copy of the fix, moved by ``by`` code points."""
        return Fix(self.title, tuple(Edit(edit.span.shifted(by), edit.text) for edit in self.edits), self.is_sure)


class Related(NamedTuple):
    """Another location that explains the finding, such as a declaration. Its span is always absolute."""

    span: Span
    message: str


class Diagnostic(NamedTuple):
    """One finding.

    ``code`` is the stable number (``E502``), ``name`` its readable name
    (``newer-target``). ``message`` is plain text: lower case, no final dot, the
    thing in single quotes; its first line is complete within 80 characters.
    """

    code: str
    name: str
    severity: Severity
    message: str
    span: Span
    fixes: tuple[Fix, ...] = ()
    related: tuple[Related, ...] = ()
    tags: tuple[Tag, ...] = ()
    header: tuple[tuple[str, str], ...] = ()
    """Header directives that would resolve the finding, such as ``(".target", "sm_90a")``. Whether they cause other
    errors is not known yet: ``checks/engine/header_fixes.py`` computes the fix on demand."""
    named_line: int = 0
    """The line, counted from 1, that the message names as ``(line 5)``: that of a declaration. 0 if there is none."""
    repeats: tuple[Related, ...] = ()
    """Further places of the same mistake, such as other uses of an undeclared name, each with a message of its own.
    They are counted and listed as one finding; editors mark each place. The spans are absolute."""

    def shifted(self, by: int) -> Diagnostic:
        """A copy of the finding, moved by ``by`` code points; related locations are absolute and do not move."""
        start, end = self.span
        return Diagnostic(  # "_replace" takes twice as long, and an edit shifts many findings
            self.code,
            self.name,
            self.severity,
            self.message,
            Span(start + by, end + by),
            tuple([fix.shifted(by) for fix in self.fixes]) if self.fixes else (),
            self.related,
            self.tags,
            self.header,
            self.named_line,
            self.repeats,
        )
