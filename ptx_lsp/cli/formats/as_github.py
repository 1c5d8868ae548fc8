"""Findings as GitHub workflow commands, which GitHub shows as annotations of a pull request."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from ptx_lsp.cli.report import FileReport, ReportedFinding, RunSummary
from ptx_lsp.diagnostic import Severity

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning"}


def write(reports: Iterable[FileReport], _summary: RunSummary, out: TextIO) -> None:
    """Write one command per finding."""
    for report in reports:
        for finding in report.findings:
            out.write(_command(report.path, finding) + "\n")


def _command(path: str, finding: ReportedFinding) -> str:
    place = finding.place
    properties = {"file": path, "line": place.line, "endLine": place.end_line}
    if (
        place.line == place.end_line
    ):  # GitHub refuses columns of a place that spans lines; its end column is the last one
        properties |= {"col": place.column, "endColumn": max(place.column, place.end_column - 1)}
    properties["title"] = f"{finding.code} {finding.name}"
    listed = ",".join(f"{key}={_escape_property(str(value))}" for key, value in properties.items())
    message = "\n".join([finding.message, *(f"fix: {fix.title}" for fix in finding.fixes)])
    return f"::{_COMMANDS.get(finding.severity, 'notice')} {listed}::{_escape(message)}"


def _escape(text: str) -> str:
    text = text.encode("utf-8", "replace").decode("utf-8")  # UTF-8 has no lone surrogates
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
