"""``textDocument/codeAction``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from ptx_lsp.features.code_actions import FIX_ALL, CodeAction, code_actions, fix_all
from ptx_lsp.server.convert import edits_of, offset_of, range_of
from ptx_lsp.text import Span

if TYPE_CHECKING:
    from ptx_lsp.diagnostic import Diagnostic
    from ptx_lsp.server.document import OpenDocument
    from ptx_lsp.server.server import Server


def actions(server: Server, params: types.CodeActionParams) -> list[types.CodeAction] | None:
    """The fixes of the findings in the selection, and what else can be done about them."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    span = Span(offset_of(params.range.start, document), offset_of(params.range.end, document))
    wanted = params.context.only
    found: list[CodeAction] = []
    if _is_wanted("quickfix", wanted):
        found += code_actions(document.checker.document, document.diagnostics, span)
    if wanted is not None and _is_wanted(FIX_ALL, wanted):
        whole = fix_all(document.diagnostics)
        found += [whole] if whole is not None else []
    return [_action(one, document, server) for one in found]


def _is_wanted(kind: str, wanted: object) -> bool:
    """Whether a kind of actions, or one that it is part of, is among those the client asks for."""
    if not isinstance(wanted, list | tuple):
        return True
    return any(kind == one or kind.startswith(f"{one}.") for one in map(_text, wanted))


def _text(kind: object) -> str:
    return str(getattr(kind, "value", kind))


def _action(action: CodeAction, document: OpenDocument, server: Server) -> types.CodeAction:
    return types.CodeAction(
        action.title,
        kind=action.kind,
        diagnostics=[_diagnostic(one, document) for one in action.diagnostics] or None,
        is_preferred=action.is_preferred or None,
        edit=edits_of(action.edits, document, server),
    )


def _diagnostic(diagnostic: Diagnostic, document: OpenDocument) -> types.Diagnostic:
    severity = types.DiagnosticSeverity(int(diagnostic.severity))
    return types.Diagnostic(
        range_of(diagnostic.span, document), diagnostic.message, severity, diagnostic.code, source="ptx-lsp"
    )
