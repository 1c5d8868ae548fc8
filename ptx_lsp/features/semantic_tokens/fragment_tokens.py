"""Semantic tokens of inline assembly, with places in the text of its host."""

from __future__ import annotations

import re

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.given_names import GivenName
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.template import SigilKind
from ptx_lsp.features.semantic_tokens.legend import TokenType
from ptx_lsp.features.semantic_tokens.tokens import SemanticToken, document_tokens
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.process_cache import memoized
from ptx_lsp.syntax.document import Document
from ptx_lsp.text import Span

_LINES = re.compile(r"[^\r\n]++")


def fragment_tokens(fragment: AsmFragment, target: Target, version: Version | None) -> list[SemanticToken]:
    """The tokens of a fragment in the order of their places, which are relative to the start of the statement.

    Operands are parameters. A token that several literals share has a part in each of them.
    """
    operands = {mark.span for mark in fragment.marks if mark.kind in (SigilKind.OPERAND, SigilKind.NAMED)}
    text = fragment.site.text
    found = []
    for token in _tokens(fragment.checked, fragment.given(), target, version):
        span = Span(token.start, token.end)
        kind = TokenType.PARAMETER if span in operands else token.type
        for part in fragment.map.literal_parts(span):
            found += [
                SemanticToken(line.start(), line.end(), kind, token.modifiers)
                for line in _LINES.finditer(text, part.start, part.end)
            ]
    return found


@memoized(1024)
def _tokens(
    text: str, given: tuple[GivenName, ...], target: Target, version: Version | None
) -> tuple[SemanticToken, ...]:
    """The tokens of a fragment in its own text; many statements of a file have equal ones."""
    return tuple(document_tokens(Module(Document(text), version, target, given=given)))
