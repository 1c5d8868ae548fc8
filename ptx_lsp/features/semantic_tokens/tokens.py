"""Semantic tokens of statements and documents as plain records."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.features.semantic_tokens.classify import highlighted_text
from ptx_lsp.features.semantic_tokens.legend import Modifier, TokenType
from ptx_lsp.features.semantic_tokens.style_cache import Style, StyleCache
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tokens import tokenize
from ptx_lsp.syntax.trivia import comments, line_markers

_LINES = re.compile(r"[^\r\n]++")


class SemanticToken(NamedTuple):
    """A token ``[start, end)`` in code points; it does not cross the end of a line."""

    start: int
    end: int
    type: TokenType
    modifiers: Modifier = Modifier.NONE


def tokens(style: Style, text: str, shape: int) -> list[SemanticToken]:
    """Return the tokens of one statement, including comments, in text order; offsets are relative to its text."""
    text = highlighted_text(text, SHAPES[shape])
    found = []
    if style.classified:
        places = tokenize(text)
        count = len(places)
        found = [
            SemanticToken(*places[at][1:], token_class, modifiers)
            for at, token_class, modifiers in style.classified
            if at < count
        ]
    if "/" in text or "#" in text:
        found += [SemanticToken(*span, TokenType.COMMENT) for span in comments(text)]
        found += [SemanticToken(*span, TokenType.DIRECTIVE) for span in line_markers(text)]
        found.sort(key=_start)
    if "\r" in text or "/*" in text:
        found = [part for token in found for part in _by_lines(token, text)]
    return found


def document_tokens(module: Module) -> Iterator[SemanticToken]:
    """Yield all tokens of a document in text order, with document offsets."""
    styles, document = StyleCache(module), module.document
    for number, chunk in enumerate(document.chunks):
        start = document.chunk_start(number)
        for style, text, shape in zip(styles.of(chunk), chunk.parts(), chunk.shapes, strict=True):
            for token in tokens(style, text, shape):
                yield token._replace(start=token.start + start, end=token.end + start)
            start += len(text)


def _start(token: SemanticToken) -> int:
    return token.start


def _by_lines(token: SemanticToken, text: str) -> Iterator[SemanticToken]:
    """Split a token into one per line."""
    for line in _LINES.finditer(text, token.start, token.end):
        yield token._replace(start=line.start(), end=line.end())
