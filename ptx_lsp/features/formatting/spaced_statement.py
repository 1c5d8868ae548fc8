"""A statement as a sequence of atoms (tokens and comments) with the wanted white space between them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ptx_lsp.features.formatting.function_heads import head_gaps
from ptx_lsp.features.formatting.nvcc import nvcc_spacing
from ptx_lsp.features.formatting.options import Options
from ptx_lsp.features.formatting.spacing import BREAK, FLUSH, gaps, opcode_end
from ptx_lsp.patterns import compile_pattern
from ptx_lsp.syntax.kind import HEADS, Kind
from ptx_lsp.syntax.tokens import Token, TokenKind, tokenize
from ptx_lsp.syntax.trivia import COMMENT

LONGEST = 8192
"""The maximum length of a formatted statement, in characters; longer ones are generated data tables."""

_COMMENTS = compile_pattern(COMMENT, re.ASCII).finditer


@dataclass(slots=True)
class SpacedStatement:
    """The atoms of a statement. Offsets are relative to the text that it was made from."""

    starts: list[int]
    ends: list[int]
    wanted: list[str]
    """The wanted white space before each atom; empty before the first one."""
    commas: list[int] = field(default_factory=list)
    """The atoms that begin an operand, where a line may be broken."""
    inner: list[int] = field(default_factory=list)
    """The atoms that begin an element within brackets; broken only if an operand does not fit on a line."""
    joint: int = 0
    """The atom at which the aligned operands begin; 0 if there is none."""

    @property
    def head(self) -> int:
        """The width before ``joint``."""
        return self._width(0, self.joint)

    @property
    def rest(self) -> int:
        """The width from ``joint`` on."""
        return self._width(self.joint, len(self.starts))

    def _width(self, first: int, last: int) -> int:
        total = 0
        for index in range(first, last):
            total += self.ends[index] - self.starts[index] + (len(self.wanted[index]) if index > first else 0)
        return total

    @property
    def is_broken(self) -> bool:
        """Whether it spans several lines."""
        return any("\n" in gap for gap in self.wanted)


def spaced_statement(text: str, kind: Kind, options: Options) -> SpacedStatement | None:
    """Return the atoms and spacing of a statement without errors; None if it is left unchanged.

    ``text`` begins with the first token and ends with the last one.
    """
    if len(text) > LONGEST:
        return None
    tokens = tokenize(text)
    if not tokens or kind in _UNFORMATTED_KINDS or text.startswith(("@@", ".source_")):
        return None
    if kind is Kind.INSTRUCTION and _may_be_two(text, tokens):
        return None
    if kind in HEADS:
        return _with_comments(text, tokens, head_gaps(text, tokens, options))
    wanted = gaps(text, tokens, kind)
    if options.nvcc:
        return _with_comments(text, tokens, nvcc_spacing(text, tokens, wanted, kind))
    unit = _with_comments(text, tokens, wanted)
    if unit is not None:
        _breaks(text, tokens, unit, kind)
    return unit


def _may_be_two(text: str, tokens: list[Token]) -> bool:
    """Whether a word stands alone on a line after an opcode: ``ret;`` after ``membar.gl`` without its semicolon."""
    at = opcode_end(text, tokens)
    if at != len(tokens) - 2 or text[tokens[-1].start] != ";":
        return False
    word = tokens[at]
    return text[word.start].isalpha() and "\n" in text[tokens[at - 1].end : word.start]


_UNFORMATTED_KINDS = frozenset({Kind.DATA, Kind.LINE, Kind.BAD, Kind.EMPTY})


def _with_comments(text: str, tokens: list[Token], wanted: list[str]) -> SpacedStatement | None:
    """Return the atoms of tokens and the comments between them; None if there is anything else."""
    unit = SpacedStatement([], [], [])
    end = tokens[0].start
    for token, gap in zip(tokens, wanted, strict=True):
        between = text[end : token.start]
        if between and not between.isspace():
            if "#" in _COMMENTS_GONE(" ", between):
                return None  # it contains a line marker
            gap = _add_comments(unit, between, end, gap)
        unit.starts.append(token.start)
        unit.ends.append(token.end)
        unit.wanted.append(gap)
        end = token.end
    return unit


_COMMENTS_GONE = compile_pattern(COMMENT, re.ASCII).sub


def _add_comments(unit: SpacedStatement, between: str, offset: int, gap: str) -> str:
    """Add the comments between two tokens; return the wanted white space after the last comment."""
    end = 0
    before = ""
    for match in _COMMENTS(between):
        start = match.start()
        is_line = match[0].startswith("//")
        stop = start + len(match[0].rstrip(" \t\r\f")) if is_line else match.end()
        first = "\n" in between[end:start] or before.startswith("//")
        unit.starts.append(offset + start)
        unit.ends.append(offset + stop)
        unit.wanted.append(BREAK if first else "  " if is_line else " ")
        end, before = match.end(), match[0]
    if "\n" in gap:
        return gap
    return BREAK if before.startswith("//") or "\n" in between[end:] else " "


def _breaks(text: str, tokens: list[Token], unit: SpacedStatement, kind: Kind) -> None:
    """Determine the permitted line breaks, and keep existing ones before operands and in initializers."""
    joint = opcode_end(text, tokens) if kind is Kind.INSTRUCTION else _first_name(tokens) if kind in _LISTS else 0
    if joint >= len(tokens) or (kind is Kind.INSTRUCTION and text[tokens[joint].start] == ";"):
        joint = 0
    is_call = kind is Kind.INSTRUCTION and "call" in {text[one.start : one.end] for one in tokens[:joint]}
    keeps = kind in _LISTS or (kind is Kind.INSTRUCTION and not is_call)
    at = {start: index for index, start in enumerate(unit.starts)}
    depth = 0
    value = False
    for index, token in enumerate(tokens):
        word = text[token.start : token.end]
        atom = at[token.start]
        if index and text[tokens[index - 1].start] == "," and not _starts_another(text, tokens, index):
            if not depth or value:
                unit.commas.append(atom)
            elif unit.ends[atom - 1] == tokens[index - 1].end:  # a line that ends with a comment stays as it is
                unit.inner.append(atom)
        newline = index > 0 and "\n" in text[unit.ends[atom - 1] : token.start]
        if newline and keeps and "\n" not in unit.wanted[atom]:
            if value:
                unit.wanted[atom] = FLUSH if word in ("}", "};") and depth == 1 else BREAK
            elif not depth and (
                atom in unit.commas[-1:] or (index == joint and kind is Kind.INSTRUCTION and word[0] in _NEVER_OPCODES)
            ):
                unit.wanted[atom] = BREAK
        if word in _OPEN:
            depth += 1
        elif word in _CLOSE:
            depth -= 1
        elif word == "=":
            value = True
    if joint:
        unit.joint = at[tokens[joint].start] if kind is not Kind.VARIABLE else 0
        if kind is Kind.INSTRUCTION and text[tokens[joint].start] in _NEVER_OPCODES:
            unit.commas.insert(0, at[tokens[joint].start])


def _starts_another(text: str, tokens: list[Token], index: int) -> bool:
    """Whether a token would begin another statement at the start of a line, with what is joined to it."""
    start, following = tokens[index].start, tokens[index + 1 : index + 2]
    is_joined = text[start].islower() and any(text[one.start] == "." for one in following)
    return is_joined or _STARTS_ANOTHER(text, start) is not None


_STARTS_ANOTHER = re.compile(r"[.@]|[a-z]\w*+\.|[A-Za-z_$%][\w$]*+[ \t]*+:(?!:)", re.ASCII).match
"""Matches text that would begin another statement at the start of a line, see :mod:`ptx_lsp.syntax.split`."""
_NEVER_OPCODES = frozenset("%{[($!-0123456789")
"""First characters of operands that cannot begin a statement."""
_LISTS = frozenset({Kind.REGISTERS, Kind.VARIABLE, Kind.TARGETS})
_OPEN = frozenset("([{")
_CLOSE = frozenset(")]}")


def _first_name(tokens: list[Token]) -> int:
    return next((index for index, token in enumerate(tokens) if token.kind is TokenKind.NAME), 0)
