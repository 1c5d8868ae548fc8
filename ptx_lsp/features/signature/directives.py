"""Signatures of directives: the grammar of each, from the vocabulary."""

from __future__ import annotations

from ptx_lsp.analysis.cursor.unfinished import UnfinishedStatement
from ptx_lsp.features.signature.signature_info import WIDTH, Signature
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.tokens import TokenKind


def directive_signatures(place: UnfinishedStatement) -> list[Signature]:
    """Return the grammar of the last directive before the cursor that has arguments."""
    directives = catalogue().vocabulary.directives
    for token in reversed(place.tokens):
        word = place.text[token.start : token.end]
        if token.kind is TokenKind.DOT and place.start + token.start != place.typed.start:
            found = directives.get(word)
            if found is not None and found.grammar and found.grammar != word:
                label = found.grammar if len(found.grammar) <= WIDTH else found.grammar[: WIDTH - 1] + "…"
                return [Signature(label, (), None, found.words)]
    return []
