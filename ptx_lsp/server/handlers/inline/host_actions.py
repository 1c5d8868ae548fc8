"""Code actions in inline assembly: the fixes of its findings."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from lsprotocol import types

from ptx_lsp.server.convert import edits_of, offset_of, range_of
from ptx_lsp.server.embedded.host_document import HostDocument

if TYPE_CHECKING:
    from ptx_lsp.server.server import Server


def host_actions(
    server: Server, document: HostDocument, selection: types.Range, only: Collection[str] | None
) -> list[types.CodeAction]:
    """The fixes of the findings that a selection touches."""
    kind = types.CodeActionKind.QuickFix
    if only is not None and not any(kind.value == one or kind.value.startswith(f"{one}.") for one in only):
        return []
    start, end = offset_of(selection.start, document), offset_of(selection.end, document)
    answers = []
    for finding in document.diagnostics:
        if finding.span.start > end or finding.span.end < start:
            continue
        severity = types.DiagnosticSeverity(int(finding.severity))
        place = range_of(finding.span, document)
        about = types.Diagnostic(place, finding.message, severity, finding.code, source="ptx-lsp")
        sure = [fix for fix in finding.fixes if fix.is_sure]
        for fix in finding.fixes:
            action = types.CodeAction(fix.title, kind=kind, diagnostics=[about])
            action.is_preferred = (len(sure) == 1 and fix is sure[0]) or None
            action.edit = edits_of(fix.edits, document, server.client)
            answers.append(action)
    return answers
