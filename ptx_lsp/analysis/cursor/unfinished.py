"""The unfinished statement up to the cursor: the input of completion and signature help.

The statement may be malformed, or lack its semicolon and so extend into the next line.
The region is determined from a few tokens before the cursor, without parsing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise

from ptx_lsp.analysis.cursor.statement_boundary import (
    continues_previous,
    is_in_body,
    is_in_comment,
    last_statement_start,
    opens_a_vector,
    statement_before,
)
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.derived_values import once
from ptx_lsp.syntax.kind import HEADS
from ptx_lsp.syntax.tokens import Token, TokenKind, tokenize
from ptx_lsp.text import Span


class CursorRegion(Enum):
    """The part of a statement that contains the cursor."""

    START = auto()
    """Only the word being typed, possibly after a label or guard."""
    GUARD = auto()
    """The predicate after ``@``."""
    OPCODE = auto()
    """After a mnemonic, in its qualifiers."""
    OPERAND = auto()
    """After an opcode and a blank."""
    DIRECTIVE = auto()
    """After the first word of a statement that begins with a dot."""
    STRING = auto()
    """In a string that is open at the cursor."""


@dataclass(frozen=True)
class UnfinishedStatement:
    """A statement up to the cursor. Offsets of tokens are relative to ``text``."""

    context: StatementContext
    """The statement that contains the cursor, as split; its scope is the scope at the cursor."""
    region: CursorRegion
    text: str
    """From the statement's first word to the cursor."""
    start: int
    """The offset of ``text`` in the document."""
    tokens: tuple[Token, ...]
    """The tokens of ``text``, the word being typed included."""
    first: int
    """The first token of the instruction or directive, after a guard; ``len(tokens)`` if it is missing."""
    typed: Span
    """The span of the word at the cursor in the document, including its part after the cursor."""
    text_after: str
    """Some characters after ``typed``."""
    is_inside: bool
    """Whether it is in the body of a function."""

    @property
    def offset(self) -> int:
        """The offset of the cursor."""
        return self.start + len(self.text)

    @property
    def prefix(self) -> str:
        """The part of the word at the cursor that is before the cursor."""
        return self.text[self.typed.start - self.start :]

    @property
    def words(self) -> tuple[str, ...]:
        """The texts of the tokens from ``first`` on."""
        return tuple(self.text[token.start : token.end] for token in self.tokens[self.first :])

    @once
    def opcode(self) -> tuple[str, ...]:
        """The complete words of the mnemonic and qualifiers, without the word at the cursor."""
        found: list[str] = []
        end = -1
        for token in self.tokens[self.first :]:
            is_next = token.kind is TokenKind.DOT and token.start == end
            if not (is_next or (not found and token.kind is TokenKind.NAME)):
                break
            if self.region is CursorRegion.OPCODE and token.start + self.start >= self.typed.start:
                break
            found.append(self.text[token.start : token.end])
            end = token.end
        return tuple(found)

    @once
    def following(self) -> tuple[str, ...]:
        """The qualifiers after the cursor: ``.u32`` of ``ld.<|>.u32``."""
        found = _DOTTED_WORDS.match(self.text_after)
        return tuple(_DOTTED_WORD.findall(found[0])) if found is not None and self.region is CursorRegion.OPCODE else ()

    @property
    def line(self) -> str:
        """The part of the line before the typed word."""
        before = self.text[: self.typed.start - self.start]
        return before[before.rfind("\n") + 1 :]

    @once
    def path(self) -> tuple[tuple[str, int], ...]:
        """The path to the operand at the cursor: each open bracket with its count of commas, from the outermost.

        ``mma… {%f1, %f2}, {%r1, <|>`` is ``(("", 1), ("{", 1))``: in the second operand, its second element.
        """
        levels: list[tuple[str, int]] = [("", 0)]
        for token in self.tokens[self.first + len(self.opcode) :]:
            word = self.text[token.start : token.end]
            if word in _OPENING:
                levels.append((word, 0))
            elif word in _CLOSING and len(levels) > 1:
                levels.pop()
            elif word == ",":
                levels[-1] = (levels[-1][0], levels[-1][1] + 1)
        return tuple(levels)

    @property
    def operand(self) -> int:
        """The number of the operand at the cursor, from 0."""
        return self.path[0][1]


_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")
_MAX_JOINED = 3
"""Maximum number of parts into which the splitter divides an unfinished statement."""
_LOOKAHEAD = 256
"""Number of characters after the cursor that are read: the rest of a word or opcode."""
_DOTTED_WORD = re.compile(r"\.\w+(?:::?\w+)*", re.ASCII)
_DOTTED_WORDS = re.compile(rf"(?:{_DOTTED_WORD.pattern})+", re.ASCII)
_OPEN_WORD = re.compile(r"\.\w+(?:::?\w+)*::?\Z", re.ASCII)
"""A qualifier that ends in the middle: ``.L2::``."""


def unfinished_at(module: Module, offset: int) -> UnfinishedStatement | None:
    """The unfinished statement up to ``offset``; None in a comment, in raw text and in an empty document."""
    document = module.document
    if not document.chunks or not 0 <= offset <= document.length:
        return None
    number, index, inside = document.locate(max(offset - 1, 0))
    inside += 1 if offset else 0
    place = Place(document.chunks[number], index, 0)
    statement = place.chunk.statement(index)
    before = statement.text[:inside]
    if is_in_comment(before, statement.text, inside):
        return None
    tokens = tokenize(before)
    for _ in range(_MAX_JOINED):
        earlier = statement_before(module, number, place.statement)
        kind = place.chunk.kinds[place.statement]
        if earlier is None or not (
            continues_previous(earlier, before, tokens, kind) or opens_a_vector(module, number, place)
        ):
            break
        number -= earlier.chunk is not place.chunk
        place = earlier
        before = earlier.chunk.statement(earlier.statement).text + before
        inside = len(before)
        tokens = tokenize(before)
    ended = max((at + 1 for at, token in enumerate(tokens) if before[token.start : token.end] == ";"), default=0)
    if tokens and before[tokens[0].start : tokens[0].end] in ("{", "}"):
        ended = max(ended, 1)
    following = document.slice(Span(offset, min(offset + _LOOKAHEAD, document.length)))
    begin = max(ended, last_statement_start(before, tokens, is_open=following.lstrip()[:1] == ","))
    if begin and begin == len(tokens):  # text after the end belongs to the next statement
        if place.statement + 1 < len(place.chunk.kinds):
            place = Place(place.chunk, place.statement + 1, 0)
        elif number + 1 < len(document.chunks) and document.chunks[number + 1].kinds[0] not in HEADS:
            number += 1
            place = Place(document.chunks[number], 0, 0)
    start = tokens[begin].start if begin < len(tokens) else inside
    text = before[start:]
    kept = tuple(Token(token.kind, token.start - start, token.end - start) for token in tokens[begin:])
    context = StatementContext(module, module.function_of(place.chunk), place.chunk, place.statement)
    base = offset - inside + start
    return _placed(context, text, base, kept, following, is_in_body(context, number, not kept))


def _placed(
    context: StatementContext, text: str, base: int, tokens: tuple[Token, ...], following: str, is_inside: bool
) -> UnfinishedStatement:
    """Determine the region of the cursor from the tokens of ``text``."""
    end = len(text)
    tokens = _with_open_word(text, tokens)
    words = [text[token.start : token.end] for token in tokens]
    last = tokens[-1] if tokens and tokens[-1].end == end else None
    is_word = last is not None and (
        last.kind in _WORDS or text[last.start :] == "." or _begins_a_register(words, tokens[-2:-1])
    )
    from_, rest = end, 0
    if last is not None and last.kind is TokenKind.UNCLOSED:
        from_, rest = last.start + 1, _rest_of_string(following)
    elif last is not None and is_word:
        from_, rest = last.start, _rest(following, text[last.start])
    typed = Span(base + from_, base + end + rest)
    first = _after_guard(words, is_word)
    region = _region(text, tokens, first, is_word)
    first = len(tokens) if first is None else first
    return UnfinishedStatement(context, region, text, base, tokens, first, typed, following[rest:], is_inside)


def _with_open_word(text: str, tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The tokens, with a final ``.L2::`` as one token; the tokenizer joins such words only with their last part."""
    open_word = _OPEN_WORD.search(text)
    if open_word is None or not tokens or tokens[-1].kind is TokenKind.UNCLOSED:
        return tokens
    kept = tuple(token for token in tokens if token.start < open_word.start())
    return (*kept, Token(TokenKind.DOT, open_word.start(), len(text)))


def _region(text: str, tokens: tuple[Token, ...], first: int | None, is_word: bool) -> CursorRegion:
    if tokens and tokens[-1].kind is TokenKind.UNCLOSED:
        return CursorRegion.STRING
    if first is None:
        return CursorRegion.GUARD
    if first >= len(tokens) or (first == len(tokens) - 1 and is_word):
        return CursorRegion.START
    if text.startswith(".", tokens[first].start):
        return CursorRegion.DIRECTIVE
    joined = all(one.end == two.start for one, two in pairwise(tokens[first:]))
    dots = all(text.startswith(".", token.start) for token in tokens[first + 1 :])  # `.2` is a float until `.2d`
    is_opcode = tokens[first].kind is TokenKind.NAME and joined and dots and tokens[-1].end == len(text)
    return CursorRegion.OPCODE if is_opcode else CursorRegion.OPERAND


_WORDS = frozenset({TokenKind.NAME, TokenKind.DOT, TokenKind.INTEGER, TokenKind.FLOAT, TokenKind.MALFORMED})


def _begins_a_register(words: list[str], before: tuple[Token, ...]) -> bool:
    """Whether the last word is the ``%`` of a name rather than of a division."""
    is_value = bool(before) and before[0].kind in (TokenKind.INTEGER, TokenKind.FLOAT) or words[-2:-1] == [")"]
    return words[-1:] == ["%"] and not is_value


def _after_guard(words: list[str], is_word: bool) -> int | None:
    """The index of the token after a guard ``@p`` or ``@!p``; 0 without a guard; None within one."""
    if not words or words[0] != "@":
        return 0
    at = 2 if words[1:2] == ["!"] else 1
    return at + 1 if len(words) > at + 1 or (len(words) == at + 1 and not is_word) else None


def _rest(following: str, begin: str) -> int:
    """The number of leading characters of ``following`` that continue a word that begins with ``begin``."""
    count = 0
    more = "_$:%." if begin.isdigit() else "_$:%"
    while count < len(following) and (following[count].isalnum() or following[count] in more):
        count += 1
    while count and following[count - 1] == ":" and following[:count].count(":") % 2:
        count -= 1  # the colon of a label, not of `::`
    return count


def _rest_of_string(following: str) -> int:
    """The number of characters of a string after the cursor; 0 if it is not closed on its line."""
    line = following.split("\n", 1)[0]
    return max(line.find('"'), 0)
