"""A tolerant reader of valid PTX: tokens and statements, nothing checked."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

_TOKENS = re.compile(
    r"""
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<string>"[^"\n]*")
  | (?P<number>0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}|0[xX][0-9a-fA-F]+U?
      |\d+\.\d*(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+U?)
  | (?P<dot>\.[A-Za-z0-9_]+(?:::[A-Za-z0-9_]+)*)
  | (?P<word>[A-Za-z_$%][A-Za-z0-9_$]*)
  | (?P<mark>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_LINE_DIRECTIVES = (".loc", ".file", ".version", ".target", ".address_size")


@dataclass(frozen=True, slots=True)
class Token:
    """A token with its place. Kinds: word, dot (``.u32``), number, string, mark."""

    kind: str
    text: str
    start: int
    line: int
    """Counted from 1."""

    @property
    def end(self) -> int:
        """Offset just past it."""
        return self.start + len(self.text)

    @property
    def is_percent(self) -> bool:
        """Whether it looks like ``%r1``, as all registers of nvcc and the special ones do."""
        return self.kind == "word" and self.text.startswith("%")


@dataclass(slots=True)
class Statement:
    """A run of tokens. Kinds: instruction, label, directive, head (of a function), brace."""

    kind: str
    tokens: list[Token]
    function: int
    """Number of the function it stands in, -1 at module scope."""
    guard: list[Token] = field(default_factory=list)
    opcode: Token | None = None
    qualifiers: list[Token] = field(default_factory=list)
    operands: list[list[Token]] = field(default_factory=list)

    @property
    def line(self) -> int:
        """Line of its first token."""
        return self.tokens[0].line


@dataclass
class Module:
    """The statements of a text that may be broken."""

    text: str
    statements: list[Statement]

    @cached_property
    def tokens(self) -> list[Token]:
        """All tokens of the statements."""
        return [token for statement in self.statements for token in statement.tokens]

    @cached_property
    def instructions(self) -> list[Statement]:
        """All instructions."""
        return [statement for statement in self.statements if statement.opcode is not None]

    @cached_property
    def _declared(self) -> frozenset[str]:
        """The names of the declared registers, of groups the part before the number."""
        return frozenset(
            token.text for statement in self.directives(".reg") for token in statement.tokens if token.kind == "word"
        )

    def is_register(self, token: Token) -> bool:
        """Whether it looks like a register or is declared as one."""
        return token.is_percent or (
            token.kind == "word" and not self._declared.isdisjoint((token.text, token.text.rstrip("0123456789")))
        )

    def directives(self, *names: str) -> list[Statement]:
        """Directives that begin with one of these words."""
        return [s for s in self.statements if s.kind == "directive" and s.tokens[0].text in names]


def read(text: str) -> Module:
    """The module of a valid text."""
    return Module(text, _Reader(_scan(text)).statements())


def _scan(text: str) -> list[Token]:
    tokens, line = [], 1
    for found in _TOKENS.finditer(text):
        if found.lastgroup != "skip":
            tokens.append(Token(found.lastgroup or "", found[0], found.start(), line))
        line += found[0].count("\n")
    return tokens


class _Reader:
    """Cuts tokens into statements."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self._function = -1
        self._functions = 0

    def statements(self) -> list[Statement]:
        """All statements, in order."""
        found = []
        while self._at < len(self._tokens):
            found.append(self._next())
        return found

    def _next(self) -> Statement:
        token = self._tokens[self._at]
        if token.text in ("{", "}"):
            return self._brace(token)
        if self._depth and token.kind == "word" and self._tokens[self._at + 1].text == ":":
            return Statement("label", self._take(self._at + 2), self._function)
        if token.text in _LINE_DIRECTIVES:
            end = self._at
            while end < len(self._tokens) and self._tokens[end].line == token.line:
                end += 1
            return Statement("directive", self._take(end), self._function)
        words = self._take(self._end())
        if token.kind != "dot":
            return _instruction(words, self._function)
        if any(word.text in (".entry", ".func") for word in words[:4]) and self._at_body():
            self._function = self._functions
            self._functions += 1
            return Statement("head", words, self._function)
        return Statement("directive", words, self._function)

    def _brace(self, token: Token) -> Statement:
        self._depth += 1 if token.text == "{" else -1
        statement = Statement("brace", self._take(self._at + 1), self._function)
        if not self._depth:
            self._function = -1
        return statement

    def _take(self, end: int) -> list[Token]:
        words = self._tokens[self._at : end]
        self._at = end
        return words

    def _at_body(self) -> bool:
        return self._at < len(self._tokens) and self._tokens[self._at].text == "{"

    def _end(self) -> int:
        """Index just past the statement that begins here: past its ``;``, or before the brace of its body."""
        may_have_body = self._tokens[self._at].kind == "dot"
        nesting = 0
        for index in range(self._at, len(self._tokens)):
            text = self._tokens[index].text
            if text == ";" and not nesting:
                return index + 1
            if text == "{" and not nesting and may_have_body:
                return index
            if text == "=":
                may_have_body = False
            if text in ("(", "[", "{"):
                nesting += 1
            elif text in (")", "]", "}"):
                nesting -= 1
        return len(self._tokens)


def _instruction(words: list[Token], function: int) -> Statement:
    statement = Statement("instruction", words, function)
    at = 0
    if words[0].text == "@":
        at = next(index for index, word in enumerate(words) if word.kind == "word") + 1
        statement.guard = words[:at]
    statement.opcode = words[at]
    at += 1
    while words[at].kind == "dot":
        statement.qualifiers.append(words[at])
        at += 1
    statement.operands = _operands(words[at:])
    return statement


def _operands(words: list[Token]) -> list[list[Token]]:
    """The operands, cut at the commas outside of brackets."""
    operands: list[list[Token]] = [[]]
    nesting = 0
    for word in words:
        if word.text == "," and not nesting:
            operands.append([])
        elif word.text != ";":
            operands[-1].append(word)
        if word.text in ("(", "[", "{"):
            nesting += 1
        elif word.text in (")", "]", "}"):
            nesting -= 1
    return [operand for operand in operands if operand]
