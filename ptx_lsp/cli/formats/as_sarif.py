"""Findings as SARIF 2.1.0, the exchange format of static analysis tools."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TextIO
from urllib.parse import quote

from ptx_lsp import __version__
from ptx_lsp.cli.lines import LineRange
from ptx_lsp.cli.report import FileReport, LocatedFix, ReportedFinding, RunSummary
from ptx_lsp.diagnostic import Severity

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFORMATION: "note", Severity.HINT: "note"}


def write(reports: Iterable[FileReport], summary: RunSummary, out: TextIO) -> None:
    """Write one log with one run: its rules, the findings, and the files that could not be checked."""
    rules: dict[tuple[str, str], int] = {}
    results = [_result(report.path, one, rules) for report in reports for one in report.findings]
    log = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver(rules)},
                "columnKind": "unicodeCodePoints",
                "invocations": [_invocation(summary)],
                "results": results,
            }
        ],
    }
    json.dump(log, out, indent=1)
    out.write("\n")


def _driver(rules: dict[tuple[str, str], int]) -> dict[str, Any]:
    return {
        "name": "ptx-lsp",
        "version": __version__,
        "rules": [{"id": code, "name": name} for code, name in rules],
    }


def _invocation(summary: RunSummary) -> dict[str, Any]:
    notifications = [
        {"level": "error", "message": {"text": report.problem}, "locations": [{"physicalLocation": _file(report.path)}]}
        for report in summary.problems
    ]
    return {"executionSuccessful": not notifications, "toolExecutionNotifications": notifications}


def _result(path: str, finding: ReportedFinding, rules: dict[tuple[str, str], int]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rules.setdefault((finding.code, finding.name), len(rules)),
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [_location(path, finding.place)],
    }
    if finding.related:
        result["relatedLocations"] = [
            {**_location(path, one.place), "message": {"text": one.message}} for one in finding.related
        ]
    if finding.fixes:
        result["fixes"] = [_fix(path, fix) for fix in finding.fixes]
    return result


def _fix(path: str, fix: LocatedFix) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(edit.place), "insertedContent": {"text": edit.text}} for edit in fix.edits
    ]
    return {
        "description": {"text": fix.title},
        "artifactChanges": [{**_file(path), "replacements": replacements}],
    }


def _location(path: str, place: LineRange) -> dict[str, Any]:
    return {"physicalLocation": {**_file(path), "region": _region(place)}}


def _file(path: str) -> dict[str, Any]:
    """The path as a URI reference, relative to the working directory."""
    uri = quote(path.replace("\\", "/"), errors="surrogateescape")
    return {"artifactLocation": {"uri": uri}}


def _region(place: LineRange) -> dict[str, int]:
    line, column, end_line, end_column = place
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
