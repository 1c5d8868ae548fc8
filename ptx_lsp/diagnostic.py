"""What a check says: a finding with its place, its related places and its remedies.

Spans are relative to whatever the finding was made on (a statement, or the whole
document); :meth:`Diagnostic.shifted` moves a finding from one to the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum

from ptx_lsp.text import Span


class Severity(IntEnum):
    """How bad it is; the numbers are those of LSP's ``DiagnosticSeverity``."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3
    HINT = 4

    def noun(self, count: int) -> str:
        """What ``count`` findings of this severity are called: ``errors``, ``hint``."""
        word = "note" if self is Severity.INFORMATION else self.name.lower()
        return word if count == 1 else word + "s"


def describe_counts(counts: Mapping[Severity, int]) -> str:
    """How many findings of each severity, the most severe first: ``3 errors, 1 hint``."""
    return ", ".join(f"{count} {severity.noun(count)}" for severity, count in sorted(counts.items()) if count)


class Tag(IntEnum):
    """How an editor may show it besides; the numbers are those of LSP's ``DiagnosticTag``."""

    UNNECESSARY = 1
    DEPRECATED = 2


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace ``span`` by ``text``."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A remedy: a title that reads as a command ("insert ';'") and the edits that carry it out."""

    title: str
    edits: tuple[Edit, ...]
    is_sure: bool = True
    """Whether it is what was meant; a guess, such as a mask of lanes, is never done unasked."""

    def shifted(self, by: int) -> Fix:
        """The same fix, ``by`` code points further on."""
        return Fix(self.title, tuple(Edit(edit.span.shifted(by), edit.text) for edit in self.edits), self.is_sure)


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that explains the finding, such as a declaration. Its span is always absolute."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.

    ``code`` is the stable number (``E502``), ``name`` its readable twin
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
    """What the module's header would have to say, such as ``(".target", "sm_90a")``. Whether that makes other errors is
    not known yet: ``checks/header_fixes.py`` makes a fix of it where somebody asks."""

    def shifted(self, by: int) -> Diagnostic:
        """The same finding, ``by`` code points further on; related places stay, they are absolute."""
        return replace(self, span=self.span.shifted(by), fixes=tuple(fix.shifted(by) for fix in self.fixes))
