"""Findings as text: a line with place and message, the source line with carets and the first fix, and what remains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO

from ptx_lsp.cli.lines import SourceExcerpt
from ptx_lsp.cli.report import FileReport, ReportedFinding, RunSummary
from ptx_lsp.cli.terminal import SEVERITIES, STYLES, paint, printable, wants_colour, width
from ptx_lsp.diagnostic import describe_counts

_TAB = 4
_COLUMNS = 120
"""Approximate maximum width of an excerpt in columns."""


def write(reports: Iterable[FileReport], summary: RunSummary, out: TextIO) -> None:
    """Write each finding, then a summary line."""
    colour = wants_colour(out)
    for report in reports:
        for finding in report.findings:
            out.write("\n".join(_lines(report.path, finding, colour)) + "\n\n")
    out.write(_sum(summary) + "\n")


def _lines(path: str, finding: ReportedFinding, colour: bool) -> Iterator[str]:
    def styled(text: str, style: str) -> str:
        return paint(text, style) if colour else text

    severity = SEVERITIES[finding.severity]
    first, *rest = finding.message.split("\n")
    place = f"{printable(path)}:{finding.place.line}:{finding.place.column}:"
    kind = f"{finding.severity.name.lower()}[{finding.code}]"
    name = styled(f"[{finding.name}]", STYLES["line"])
    yield f"{styled(place, STYLES['place'])} {styled(kind, severity)}: {printable(first)} {name}"

    number = str(finding.place.line)
    margin = " " * max(5, len(number))
    code, indent, carets = _draw(finding.excerpt)
    yield f"{styled(f'{number:>{len(margin)}} |', STYLES['line'])} {code}".rstrip()
    help_, *others = [f"help: {printable(fix.title)}" for fix in finding.fixes] or [""]
    under = styled(f"{'^' * carets} {help_}".rstrip(), severity)
    yield f"{styled(margin + ' |', STYLES['line'])} {' ' * indent}{under}"
    for line in rest:
        yield f"{margin} = {printable(line)}"
    for one in finding.related:
        yield f"{margin} = {styled(f'line {one.place.line}', STYLES['note'])}: {printable(one.message)}"
    for other in others:
        yield f"{margin} = {other}"


def _draw(excerpt: SourceExcerpt) -> tuple[str, int, int]:
    """The excerpt as printed, the columns before its carets, and the number of carets (at least one)."""
    room = _COLUMNS // 2
    first = max(0, excerpt.start - room) if len(excerpt.text) > _COLUMNS else 0
    last = min(len(excerpt.text), max(first + _COLUMNS, excerpt.start + room))
    before = "…" if excerpt.cut_before or first > 0 else ""
    after = "…" if excerpt.cut_after or last < len(excerpt.text) else ""

    def shown(upto: int) -> str:
        return before + printable(excerpt.text[first:upto]).expandtabs(_TAB)

    indent = width(shown(excerpt.start))
    carets = width(shown(min(excerpt.end, last))) - indent
    return shown(last) + after, indent, max(1, carets)


def _sum(summary: RunSummary) -> str:
    files = f"{summary.files} file" + ("" if summary.files == 1 else "s")
    unread = f" ({len(summary.problems)} more could not be checked)" if summary.problems and summary.files else ""
    if summary.problems and not summary.files:
        return "nothing could be checked"
    if not summary.files:
        return "no PTX found"
    found = describe_counts(summary.severities) or "nothing wrong"
    return f"{'at least ' if summary.is_minimum else ''}{found} in {files}{unread}"
