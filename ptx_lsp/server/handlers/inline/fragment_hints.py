"""Inlay hints in inline assembly: the expressions of operands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lsprotocol import types

from ptx_lsp.features.asm_operand_hints import operand_hints
from ptx_lsp.hosts.site import Certainty
from ptx_lsp.server.documents.checked_document import CheckedDocument
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.server.embedded.host_document import HostDocument
from ptx_lsp.server.embedded.host_lines import FragmentLines
from ptx_lsp.server.transport.raw_json import RawJson
from ptx_lsp.text import Span

if TYPE_CHECKING:
    from ptx_lsp.hosts.site import Site


def fragment_hints(document: CheckedDocument, wanted: types.Range) -> RawJson | None:
    """The hints in a range of a document of another language."""
    if not isinstance(document, HostDocument) or not document.settings.inlay_hints.asm_operands:
        return None
    start, end = document.lines.span(
        Position(wanted.start.line, wanted.start.character), Position(wanted.end.line, wanted.end.character)
    )
    answers = []
    for site in document.index.sites_in(start, end):
        if site.certainty is not Certainty.HOST:
            answers += _of_site(document, site)
    return RawJson(json.dumps(answers, separators=(",", ":")))


def _of_site(document: HostDocument, site: Site) -> list[dict[str, object]]:
    fragment = document.checker.fragments(site)[0]
    lines = FragmentLines(fragment, site.start, document.lines)
    return [
        {
            "position": lines.range(Span(hint.offset - 1, hint.offset))[1]._asdict(),
            "label": hint.label,
            "kind": types.InlayHintKind.Parameter.value,
            "paddingLeft": True,
        }
        for hint in operand_hints(fragment, Span(0, len(fragment.text)))
    ]
