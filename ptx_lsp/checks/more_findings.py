"""I701: the list of findings was cut; no check, it says only that there are more."""

from __future__ import annotations

from ptx_lsp.diagnostic import Diagnostic, Severity


def cut(found: list[Diagnostic], limit: int) -> list[Diagnostic]:
    """More findings than are shown.

    An editor is sent a limited number of findings, those that come first in the file. Behind the last one stands this
    note, at the place of the first that is left out. Mend some of the others, or raise `max-diagnostics` in
    `ptx-lsp.toml` or in the editor's settings; `ptx-lsp check` shows what the editor leaves out.
    """
    if len(found) <= limit:
        return found
    message = f"only the first {limit} findings are shown; the next one is here (setting 'max-diagnostics')"
    note = Diagnostic("I701", "more-findings", Severity.INFORMATION, message, found[limit].span)
    return [*found[:limit], note]
