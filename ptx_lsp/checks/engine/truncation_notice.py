"""I701: some findings are not shown; no check, it says only that there are more."""

from __future__ import annotations

from ptx_lsp.checks.engine.finding_limit import Selection
from ptx_lsp.diagnostic import Diagnostic, Severity, describe_counts


def with_note(selection: Selection) -> list[Diagnostic]:
    """More findings than are shown.

    An editor is sent a limited number of findings: errors first, then warnings, notes and hints, of each severity those
    that come first in the file. This note says how many of each severity are left out; it stands at the first of the
    most severe ones among them. Fix some of the others, leave out what you do not want to see (`select`, `ignore`), or
    raise `max-diagnostics` in `ptx-lsp.toml` or in the editor's settings.
    """
    first = selection.first_omitted
    if first is None:
        return selection.shown
    message = f"not shown: {describe_counts(selection.omitted)}; the first of them is here (setting 'max-diagnostics')"
    note = Diagnostic("I701", "more-findings", Severity.INFORMATION, message, first.span)
    return [*selection.shown, note]
