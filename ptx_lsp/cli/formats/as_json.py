"""Findings as JSON, in the format that the README describes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TextIO

from ptx_lsp.cli.lines import LineRange
from ptx_lsp.cli.report import FileReport, ReportedFinding, RunSummary


def write(reports: Iterable[FileReport], summary: RunSummary, out: TextIO) -> None:
    """Write one JSON object."""
    files = [_file(report) for report in reports]
    totals = {"files": summary.files, "errors": summary.errors, "warnings": summary.warnings}
    json.dump({"files": files, "summary": totals}, out, indent=1)
    out.write("\n")


def _file(report: FileReport) -> dict[str, Any]:
    file: dict[str, Any] = {"path": report.path, "diagnostics": [_finding(one) for one in report.findings]}
    if report.omitted:
        file["omitted"] = {severity.name.lower(): count for severity, count in sorted(report.omitted.items())}
        if report.is_minimum:
            file["omittedIsMinimum"] = True
    return file


def _finding(finding: ReportedFinding) -> dict[str, Any]:
    return {
        **_place(finding.place),
        "severity": finding.severity.name.lower(),
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "fixes": [
            {"title": fix.title, "edits": [{**_place(edit.place), "text": edit.text} for edit in fix.edits]}
            for fix in finding.fixes
        ],
    }


def _place(place: LineRange) -> dict[str, int]:
    return place._asdict()
