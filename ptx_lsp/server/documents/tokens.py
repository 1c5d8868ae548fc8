"""Semantic tokens as the protocol's numbers, built as text and cached per statement and per chunk.

A token is five numbers, the first two relative to the token before it. So the numbers of a
statement that begins its line do not depend on its place, and statements that differ only in
digits have equal ones: of 90,000 statements some thousand are encoded, the others are looked
up. An edit encodes its chunk again; a delta is found by comparing chunks, and numbers only in
chunks that differ.

Source: LSP specification, "Semantic Tokens".
"""

from __future__ import annotations

import re
from collections.abc import Generator
from itertools import count, pairwise, zip_longest

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.features.semantic_tokens.style_cache import Style, StyleCache
from ptx_lsp.features.semantic_tokens.tokens import tokens
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.client.legend import Legend
from ptx_lsp.server.documents.lines import DocumentLines, Position
from ptx_lsp.server.documents.token_changes import TokensEdit, TokenSnapshot, difference
from ptx_lsp.server.documents.token_encoding import Encoded, distance_after, encode, join, numbers_of
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax import raw
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.tokens import token_spans

_DIGITS = str.maketrans("123456789", "000000000")
_IS_UNUSUAL = re.compile(r"[/#\r]|" + re.escape(raw.BEGIN)).search
"""Comments, markers, raw text: anything other than tokens and blanks."""
_MOST_ENCODED = 60_000
"""Limit of cached statements."""
_LONGEST = 1024
"""Longer statements, in characters, are not cached."""


_RESULT_IDS = count(1)
"""Unique over all documents: a document whose text is read again has no earlier results."""


class DocumentTokens:
    """The tokens of one open document for one client."""

    def __init__(self, module: Module, encoding: Encoding, legend: Legend) -> None:
        self.module = module
        self._encoding = encoding
        self._legend = legend
        self._styles = StyleCache(module)
        self._statements: dict[tuple[Style, str], Encoded] = {}
        self._attributes: dict[Style, list[tuple[int, str]]] = {}
        self._chunks: dict[Chunk, tuple[list[Style], bool, Encoded]] = {}
        self._last: TokenSnapshot | None = None

    # ------------------------------------------------------------------ the three requests

    def full(self) -> TokenSnapshot:
        """All tokens; the result is kept for :meth:`changes`."""
        return self.changes("")[0]

    def making_full(self) -> Generator[None, None, TokenSnapshot]:
        """All tokens, in steps of some milliseconds."""
        chunks = self.module.document.chunks
        parts: list[str] = []
        counts: list[int] = []
        line = column = 0
        is_first = True
        for chunk, following in zip_longest(chunks, chunks[1:]):
            yield from self._styles.preparing(chunk)
            found = self._chunk(chunk, following is not None and following.text.startswith("\n"))
            if found.amount and not line and found.line and not is_first:
                parts.append(found.numbers)
            else:
                parts.append(numbers_of(found, line, column))
            counts.append(found.amount)
            line, column = distance_after(found, line, column)
            is_first = is_first and not found.amount
        self._forget(chunks)
        return TokenSnapshot(str(next(_RESULT_IDS)), parts, counts)

    def changes(self, before: str) -> tuple[TokenSnapshot, list[TokensEdit] | None]:
        """All tokens, and the edits since the result ``before``; None if that is not the last one."""
        return run_to_completion(self.making_changes(before))

    def making_changes(self, before: str) -> Generator[None, None, tuple[TokenSnapshot, list[TokensEdit] | None]]:
        """:meth:`changes` in steps of some milliseconds."""
        new = yield from self.making_full()
        old = self._last
        self._last = new
        if old is None or old.id != before:
            return new, None
        return new, difference(old, new)

    def between(self, start: Position, end: Position, lines: DocumentLines) -> str:
        """The numbers of the statements that overlap the text between two positions."""
        document = self.module.document
        if not document.chunks:
            return ""
        span = lines.span(start, end)
        first, last = document.locate(span.start), document.locate(span.end)
        self._forget(document.chunks)
        parts: list[str] = []
        line = column = 0
        for number in range(first.chunk, last.chunk + 1):
            chunk = document.chunks[number]
            begin = first.statement if number == first.chunk else 0
            stop = last.statement + 1 if number == last.chunk else len(chunk)
            if number == first.chunk:
                line, column = lines.position(document.chunk_start(number) + chunk.starts()[begin])
            after = document.chunks[number + 1].text[:1] if number + 1 < len(document.chunks) else ""
            found = join(self._run(chunk, begin, stop, after == "\n"))
            parts.append(numbers_of(found, line, column))
            line, column = distance_after(found, line, column)
        return ",".join(filter(None, parts))

    # ------------------------------------------------------------------ chunks and statements

    def _chunk(self, chunk: Chunk, before_newline: bool) -> Encoded:
        styles = self._styles.of(chunk)
        cached = self._chunks.get(chunk)
        if cached is not None and cached[0] is styles and cached[1] is before_newline:
            return cached[2]
        found = join(self._run(chunk, 0, len(chunk), before_newline))
        self._chunks[chunk] = styles, before_newline, found
        return found

    def _forget(self, chunks: list[Chunk]) -> None:
        """Drop chunks that are no longer in the document."""
        self._styles.keep_only(chunks)
        if len(self._chunks) > len(chunks):
            present = set(chunks)
            for chunk in [chunk for chunk in self._chunks if chunk not in present]:
                del self._chunks[chunk]

    def _run(self, chunk: Chunk, begin: int, stop: int, before_newline: bool) -> list[Encoded]:
        r"""The statements ``[begin, stop)`` of a chunk; ``before_newline``: whether a ``\n`` follows the chunk."""
        starts = chunk.starts()
        base, end = starts[begin], starts[stop]
        text = chunk.text if end - base == chunk.length else chunk.text[base:end]
        parts = [text[left - base : right - base] for left, right in pairwise(starts[begin : stop + 1])]
        if "\r" in text:
            _strip_returns(parts, chunk.text[end : end + 1] == "\n" if stop < len(chunk) else before_newline)
        abstract = text.translate(_DIGITS)
        keys = [abstract[left - base : right - base] for left, right in pairwise(starts[begin : stop + 1])]
        styles = self._styles.of(chunk)[begin:stop]
        cache = self._statements
        if len(cache) > _MOST_ENCODED:
            cache.clear()
        found = list(map(cache.get, zip(styles, keys, strict=True)))
        if None in found or "\r" in text:
            shapes = chunk.shapes
            for index, cached in enumerate(found):
                part = parts[index]
                is_stripped = len(part) != len(keys[index])
                if cached is None or is_stripped:
                    key = styles[index], part.translate(_DIGITS) if is_stripped else keys[index]
                    found[index] = cache.get(key) or self._statement(*key, part, shapes[begin + index])
        return found  # type: ignore[return-value]  # no None is left

    def _statement(self, style: Style, key: str, text: str, shape: int) -> Encoded:
        made = self._line(style, text) or encode(tokens(style, text, shape), text, self._encoding, self._legend)
        if len(text) == len(key) <= _LONGEST and text.isascii():
            self._statements[style, key] = made
        return made

    def _line(self, style: Style, text: str) -> Encoded | None:
        """A statement on one line without comments, the common case; None for any other."""
        if len(text) > _LONGEST or not text.isascii() or _IS_UNUSUAL(text) or not style.classified:
            return None
        attributes = self._attributes.get(style)
        if attributes is None:
            attributes = self._attributes[style] = self._attributes_of(style)
        spans = token_spans(text)
        begin = spans[attributes[0][0]][0]
        if text.find("\n", begin) >= 0:
            return None
        numbers = []
        place = begin
        for at, attribute in attributes:
            start, end = spans[at]
            numbers.append(f"0,{start - place},{end - start},{attribute}")
            place = start
        line, column = text.count("\n", 0, begin), begin - text.rfind("\n", 0, begin) - 1
        numbers[0] = f"{line},{column}{numbers[0][3:]}"
        return Encoded(len(attributes), line, column, ",".join(numbers), 0, len(text) - place)

    def _attributes_of(self, style: Style) -> list[tuple[int, str]]:
        types, modifiers = self._legend.types, self._legend.modifiers
        return [(token, f"{types[kind]},{modifiers(more)}") for token, kind, more in style.classified]


def _strip_returns(parts: list[str], before_newline: bool) -> None:
    r"""Remove the ``\r`` at the end of a statement if ``\n`` follows: both are one line end, counted with ``\n``."""
    following = [*(part.startswith("\n") for part in parts[1:]), before_newline]
    for index, is_newline in enumerate(following):
        if is_newline and parts[index].endswith("\r"):
            parts[index] = parts[index][:-1]
