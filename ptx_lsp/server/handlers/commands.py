"""The commands of ``workspace/executeCommand``.

Invalid arguments give the error "invalid params", which names the expected ones; other failures give "request failed".
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from ptx_lsp import __version__
from ptx_lsp.checks.engine.header_fixes import adding_header_fixes
from ptx_lsp.diagnostic import Diagnostic, Edit, Severity
from ptx_lsp.features import flow_pages, header_edits, linked_pages, pages, value_pages
from ptx_lsp.features.code_actions.quick_fixes import fix_all
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.layouts.load import layouts
from ptx_lsp.preferences import CodeLenses, Completion, Format, InlayHints, Names
from ptx_lsp.server.capabilities import SERVER_NAME
from ptx_lsp.server.client.lookup import lookup
from ptx_lsp.server.convert import edits_of, offset_of, while_unchanged
from ptx_lsp.server.handlers import source_navigation, workspace
from ptx_lsp.server.handlers.content import flow_page
from ptx_lsp.server.transport.slices import at_once_or_later, in_slices
from ptx_lsp.settings import Settings

if TYPE_CHECKING:
    from ptx_lsp.server.documents.document import OpenDocument
    from ptx_lsp.server.server import Server

Arguments = Sequence[object] | None
"""The arguments of a command, as received."""


def explain(_: Server, arguments: Arguments) -> dict[str, Any]:
    """``[topic]``: the page of an instruction, code or word as Markdown, and its URI if it has one."""
    (topic,) = _texts(arguments, "a topic")
    page = pages.find_page(topic)
    if page is None:
        near = " or ".join(f"'{word}'" for word in pages.nearest(topic))
        raise _failed(f"no page for '{topic}'" + (f"; did you mean {near}?" if near else ""))
    return {"markdown": page, "uri": linked_pages.address_of(topic)}


def decode(_: Server, arguments: Arguments) -> dict[str, str]:
    """``[value, layout, words…]``: the page of a packed value's fields, and its URI."""
    given = list(arguments or ())
    value, layout, *words = _texts(given, "a value such as '0x08200490'", "a layout", *["a word"] * (len(given) - 2))
    try:
        markdown, address = value_pages.page_of(value, layout, frozenset(words))
    except ValueError as error:
        raise _failed(str(error)) from error
    return {"markdown": markdown, "uri": address}


def decode_at(server: Server, arguments: Arguments) -> dict[str, str] | None:
    """``[uri, position]``: the page of the descriptor at a position; null if there is none."""
    document, position = _place(server, arguments)
    found = value_pages.page_at_cursor(document.checker.semantics, offset_of(position, document))
    return {"markdown": found.markdown, "uri": found.address} if found is not None else None


def flow_at(server: Server, arguments: Arguments) -> Coroutine[Any, Any, dict[str, str] | None]:
    """``[uri, position]``: the page with the control flow of the function at a position; null outside of functions."""
    return _flow_page(server, arguments, flow_pages.FLOW)


def origin_at(server: Server, arguments: Arguments) -> Coroutine[Any, Any, dict[str, str] | None]:
    """``[uri, position]``: the page with the origin of the register at a position; null if there is none."""
    return _flow_page(server, arguments, flow_pages.ORIGIN)


def uses_at(server: Server, arguments: Arguments) -> Coroutine[Any, Any, dict[str, str] | None]:
    """``[uri, position]``: the page with what depends on the register at a position; null if there is none."""
    return _flow_page(server, arguments, flow_pages.USES)


def barriers_at(server: Server, arguments: Arguments) -> Coroutine[Any, Any, dict[str, str] | None]:
    """``[uri, position]``: the page with the barriers of the function at a position; null outside of functions."""
    return _flow_page(server, arguments, flow_pages.BARRIERS)


def _flow_page(server: Server, arguments: Arguments, kind: str) -> Coroutine[Any, Any, dict[str, str] | None]:
    document, position = _place(server, arguments)
    place = flow_pages.FlowPageAddress(kind, document.uri, position.line, position.character)
    return in_slices(_late_page(document, place, flow_page(document, place)))


def _late_page(
    document: OpenDocument, address: flow_pages.FlowPageAddress, making: Generator[None, None, str | None]
) -> Generator[None, None, dict[str, str] | None]:
    markdown = yield from making
    if markdown is None:
        return None
    offset = offset_of(types.Position(address.line, address.character), document)
    title = flow_pages.title(document.checker.semantics, address.kind, offset)
    return {"markdown": markdown, "uri": str(address._replace(title=title))}


def _place(server: Server, arguments: Arguments) -> tuple[OpenDocument, types.Position]:
    """The arguments that are a document and a position in it."""
    given = list(arguments or ())
    line, character = (lookup(given[1] if len(given) == 2 else None, name) for name in ("line", "character"))
    if not isinstance(line, int) or not isinstance(character, int):
        raise _wrong("the URI of a document and a position", given)
    return _document(server, *_texts(given[:1], "the URI of a document")), types.Position(line, character)


def ptx_of_source(server: Server, arguments: Arguments) -> dict[str, Any]:
    """``[uri]`` or ``[uri, line]``: what the open PTX files have of a source file or of one line of it."""
    given = source_navigation.arguments_of(list(arguments or ()))
    if given is None:
        raise _wrong("the URI of a source file and a line", list(arguments or ()))
    return source_navigation.ptx_of_source(server, *given)


def choices(_: Server, arguments: Arguments) -> dict[str, Any]:
    """``[]``: the targets, versions and layouts that other commands accept."""
    _texts(arguments)
    vocabulary = catalogue().vocabulary
    return {
        "targets": list(reversed(vocabulary.targets)),
        "versions": [str(version) for version in sorted(vocabulary.versions, reverse=True)],
        "layouts": [
            {"name": one.name, "title": one.title.replace("`", ""), "bits": one.width} for one in layouts().values()
        ],
    }


def apply_fixes(server: Server, arguments: Arguments) -> dict[str, Any] | Coroutine[Any, Any, dict[str, Any]]:
    """``[uri]``: apply the fix of every finding with exactly one; the number of findings."""
    (uri,) = _texts(arguments, "the URI of a document")
    document = _document(server, uri)
    _needs_edits(server)
    return at_once_or_later(while_unchanged(_fixing(server, document), document))


def _fixing(server: Server, document: OpenDocument) -> Generator[None, None, dict[str, Any]]:
    diagnostics = yield from document.listing()
    found = yield from adding_header_fixes(document.checker.semantics, diagnostics)
    action = fix_all(document.checker.document, found)
    if action is not None:
        _apply(server, document, action.title, action.resolved_edits())
    return {"fixed": len(action.diagnostics) if action is not None else 0}


def set_target(server: Server, arguments: Arguments) -> None:
    """``[uri, target]``: change the target in the module's header."""
    uri, word = _texts(arguments, "the URI of a document", "a target such as 'sm_90a'")
    _edit_header(server, uri, word, ".target", header_edits.set_target)


def set_version(server: Server, arguments: Arguments) -> None:
    """``[uri, version]``: change the PTX version in the module's header."""
    uri, word = _texts(arguments, "the URI of a document", "a PTX version such as '8.6'")
    _edit_header(server, uri, word, ".version", header_edits.set_version)


def status(server: Server, arguments: Arguments) -> dict[str, Any] | Coroutine[Any, Any, dict[str, Any]]:
    """``[]`` or ``[uri]``: the server, the settings in effect, and the state of the document."""
    uris = _texts(arguments, "the URI of a document") if arguments else ()
    document = server.find(uris[0]) if uris else None
    uri = uris[0] if uris else ""
    settings = document.settings if document is not None else server.configurations.settings_for(uri)
    found = {"server": {"name": SERVER_NAME, "version": __version__}, "document": None, "settings": _plain(settings)}
    if document is None:
        return found
    return at_once_or_later(while_unchanged(_completing(found, document), document))


def _completing(found: dict[str, Any], document: OpenDocument) -> Generator[None, None, dict[str, Any]]:
    diagnostics = (yield from document.listing()) if document.is_ready else []
    return {**found, "document": _about(document, diagnostics)}


def reload(server: Server, arguments: Arguments) -> None:
    """``[]``: read the settings of the editor and of files again."""
    _texts(arguments)
    workspace.reload(server)


COMMANDS: dict[str, Callable[[Server, Arguments], object]] = {
    "ptx-lsp.explain": explain,
    "ptx-lsp.decode": decode,
    "ptx-lsp.decodeAt": decode_at,
    "ptx-lsp.flowAt": flow_at,
    "ptx-lsp.originAt": origin_at,
    "ptx-lsp.usesAt": uses_at,
    "ptx-lsp.ptxOfSource": ptx_of_source,
    "ptx-lsp.barriersAt": barriers_at,
    "ptx-lsp.choices": choices,
    "ptx-lsp.fixAll": apply_fixes,
    "ptx-lsp.setTarget": set_target,
    "ptx-lsp.setVersion": set_version,
    "ptx-lsp.status": status,
    "ptx-lsp.reload": reload,
}


def _texts(arguments: Arguments, *wanted: str) -> tuple[str, ...]:
    """The arguments of a command, which must be as many strings as ``wanted`` describes."""
    given = list(arguments or ())
    if len(given) != len(wanted) or not all(isinstance(one, str) for one in given):
        raise _wrong(" and ".join(wanted) or "nothing", given)
    return tuple(map(str, given))


def _wrong(needs: str, given: Sequence[object]) -> JsonRpcException:
    return JsonRpcException(f"the arguments must be {needs}, not {given!r}", types.ErrorCodes.InvalidParams)


def _document(server: Server, uri: str) -> OpenDocument:
    document = server.find(uri)
    if document is None:
        raise _failed(f"'{uri}' is not open")
    return document


def _needs_edits(server: Server) -> None:
    if not server.client.supports("workspace", "applyEdit"):
        raise _failed("the editor does not support edits by the server")


def _edit_header(server: Server, uri: str, word: str, directive: str, edits: Callable[..., tuple[Edit, ...]]) -> None:
    document = _document(server, uri)
    _needs_edits(server)
    try:
        found = edits(document.checker.module, word)
    except header_edits.HeaderError as error:
        raise _failed(str(error)) from error
    if found:
        _apply(server, document, f"write '{directive} {word}'", found)


def _apply(server: Server, document: OpenDocument, label: str, edits: Sequence[Edit]) -> None:
    """Have the client edit the document; it then sends the change as usual."""
    params = types.ApplyWorkspaceEditParams(edits_of(edits, document, server.client), label)
    server.protocol.send_request(types.WORKSPACE_APPLY_EDIT, params)


def _about(document: OpenDocument, diagnostics: list[Diagnostic]) -> dict[str, Any]:
    """The state of a document, for the status bar of an editor."""
    module = document.checker.module
    found: dict[str, Any] = {"uri": document.uri, "version": document.version, "isReady": document.is_ready}
    if document.is_ready:
        severities = [one.severity for one in diagnostics]
        found |= {
            "isComplete": document.is_complete,
            "ptxVersion": str(module.version),
            "target": str(module.target),
            "isTargetAssumed": not module.header.is_target_known,
            "lines": document.lines.count,
            "findings": {one.name.lower(): severities.count(one) for one in Severity},
        }
    return found


def _plain(value: object) -> Any:
    """Settings as plain values, with keys as in ``ptx-lsp.toml``."""
    if isinstance(value, (Settings, Completion, InlayHints, CodeLenses, Names, Format)):
        found = {name.replace("_", "-"): _plain(one) for name, one in value._asdict().items()}
        if isinstance(value, Settings):
            found["severity"] = {code: severity.name.lower() for code, severity in value.severity}
        return found
    return list(value) if isinstance(value, tuple) else value


def _failed(reason: str) -> JsonRpcException:
    return JsonRpcException(reason, types.LSPErrorCodes.RequestFailed)
