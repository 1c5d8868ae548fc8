"""The tokens of a long text by columns: their words, kinds and places apart.

Who reads a long statement mostly needs one of the three, and to make a token takes several times as long as to find its
word: a statement as long as a file has half a million.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import islice
from operator import itemgetter
from typing import overload

from ptx_lsp.process_cache import ProcessCache
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.tokens import Token, TokenKind, kind_of, masked, may_be_of_two_kinds, pattern_of_words, tokenize
from ptx_lsp.text import Span


class TokenColumns(Sequence[Token]):
    """Tokens as :func:`ptx_lsp.syntax.tokens.tokenize` finds them; a token is made when it is asked for."""

    __slots__ = ("kinds", "starts", "words")

    def __init__(self) -> None:
        self.words: list[str] = []
        """The texts."""
        self.kinds: list[TokenKind] = []
        self.starts = array("I")
        """The offsets of their beginnings."""

    def __len__(self) -> int:
        return len(self.words)

    @overload
    def __getitem__(self, index: int) -> Token: ...

    @overload
    def __getitem__(self, index: slice) -> list[Token]: ...

    def __getitem__(self, index: int | slice) -> Token | list[Token]:
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        start = self.starts[index]
        return Token(self.kinds[index], start, start + len(self.words[index]))

    def __iter__(self) -> Iterator[Token]:
        for kind, start, word in zip(self.kinds, self.starts, self.words, strict=True):
            yield Token(kind, start, start + len(word))

    def span(self, first: int, last: int) -> Span:
        """The span from the beginning of a token to the end of another one."""
        return Span(self.starts[first], self.starts[last] + len(self.words[last]))

    def extend(self, other: TokenColumns, offset: int) -> None:
        """Add the tokens of a text that stands ``offset`` characters further on."""
        self.words += other.words
        self.kinds += other.kinds
        self.starts.extend([start + offset for start in other.starts] if offset else other.starts)


def reading_columns(text: str) -> Generator[None, None, TokenColumns]:
    """The tokens of a text, in steps of some thousand."""
    found = TokenColumns()
    read = masked(text)
    if read is None or may_be_of_two_kinds(text):
        _add(found, text)
        return found
    if len(text) > _LONG:
        yield  # its brackets were counted
    matches = pattern_of_words(read).finditer(read)
    kinds = _KnownKinds()
    while pieces := list(islice(matches, _IN_A_STEP)):
        words = list(map(_FIRST_GROUP, pieces))
        while words and not words[-1]:  # the end of the text
            words.pop()
            pieces.pop()
        found.words += words
        found.kinds += map(kinds.__getitem__, words)
        found.starts.extend([match.start(1) for match in pieces])
        yield
    return found


def keeping_columns(text: str) -> Generator[None, None, TokenColumns]:
    """:func:`reading_columns` of a text of which a statement is made next: :func:`taking_columns` has them then."""
    found = yield from reading_columns(text)
    if len(text) > _LONG:
        _KEPT[text] = found
    return found


def taking_columns(text: str) -> Generator[None, None, TokenColumns]:
    """:func:`reading_columns`, but for a long text whose tokens are kept: whoever takes them has the only ones."""
    found = _KEPT.pop(text, None) if len(text) > _LONG else None
    return (yield from reading_columns(text)) if found is None else found


_LONG = 4096
_KEPT: ProcessCache[str, TokenColumns] = ProcessCache(1)
"""The tokens of one long text, the last whose shape was found."""


def without_places(words: list[str], kinds: list[TokenKind]) -> TokenColumns:
    """Tokens of which only words and kinds are known: the tree of a statement depends on no more."""
    found = TokenColumns()
    found.words, found.kinds = words, kinds
    return found


def columns(text: str) -> TokenColumns:
    """:func:`reading_columns` at once."""
    return run_to_completion(reading_columns(text))


def _add(found: TokenColumns, text: str) -> None:
    for kind, start, end in tokenize(text):
        found.words.append(text[start:end])
        found.kinds.append(kind)
        found.starts.append(start)


_IN_A_STEP = 4096
_FIRST_GROUP: Callable[[re.Match[str]], str] = itemgetter(1)


class _KnownKinds(dict[str, TokenKind]):
    """The kinds of words; the word alone determines its kind."""

    def __missing__(self, word: str) -> TokenKind:
        """The kind of a word that was not asked for before."""
        kind = self[word] = kind_of(word)
        return kind
