"""``textDocument/codeAction`` and ``codeAction/resolve``.

Edits that take long to compute are left to ``codeAction/resolve`` for clients that support it. No revision is kept
between the two requests: the data of an action contain its place, so that it can be computed there again.
"""

from __future__ import annotations

from collections.abc import Collection, Coroutine, Generator
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from ptx_lsp.checks.engine.header_fixes import adding_header_fixes
from ptx_lsp.features.code_actions import ActionRequest, CodeAction, code_actions, relevant_diagnostics
from ptx_lsp.server.convert import edits_of, offset_of, range_of, while_unchanged
from ptx_lsp.server.documents.document import OpenDocument
from ptx_lsp.server.embedded.host_document import HostDocument
from ptx_lsp.server.handlers.inline.host_actions import host_actions
from ptx_lsp.server.transport.slices import at_once_or_later
from ptx_lsp.text import Span

if TYPE_CHECKING:
    from ptx_lsp.diagnostic import Diagnostic
    from ptx_lsp.server.server import Server

_ABOUT = ("textDocument", "codeAction")


CodeActions = list[types.CodeAction]


def actions(server: Server, params: types.CodeActionParams) -> CodeActions | Coroutine[Any, Any, CodeActions] | None:
    """The code actions at the selection; none for clients that support only commands."""
    document = server.documents.find_any(params.text_document.uri)
    if document is None:
        return None
    if server.client.capability(*_ABOUT, "codeActionLiteralSupport") is None:
        return []
    context = params.context
    only = None if context.only is None else [_text(kind) for kind in context.only]
    if isinstance(document, HostDocument):
        return host_actions(server, document, params.range, only)
    if not isinstance(document, OpenDocument):
        return None
    return at_once_or_later(while_unchanged(_offering(server, document, params, only), document))


def _offering(
    server: Server, document: OpenDocument, params: types.CodeActionParams, only: list[str] | None
) -> Generator[None, None, CodeActions]:
    """The code actions, in steps: where findings ask for other headers the module is checked under these."""
    diagnostics = yield from document.listing()
    request = ActionRequest(
        document.checker.semantics,
        diagnostics,
        Span(offset_of(params.range.start, document), offset_of(params.range.end, document)),
        is_automatic=params.context.trigger_kind == types.CodeActionTriggerKind.Automatic,
    )
    about = relevant_diagnostics(request, only)
    if any(one.header for one in about):
        yield from adding_header_fixes(request.semantics, about)
    return _offered(server, document, params, request, only)


def _offered(
    server: Server,
    document: OpenDocument,
    params: types.CodeActionParams,
    request: ActionRequest,
    only: list[str] | None,
) -> CodeActions:
    known = _KnownDiagnostics(document, params.context.diagnostics)
    found = code_actions(request, only, known.chosen(request.diagnostics))
    shows_disabled = server.client.supports(*_ABOUT, "disabledSupport")
    can_resolve = _can_resolve(server)
    answers = []
    for action in found:
        if action.disabled:
            if shows_disabled and not request.is_automatic:
                reason = types.CodeActionDisabled(action.disabled)
                answers.append(types.CodeAction(action.title, kind=action.kind, disabled=reason))
            continue
        answer = types.CodeAction(
            action.title,
            kind=action.kind,
            diagnostics=[known.as_known(one) for one in action.diagnostics] or None,
            is_preferred=action.is_preferred or None,
        )
        if can_resolve and action.compute_edits is not None:
            answer.data = _data(document, request, action, only)
        else:
            edits = action.resolved_edits()
            if not edits:
                continue
            answer.edit = edits_of(edits, document, server.client)
        answers.append(answer)
    return answers


def resolve_action(
    server: Server, action: types.CodeAction
) -> types.CodeAction | Coroutine[Any, Any, types.CodeAction]:
    """Compute the edits of an action that was offered without them.

    Raises:
        JsonRpcException: the text has changed, or the action is not from this server.

    """
    if action.edit is not None or action.data is None:
        return action
    try:
        data = _Data(action.data)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise JsonRpcException("the data of the action are invalid", types.ErrorCodes.InvalidParams) from error
    document = server.find(data.uri)
    if document is None or not document.is_ready or document.version != data.version:
        raise JsonRpcException("the text has changed", types.LSPErrorCodes.ContentModified)
    return at_once_or_later(while_unchanged(_resolving(server, document, action, data), document))


def _resolving(
    server: Server, document: OpenDocument, action: types.CodeAction, data: _Data
) -> Generator[None, None, types.CodeAction]:
    diagnostics = yield from document.listing()
    request = ActionRequest(document.checker.semantics, diagnostics, data.span)
    found = [one for one in code_actions(request, data.only) if one.title == action.title and not one.disabled]
    if not found:
        raise JsonRpcException("the action is no longer available", types.LSPErrorCodes.ContentModified)
    action.edit = edits_of(found[0].resolved_edits(), document, server.client)
    return action


def _can_resolve(server: Server) -> bool:
    """Whether the client requests the edits of the action that the user chooses."""
    properties = server.client.capability(*_ABOUT, "resolveSupport", "properties")
    has_data = server.client.supports(*_ABOUT, "dataSupport")
    return has_data and isinstance(properties, list) and "edit" in properties


def _data(
    document: OpenDocument, request: ActionRequest, action: CodeAction, only: Collection[str] | None
) -> dict[str, Any]:
    return {
        "uri": document.uri,
        "version": document.version,
        "span": [request.span.start, request.span.end],
        "only": [action.kind] if only is not None else None,
    }


class _Data:
    """The data of an action, parsed.

    Raises:
        AttributeError, KeyError, TypeError, ValueError: they are not from :func:`_data`.

    """

    def __init__(self, data: Any) -> None:
        self.uri = str(_item(data, "uri"))
        self.version = _item(data, "version")
        start, end = _item(data, "span")
        self.span = Span(int(start), int(end))
        only = _item(data, "only")
        self.only = None if only is None else [str(kind) for kind in only]


def _item(data: Any, name: str) -> Any:
    return data[name] if isinstance(data, dict) else getattr(data, name)


class _KnownDiagnostics:
    """The diagnostics in the context of a request, as the client has them."""

    def __init__(self, document: OpenDocument, known: Collection[types.Diagnostic]) -> None:
        self._document = document
        self._known = {_key(one): one for one in known}

    def chosen(self, diagnostics: Collection[Diagnostic]) -> list[Diagnostic] | None:
        """The findings among them; None if there are none, since the range decides then."""
        if not self._known:
            return None
        codes = {code for code, *_ in self._known}
        alike = [one for one in diagnostics if one.code in codes]
        return [one for one in alike if self._is_known(one)] or None

    def _is_known(self, one: Diagnostic) -> bool:
        """Whether the client has the finding, or names a further place of its mistake."""
        if _key(self._diagnostic(one)) in self._known:
            return True
        repeats = (one._replace(span=place.span) for place in one.repeats)
        return any(_key(self._diagnostic(repeat)) in self._known for repeat in repeats)

    def as_known(self, diagnostic: Diagnostic) -> types.Diagnostic:
        """A finding as a diagnostic, as the client has it if it does."""
        found = self._diagnostic(diagnostic)
        return self._known.get(_key(found), found)

    def _diagnostic(self, diagnostic: Diagnostic) -> types.Diagnostic:
        severity = types.DiagnosticSeverity(int(diagnostic.severity))
        place = range_of(diagnostic.span, self._document)
        return types.Diagnostic(place, diagnostic.message, severity, diagnostic.code, source="ptx-lsp")


def _key(one: types.Diagnostic) -> tuple[object, ...]:
    start, end = one.range.start, one.range.end
    return one.code, start.line, start.character, end.line, end.character


def _text(kind: object) -> str:
    return str(getattr(kind, "value", kind))
