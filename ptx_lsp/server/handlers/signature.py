"""``textDocument/signatureHelp``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_lsp.features.signature import Parameter, Signature, signature_help
from ptx_lsp.server.client.client import Client
from ptx_lsp.server.convert import offset_of
from ptx_lsp.server.transport.raw_json import RawJson

if TYPE_CHECKING:
    from ptx_lsp.server.server import Server

_INFORMATION = ("textDocument", "signatureHelp", "signatureInformation")


def signature(server: Server, params: types.SignatureHelpParams) -> RawJson | None:
    """The signatures of the instruction at the cursor; as JSON, where "no active parameter" is null."""
    document = server.find_at(params.text_document.uri, params.position)
    if document is None:
        return None
    found = signature_help(document.checker.module, offset_of(params.position, document), _chosen(params))
    if found is None:
        return None
    writer = _Writer(server.client)
    answer: dict[str, Any] = {
        "signatures": [writer.signature(one) for one in found.signatures],
        "activeSignature": found.active,
        "activeParameter": writer.active(found.signatures[found.active]),
    }
    return RawJson(json.dumps(answer))


def _chosen(params: types.SignatureHelpParams) -> str:
    """The label of the signature that the client shows; empty if there is none."""
    shown = params.context.active_signature_help if params.context is not None else None
    if shown is None or not shown.signatures or not 0 <= (shown.active_signature or 0) < len(shown.signatures):
        return ""
    return shown.signatures[shown.active_signature or 0].label


class _Writer:
    """Writes signatures as a client supports them."""

    def __init__(self, client: Client) -> None:
        formats = client.capability(*_INFORMATION, "documentationFormat")
        self._markdown = isinstance(formats, list) and formats[:1] == [types.MarkupKind.Markdown.value]
        self._offsets = client.supports(*_INFORMATION, "parameterInformation", "labelOffsetSupport")
        self._allows_none = client.supports(*_INFORMATION, "noActiveParameterSupport")
        self._each = client.supports(*_INFORMATION, "activeParameterSupport")

    def signature(self, signature: Signature) -> dict[str, Any]:
        found: dict[str, Any] = {
            "label": signature.label,
            "parameters": [self._parameter(one, signature.label) for one in signature.parameters],
        }
        if signature.words:
            found["documentation"] = self._words(signature.words)
        if self._each:
            found["activeParameter"] = self.active(signature)
        return found

    def active(self, signature: Signature) -> int | None:
        """The active parameter; if none, null or, for clients without support, an index past the end."""
        if signature.active is None and not self._allows_none:
            return len(signature.parameters)
        return signature.active

    def _parameter(self, parameter: Parameter, label: str) -> dict[str, Any]:
        start, end = parameter.start, parameter.end
        found: dict[str, Any] = {"label": [start, end] if self._offsets else label[start:end]}
        if parameter.words:
            found["documentation"] = self._words(parameter.words)
        return found

    def _words(self, words: str) -> dict[str, str]:
        if self._markdown:
            return {"kind": types.MarkupKind.Markdown.value, "value": words}
        return {"kind": types.MarkupKind.PlainText.value, "value": words.replace("`", "")}
