"""One statement of a text with its shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ptx_lsp.derived_values import Deriving
from ptx_lsp.process_cache import memoized
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES, Shape, shape_of
from ptx_lsp.syntax.token_columns import TokenColumns, taking_columns
from ptx_lsp.syntax.tokens import (
    MAX_DIRECTIVE_LENGTH,
    Token,
    first_span,
    first_tokens,
    is_plain,
    token_spans,
    token_words,
    tokenize,
)
from ptx_lsp.syntax.trivia import trivia_length
from ptx_lsp.text import Span

__all__ = ["Kind", "Shape", "Statement"]


class Statement(Deriving):
    """A statement: text, including leading trivia, and shape. Cheap to construct; tokens are computed on demand."""

    __slots__ = ("_end", "_head", "_spans", "_tokens", "_words", "shape", "text")

    def __init__(self, text: str, shape: Shape | int | None = None) -> None:
        self.text = text
        self.shape = shape_of(text) if shape is None else SHAPES[shape] if isinstance(shape, int) else shape
        self._tokens: Sequence[Token] | None = None
        self._head: list[Token] | None = None
        self._spans: list[tuple[int, int]] | None = None
        self._words: list[str] | None = None
        self._end: int | None = None

    @property
    def kind(self) -> Kind:
        """The kind of the shape."""
        return self.shape.kind

    @property
    def tokens(self) -> Sequence[Token]:
        """The tokens, with offsets in ``text``."""
        if self._tokens is None:
            self._tokens = tokenize(self.text)
        return self._tokens

    def reading(self) -> Iterator[None]:
        """Find the tokens in steps."""
        if self._tokens is None:
            found = yield from taking_columns(self.text)
            self._tokens, self._words = found, found.words

    def tokens_before(self, offset: int) -> Sequence[Token]:
        """At least the tokens that begin before an offset: of a long table only the first ones, if they suffice."""
        if self._tokens is None and _HEAD < len(self.text) <= MAX_DIRECTIVE_LENGTH:
            head = self._first_tokens()
            if head and head[-1].end >= offset:
                return head
        return self.tokens

    def _first_tokens(self) -> list[Token]:
        """The tokens at the beginning of a long text; empty if it is unclear where they end."""
        if self._head is None:
            self._head = first_tokens(self.text, _HEAD)
        return self._head

    @property
    def words(self) -> list[str]:
        """The texts of all tokens; the list must not be changed."""
        if self._words is None:
            self._words = _words_of(self.text)
        return self._words

    def words_before(self, offset: int) -> list[str]:
        """The texts of the tokens that :meth:`tokens_before` has."""
        if self._words is None and self._tokens is None and _HEAD < len(self.text) <= MAX_DIRECTIVE_LENGTH:
            head = self._first_tokens()
            if head and head[-1].end >= offset:
                return [self.text[start:end] for _, start, end in head]
        return self.words

    @property
    def lead(self) -> int:
        """The offset of the first token: the length of the trivia."""
        if self._tokens is None and "/*" not in self.text:
            return trivia_length(self.text)
        tokens = self.tokens_before(0)
        return tokens[0].start if tokens else len(self.text)

    @property
    def end(self) -> int:
        """The offset of the end of the last token; 0 without one.

        Blanks and comments can follow where a ``;`` is missing.
        """
        if self._end is None:
            text = self.text
            is_closed = text.endswith(";") and "/*" not in text and text.find("//", text.rfind("\n") + 1) < 0
            if self._tokens is None and is_closed:
                self._end = len(text)
            else:
                self._end = self.tokens[-1].end if self.tokens else 0
        return self._end

    def word(self, index: int) -> str:
        """The text of a token."""
        if self._words is None:
            if self._tokens is not None or len(self.text) > _HEAD:
                tokens = self.tokens_before(0)
                if self._tokens is not None or 0 <= index < len(tokens):
                    token = tokens[index]
                    return self.text[token.start : token.end]
            self._words = _words_of(self.text)
        return self._words[index]

    def span(self, first: int, last: int | None = None) -> Span:
        """The span of a token, or of the tokens ``[first, last)``, in ``text``."""
        if self._tokens is None and self._spans is None:
            text = self.text
            is_short = self._words is not None and 0 <= first < _NEAR and len(text) <= _HEAD
            if is_short and "/" not in text and "#" not in text:
                return self._span_between_blanks(0, first, first if last is None else last - 1)
            head = self.tokens_before(0) if len(text) > _HEAD else ()
            if 0 <= first < len(head) and (last or first + 1) <= len(head):
                return Span(head[first].start, head[first if last is None else last - 1].end)
            is_simple = is_plain(text)
            if is_simple and self._words is not None and 0 <= first < _NEAR:
                lead = trivia_length(text) if "/" in text or "#" in text else 0
                if text.find("/", lead) < 0 and text.find("#", lead) < 0:
                    return self._span_between_blanks(lead, first, first if last is None else last - 1)
            if is_simple and first == 0 and last is None:
                return Span(*first_span(text))
            self._spans = token_spans(text)
        if self._spans is not None:
            return Span(self._spans[first][0], self._spans[first if last is None else last - 1][1])
        if isinstance(self._tokens, TokenColumns):
            return self._tokens.span(first, first if last is None else last - 1)
        return Span(self.tokens[first].start, self.tokens[first if last is None else last - 1].end)

    def _span_between_blanks(self, lead: int, first: int, last: int) -> Span:
        """The span of some tokens, by their known words, in a text without comments after the ``lead``."""
        assert self._words is not None
        words, find, end = self._words, self.text.find, lead
        sought = words[first]
        if first < _NEXT or find(sought, lead) != self.text.rfind(sought):  # other words have the same characters
            for word in words[:first]:
                end = find(word, end) + len(word)
        start = find(sought, end)
        end = start + len(sought)
        for word in words[first + 1 : last + 1]:
            end = find(word, end) + len(word)
        return tuple.__new__(Span, (start, end))  # the constructor takes twice as long

    def __repr__(self) -> str:
        return f"Statement({self.text!r}, {self.kind.name})"


def _words_of(text: str) -> list[str]:
    """The words of a text, which must not be changed: those of equal short statements are one list."""
    return _known_words(text) if len(text) <= _SHORT else token_words(text)


_known_words = memoized(1024)(token_words)
_SHORT = 256
_NEAR = 64
"""Before the first so many tokens the words are counted; for later ones the spans of all are found once."""
_NEXT = 3
"""It takes longer to ask whether a word occurs once than to count so few before it."""
_HEAD = 4096
"""Of longer statements only so many characters are tokenized at first: they are tables, and most who ask want to know
what is declared."""
