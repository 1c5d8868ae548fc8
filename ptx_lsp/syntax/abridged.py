"""Directives without the inner numbers of their long tables, and without the inner names of their long lists.

The shape of a table depends on how many numbers it has, not on which: a regular expression passes over a run of plain
numbers in a hundredth of the time that their tokens take. So it is with names in a list of targets. The rest of the
statement is read as ever, and counts its tokens as if none were left out.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from typing import overload

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.patterns import compiled_on_use
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.raw import BEGIN
from ptx_lsp.syntax.token_columns import TokenColumns, columns, keeping_columns, reading_columns
from ptx_lsp.syntax.tokens import Token, TokenKind

SHORTEST = 512
"""Shorter texts have no long tables."""
_BLANKS = r"[ \t\r\n\f]*+"
_NUMBER = rf"(?:0[xX][0-9a-fA-F]++|[1-9][0-9]*+|0[0-7]*+)U?+{_BLANKS},{_BLANKS}"
_RUN = compiled_on_use(rf"([{{,]{_BLANKS}(?:{_NUMBER}){{4}})((?:{_NUMBER}){{32,}}+)")
"""The first numbers of a run, as many as make it one terminal of the grammar, and those that are left out."""
_NAME = rf"(?!(?:WARP_SZ|function_name|inlined_at)(?![\w$]))(?:[A-Za-z][\w$]*+|[_$][\w$]++){_BLANKS},{_BLANKS}"
_NAMES = compiled_on_use(rf"(,{_BLANKS}(?:{_NAME}){{4}})((?:{_NAME}){{32,}}+)", re.ASCII)
"""The first names of a run, none of them with a percent sign, and those that are left out."""
_TARGETS = compiled_on_use(r"\s*+\.(?:branch|call)targets(?![\w$.])", re.ASCII)
_OPENERS = ('"', "/*", "//", "#", BEGIN)
"""With strings, comments or raw text a number need not be one."""


class Abridged(Sequence[Token]):
    """The tokens of a statement, by their places in the whole one; those that are left out cannot be asked for."""

    def __init__(self, text: str, tokens: TokenColumns, gaps: tuple[LeftOut, ...]) -> None:
        self.text = text
        """The text without the numbers that are left out; the tokens have their offsets in it."""
        self.tokens = tokens
        self.gaps = gaps

    def __len__(self) -> int:
        return len(self.tokens) + sum(gap.missing for gap in self.gaps)

    @overload
    def __getitem__(self, index: int) -> Token: ...

    @overload
    def __getitem__(self, index: slice) -> list[Token]: ...

    def __getitem__(self, index: int | slice) -> Token | list[Token]:
        """The token at a place in the whole statement."""
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        return self.tokens[self._kept(index)]

    def _kept(self, index: int) -> int:
        """The index in ``tokens`` of the token at a place in the whole statement."""
        for gap in reversed(self.gaps):
            if index >= gap.at + gap.before + gap.missing:
                return index - gap.before - gap.missing
        return index

    def word(self, index: int) -> str:
        """The text of the token at a place in the whole statement."""
        return self.tokens.words[self._kept(index)]

    def kind(self, index: int) -> TokenKind:
        """The kind of the token at a place in the whole statement."""
        return self.tokens.kinds[self._kept(index)]

    def words(self) -> Mapping[int, str]:
        """The texts of the tokens that are not left out, by their places in the whole statement."""
        texts = self.tokens.words
        return dict(zip(self.places(list(range(len(texts)))), texts, strict=True))

    def places(self, indices: list[int]) -> list[int]:
        """The places in the whole statement of some of ``tokens``, in ascending order."""
        if not self.gaps:
            return indices
        found = []
        gaps = iter((*self.gaps, None))
        gap, before = next(gaps), 0
        for index in indices:
            while gap is not None and index >= gap.at:
                before = gap.before + gap.missing
                gap = next(gaps)
            found.append(index + before)
        return found


class LeftOut(NamedTuple):
    """Numbers or names with their commas that are left out."""

    at: int
    """The number of tokens before it that are not left out."""
    before: int
    """The number of tokens that earlier gaps leave out."""
    missing: int
    """The number of tokens that it leaves out."""
    is_of_names: bool
    """Whether it leaves out names."""


def may_leave_out(text: str) -> bool:
    """Whether a statement may have so long runs that some of their numbers or names are left out."""
    return len(text) >= SHORTEST and (_RUN().search(text) is not None or _TARGETS().match(text) is not None)


def abridged(text: str) -> Abridged:
    """The tokens of a statement, of a directive without the inner numbers or names of long runs."""
    return Abridged(text, columns(text), ()) if len(text) < SHORTEST else run_to_completion(abridging(text))


def abridging(text: str) -> Generator[None, None, Abridged]:
    """:func:`abridged` in steps of some thousand tokens."""
    if len(text) < SHORTEST or any(one in text for one in _OPENERS) or not text.lstrip().startswith("."):
        return Abridged(text, (yield from keeping_columns(text)), ())
    kept: list[str] = []
    tokens = TokenColumns()
    gaps: list[LeftOut] = []
    start = length = left_out = 0
    is_of_names = _TARGETS().match(text) is not None
    for run in (_NAMES if is_of_names else _RUN)().finditer(text):
        piece = text[start : run.end(1)]
        found = yield from reading_columns(piece)
        tokens.extend(found, length)
        kept.append(piece)
        length += len(piece)
        # The last number is kept with its comma, which does not belong to the run if a name follows; of names the last
        # two are kept, since a run of names ends before one.
        begin, start = run.span(2)
        for _ in range(2 + is_of_names):
            start = text.rfind(",", begin, start)
        start += 1
        gaps.append(LeftOut(len(tokens), left_out, 2 * text.count(",", begin, start), is_of_names))
        left_out += gaps[-1].missing
    if not gaps:
        return Abridged(text, (yield from keeping_columns(text)), ())
    piece = text[start:]
    found = yield from reading_columns(piece)
    tokens.extend(found, length)
    return Abridged("".join([*kept, piece]), tokens, tuple(gaps))
