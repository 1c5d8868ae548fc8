"""I701: some findings are not shown; no check, it says only that there are more."""

from __future__ import annotations

from ptx_lsp.checks.engine.finding_limit import Selection
from ptx_lsp.diagnostic import Diagnostic, Severity, describe_counts


def with_note(selection: Selection) -> list[Diagnostic]:
    """More findings than the limit.

    The number of findings per file is limited: errors first, then warnings, notes and hints, each in the order of the
    file. This note shows how many of each severity are omitted; it is at the first of the most severe ones among them.
    Of very many no more than 200 are counted.
    Fix some findings, disable codes (`select`, `ignore`), or raise `max-diagnostics` in `ptx-lsp.toml` or in the
    editor's settings.
    """
    first = selection.first_omitted
    if first is None:
        return selection.shown
    omitted = describe_counts(selection.omitted, is_minimum=selection.is_minimum)
    message = f"not shown: {omitted}; the first one is here (setting 'max-diagnostics')"
    note = Diagnostic("I701", "more-findings", Severity.INFORMATION, message, first.span)
    return [*selection.shown, note]
