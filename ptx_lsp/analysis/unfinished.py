"""What is written of a statement up to the cursor: the question that completion and signature help ask first.

The statement may be broken, or lack its semicolon and so run on into the next line.
Nothing is parsed: a few tokens before the cursor tell the place.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from itertools import pairwise

from ptx_lsp.analysis.module import Module
from ptx_lsp.analysis.use import Use
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.tokens import Token, TokenKind, tokenize
from ptx_lsp.syntax.trivia import comments, open_comment
from ptx_lsp.text import Span


class Where(Enum):
    """The part of a statement in which the cursor stands."""

    START = auto()
    """Nothing but the word being typed, behind a label or guard too."""
    GUARD = auto()
    """The predicate after ``@``."""
    OPCODE = auto()
    """Behind a mnemonic, in its qualifiers."""
    OPERAND = auto()
    """Behind an opcode and a blank."""
    DIRECTIVE = auto()
    """Behind the first word of a statement that begins with a dot."""
    STRING = auto()
    """In a string that is not closed before the cursor."""


@dataclass(frozen=True)
class Unfinished:
    """A statement up to the cursor. Offsets of tokens are relative to ``text``."""

    use: Use
    """The statement that holds the cursor, as it was split; its scope is the scope here."""
    where: Where
    text: str
    """From the statement's first word to the cursor."""
    start: int
    """Where ``text`` begins in the document."""
    tokens: tuple[Token, ...]
    """The tokens of ``text``, the word being typed included."""
    first: int
    """The token with which the instruction or directive begins, behind a guard; ``len(tokens)`` if it is not there."""
    typed: Span
    """The word at the cursor in the document: from its beginning, through the cursor, to its end behind it."""

    @property
    def prefix(self) -> str:
        """The part of the word at the cursor that is before the cursor."""
        return self.text[self.typed.start - self.start :]

    @property
    def words(self) -> tuple[str, ...]:
        """The texts of the tokens from ``first`` on."""
        return tuple(self.text[token.start : token.end] for token in self.tokens[self.first :])

    @cached_property
    def opcode(self) -> tuple[str, ...]:
        """Mnemonic and qualifiers that are written whole, as ``isa.offers`` takes them; without the typed word."""
        found: list[str] = []
        end = -1
        for token in self.tokens[self.first :]:
            is_next = token.kind is TokenKind.DOT and token.start == end
            if not (is_next or (not found and token.kind is TokenKind.NAME)):
                break
            if self.where is Where.OPCODE and token.start + self.start >= self.typed.start:
                break
            found.append(self.text[token.start : token.end])
            end = token.end
        return tuple(found)

    @cached_property
    def path(self) -> tuple[tuple[str, int], ...]:
        """The way to the operand at the cursor: each open bracket with the commas so far, from the outside.

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
_GOES_ON = frozenset(", ( [ { = + - * / % | & ^ ~ ! << >> < ? : . ::".split())
"""Marks after which a line does not end a statement."""
_WORD_BEHIND = 64
"""Characters behind the cursor in which the rest of a word is looked for."""


def unfinished(module: Module, offset: int) -> Unfinished | None:
    """What is written up to ``offset``; None in a comment, in raw text and in an empty document."""
    document = module.document
    if not document.chunks or not 0 <= offset <= document.length:
        return None
    number, index, inside = document.locate(max(offset - 1, 0))
    inside += 1 if offset else 0
    chunk = document.chunks[number]
    statement = chunk.statement(index)
    before = statement.text[:inside]
    if _is_in_comment(before, statement.text, inside):
        return None
    for _ in range(_MOST_PARTS):
        if not (index and _opens_a_vector(chunk, index)):
            break
        index -= 1
        part = chunk.part(index)
        before, inside = part + before, len(part) + inside
    tokens = tokenize(before)
    ended = max((at + 1 for at, token in enumerate(tokens) if before[token.start : token.end] == ";"), default=0)
    if tokens and before[tokens[0].start : tokens[0].end] in ("{", "}"):
        ended = max(ended, 1)
    begin = max(ended, _last_beginning(before, tokens))
    if begin and begin == len(tokens) and index + 1 < len(chunk.kinds):
        index += 1  # behind the end of one statement: what comes belongs to the next
    start = tokens[begin].start if begin < len(tokens) else inside
    text = before[start:]
    kept = tuple(Token(token.kind, token.start - start, token.end - start) for token in tokens[begin:])
    use = Use(module, module.function_of(chunk), chunk, index)
    base = offset - inside + start
    behind = document.slice(Span(offset, offset + _WORD_BEHIND))
    return _placed(use, text, base, kept, behind)


_MOST_PARTS = 2
"""Statements that an instruction and a brace behind it can have been split into."""


def _opens_a_vector(chunk: Chunk, index: int) -> bool:
    """Whether a statement is the brace of a vector that is being typed, or what stands behind such a brace.

    Without an element behind it a brace was split from its instruction, as one that opens a block.
    """
    earlier, part = chunk.part(index - 1), chunk.part(index)
    if _begins_a_line(part, 0, len(part) - len(part.lstrip())):
        return False
    if earlier.strip() == "{":
        return index > 1 and _opens_a_vector(chunk, index - 1)
    tokens = tokenize(earlier)
    if not part.lstrip().startswith("{") or not tokens:
        return False
    first, last = (earlier[token.start : token.end] for token in (tokens[0], tokens[-1]))
    return (first == "@" or first[0].isalpha()) and last not in (";", ":", "{", "}", ")")


def _placed(use: Use, text: str, base: int, tokens: tuple[Token, ...], behind: str) -> Unfinished:
    """Tell the place by the tokens of ``text``."""
    end = len(text)
    words = [text[token.start : token.end] for token in tokens]
    last = tokens[-1] if tokens and tokens[-1].end == end else None
    is_word = last is not None and (last.kind in _WORDS or text[last.start :] == ".")
    from_ = last.start if is_word and last is not None else end
    typed = Span(base + from_, base + end + (_rest(behind) if is_word else 0))
    first = _after_guard(words)
    where = _where(text, tokens, first, is_word)
    return Unfinished(use, where, text, base, tokens, len(tokens) if first is None else first, typed)


def _where(text: str, tokens: tuple[Token, ...], first: int | None, is_word: bool) -> Where:
    if tokens and tokens[-1].kind is TokenKind.UNCLOSED:
        return Where.STRING
    if first is None:
        return Where.GUARD
    if first >= len(tokens) or (first == len(tokens) - 1 and is_word):
        return Where.START
    if text.startswith(".", tokens[first].start):
        return Where.DIRECTIVE
    joined = all(one.end == two.start for one, two in pairwise(tokens[first:]))
    dots = all(token.kind is TokenKind.DOT or text[token.start : token.end] == "." for token in tokens[first + 1 :])
    return Where.OPCODE if joined and dots and tokens[-1].end == len(text) else Where.OPERAND


_WORDS = frozenset({TokenKind.NAME, TokenKind.DOT, TokenKind.INTEGER, TokenKind.FLOAT, TokenKind.MALFORMED})


def _after_guard(words: list[str]) -> int | None:
    """Behind ``@p`` or ``@!p``; 0 without a guard; None within one."""
    if not words or words[0] != "@":
        return 0
    at = 2 if words[1:2] == ["!"] else 1
    return at + 1 if len(words) > at + 1 else None


def _last_beginning(text: str, tokens: list[Token]) -> int:
    """The last token that begins a line and, from what stands before it, a statement: a semicolon was forgotten."""
    depth = 0
    found = 0
    for at, token in enumerate(tokens):
        word = text[token.start : token.end]
        if at and _begins_a_line(text, tokens[at - 1].end, token.start):
            before = text[tokens[at - 1].start : tokens[at - 1].end]
            is_operand = at + 1 < len(tokens) and text[tokens[at + 1].start] in ",)]}"
            begins = token.kind is TokenKind.DOT or word in ("@", "{", "}") or (word[0].isalpha() and not is_operand)
            if begins and before not in _GOES_ON and (depth == 0 or word[0].isalpha()):
                found, depth = at, 0
        depth += (word in _OPENING) - (word in _CLOSING)
    return found


def _begins_a_line(text: str, start: int, end: int) -> bool:
    return "\n" in text[start:end]


def _is_in_comment(before: str, whole: str, inside: int) -> bool:
    if any(span.start < inside < span.end for span in comments(whole)):
        return True
    line = before[before.rfind("\n") + 1 :]
    return open_comment(before) >= 0 or any(
        span.end == len(before) and before.startswith("//", span.start) for span in comments(before)
    ) and "//" in line


def _rest(behind: str) -> int:
    """How many characters of a word stand at the beginning of ``behind``."""
    count = 0
    while count < len(behind) and (behind[count].isalnum() or behind[count] in "_$:" or behind[count] == "%"):
        count += 1
    while count and behind[count - 1] == ":" and behind[:count].count(":") % 2:
        count -= 1  # the colon of a label, not of `::`
    return count
