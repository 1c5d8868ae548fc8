"""The findings of a run, picklable and independent of the output format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ptx_lsp.cli.lines import LineRange, Lines, SourceExcerpt
from ptx_lsp.diagnostic import Diagnostic, Severity
from ptx_lsp.named_tuples import NamedTuple


class LocatedEdit(NamedTuple):
    """Replacement of the text at ``place``."""

    place: LineRange
    text: str


class LocatedFix(NamedTuple):
    """A fix with its edits."""

    title: str
    edits: tuple[LocatedEdit, ...]


class LocatedRelated(NamedTuple):
    """A related place of a finding."""

    place: LineRange
    message: str


class ReportedFinding(NamedTuple):
    """A diagnostic with lines, columns and an excerpt of its source line."""

    place: LineRange
    severity: Severity
    code: str
    name: str
    message: str
    fixes: tuple[LocatedFix, ...]
    related: tuple[LocatedRelated, ...]
    excerpt: SourceExcerpt


class FileReport(NamedTuple):
    """The findings of one file."""

    path: str
    findings: tuple[ReportedFinding, ...] = ()
    problem: str | None = None
    """The reason why the file could not be checked."""
    omitted: Counter[Severity] | None = None
    """Number of findings per severity that ``max-diagnostics`` omits."""
    is_minimum: bool = False
    """Whether more than ``omitted`` may be omitted."""
    has_ptx: bool = True
    """False for a source of another language without inline assembly."""


class RunSummary:
    """The totals of a run; complete after the last report of :meth:`counted`."""

    def __init__(self) -> None:
        self.files = 0
        """Files that were checked."""
        self.severities: Counter[Severity] = Counter()
        self.is_minimum = False
        """Whether there may be more findings than ``severities`` says."""
        self.problems: list[FileReport] = []
        """Files that could not be checked."""

    @property
    def errors(self) -> int:
        """Number of errors, including omitted ones."""
        return self.severities[Severity.ERROR]

    @property
    def warnings(self) -> int:
        """Number of warnings, including omitted ones."""
        return self.severities[Severity.WARNING]

    def counted(self, reports: Iterable[FileReport]) -> Iterator[FileReport]:
        """Pass on the reports of the files that could be checked, and count all reports, where there is PTX."""
        for report in reports:
            if not report.has_ptx:
                continue
            if report.problem is not None:
                self.problems.append(report)
                continue
            self.files += 1
            self.severities.update(finding.severity for finding in report.findings)
            self.severities.update(report.omitted or {})
            self.is_minimum |= report.is_minimum
            yield report


def locate(text: str, diagnostics: list[Diagnostic]) -> tuple[ReportedFinding, ...]:
    """The diagnostics of ``text`` with lines and columns."""
    if not diagnostics:
        return ()
    lines = Lines(text)
    return tuple(_locate(lines, diagnostic) for diagnostic in diagnostics)


def _locate(lines: Lines, diagnostic: Diagnostic) -> ReportedFinding:
    fixes = (
        LocatedFix(fix.title, tuple(LocatedEdit(lines.place(edit.span), edit.text) for edit in fix.edits))
        for fix in diagnostic.fixes
    )
    related = (LocatedRelated(lines.place(one.span), one.message) for one in diagnostic.related)
    return ReportedFinding(
        lines.place(diagnostic.span),
        diagnostic.severity,
        diagnostic.code,
        diagnostic.name,
        diagnostic.message,
        tuple(fixes),
        tuple(related),
        lines.excerpt(diagnostic.span),
    )
