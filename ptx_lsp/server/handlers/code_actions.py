"""``textDocument/codeAction`` and ``codeAction/resolve``.

What takes long to work out is left to ``codeAction/resolve`` for clients that can ask for it. Nothing is remembered
between the two: the data of an action say where it was offered, so that it can be offered there again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Coroutine
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from ptx_lsp.checks.engine.header_fixes import adding_header_fixes
from ptx_lsp.features.code_actions import Asked, CodeAction, code_actions, concerned
from ptx_lsp.server.capabilities import lookup
from ptx_lsp.server.convert import State, edits_of, offset_of, range_of
from ptx_lsp.server.transport.slices import in_slices
from ptx_lsp.text import Span

if TYPE_CHECKING:
    from ptx_lsp.diagnostic import Diagnostic
    from ptx_lsp.server.documents.document import OpenDocument
    from ptx_lsp.server.server import Server

_ABOUT = ("textDocument", "codeAction")


CodeActions = list[types.CodeAction]


def actions(server: Server, params: types.CodeActionParams) -> CodeActions | Coroutine[Any, Any, CodeActions] | None:
    """What can be done at the selection. Clients that know only commands get nothing: these are none."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    if lookup(server.client, *_ABOUT, "codeActionLiteralSupport") is None:
        return []
    context = params.context
    only = None if context.only is None else [_text(kind) for kind in context.only]
    asked = Asked(
        document.checker.semantics,
        document.diagnostics,
        Span(offset_of(params.range.start, document), offset_of(params.range.end, document)),
        is_automatic=context.trigger_kind == types.CodeActionTriggerKind.Automatic,
    )
    if any(one.header for one in concerned(asked, only)):
        return _once_tried(server, document, params, asked, only)
    return _offered(server, document, params, asked, only)


async def _once_tried(
    server: Server, document: OpenDocument, params: types.CodeActionParams, asked: Asked, only: list[str] | None
) -> CodeActions:
    """The same once the module is tried under other headers, which takes time in proportion to the text."""
    state = State.of(document)

    async def give_way() -> None:
        await asyncio.sleep(0)
        state.check()

    await in_slices(adding_header_fixes(asked.semantics, concerned(asked, only)), give_way)
    return _offered(server, document, params, asked, only)


def _offered(
    server: Server, document: OpenDocument, params: types.CodeActionParams, asked: Asked, only: list[str] | None
) -> CodeActions:
    mended = _Mended(document, params.context.diagnostics)
    found = code_actions(asked, only, mended.chosen(asked.diagnostics))
    shows_disabled = lookup(server.client, *_ABOUT, "disabledSupport") is True
    later = _resolves(server)
    answers = []
    for action in found:
        if action.disabled:
            if shows_disabled and not asked.is_automatic:
                reason = types.CodeActionDisabled(action.disabled)
                answers.append(types.CodeAction(action.title, kind=action.kind, disabled=reason))
            continue
        answer = types.CodeAction(
            action.title,
            kind=action.kind,
            diagnostics=[mended.told(one) for one in action.diagnostics] or None,
            is_preferred=action.is_preferred or None,
        )
        if later and action.later is not None:
            answer.data = _data(document, asked, action, only)
        else:
            edits = action.worked_out()
            if not edits:
                continue
            answer.edit = edits_of(edits, document, server)
        answers.append(answer)
    return answers


def resolve_action(server: Server, action: types.CodeAction) -> types.CodeAction:
    """Work out the edits of an action that was offered without them.

    Raises:
        JsonRpcException: the text is another by now, or the action is none of ours.

    """
    if action.edit is not None or action.data is None:
        return action
    try:
        data = _Data(action.data)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise JsonRpcException("these are no data of ours", types.ErrorCodes.InvalidParams) from error
    document = server.find(data.uri)
    if document is None or not document.is_ready or document.version != data.version:
        raise JsonRpcException("the text has changed", types.LSPErrorCodes.ContentModified)
    asked = Asked(document.checker.semantics, document.diagnostics, data.span)
    same = [one for one in code_actions(asked, data.only) if one.title == action.title and not one.disabled]
    if not same:
        raise JsonRpcException("this can no longer be done", types.LSPErrorCodes.ContentModified)
    action.edit = edits_of(same[0].worked_out(), document, server)
    return action


def _resolves(server: Server) -> bool:
    """Whether the client asks for edits when the user has chosen."""
    properties = lookup(server.client, *_ABOUT, "resolveSupport", "properties")
    has_data = lookup(server.client, *_ABOUT, "dataSupport") is True
    return has_data and isinstance(properties, list) and "edit" in properties


def _data(document: OpenDocument, asked: Asked, action: CodeAction, only: Collection[str] | None) -> dict[str, Any]:
    return {
        "uri": document.uri,
        "version": document.version,
        "span": [asked.span.start, asked.span.end],
        "only": [action.kind] if only is not None else None,
    }


class _Data:
    """The data of an action, read back.

    Raises:
        AttributeError, KeyError, TypeError, ValueError: they are not what :func:`_data` wrote.

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


class _Mended:
    """The findings that the client knows: those that it chose, in its own words."""

    def __init__(self, document: OpenDocument, known: Collection[types.Diagnostic]) -> None:
        self._document = document
        self._known = {_key(one): one for one in known}

    def chosen(self, diagnostics: Collection[Diagnostic]) -> list[Diagnostic] | None:
        """Ours among them; None if there are none, as the range then has the say."""
        if not self._known:
            return None
        codes = {code for code, *_ in self._known}
        alike = [one for one in diagnostics if one.code in codes]
        return [one for one in alike if _key(self._told(one)) in self._known] or None

    def told(self, diagnostic: Diagnostic) -> types.Diagnostic:
        """A finding as the client knows it."""
        found = self._told(diagnostic)
        return self._known.get(_key(found), found)

    def _told(self, diagnostic: Diagnostic) -> types.Diagnostic:
        severity = types.DiagnosticSeverity(int(diagnostic.severity))
        place = range_of(diagnostic.span, self._document)
        return types.Diagnostic(place, diagnostic.message, severity, diagnostic.code, source="ptx-lsp")


def _key(one: types.Diagnostic) -> tuple[object, ...]:
    start, end = one.range.start, one.range.end
    return one.code, start.line, start.character, end.line, end.character


def _text(kind: object) -> str:
    return str(getattr(kind, "value", kind))
