"""The parts of an ``asm!`` call of Rust: templates, operands in the order in which they are numbered, options."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Generator, Iterable, Iterator
from typing import NamedTuple

from ptx_lsp.hosts.rust_tokens import RustToken, rust_pieces, rust_tokens
from ptx_lsp.hosts.site import AsmOperand, Parts, Piece, PieceKind, SiteProblem, Variant
from ptx_lsp.stepwise import collected, listed
from ptx_lsp.text import Span

_KEYWORD = "asm!"
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_CLOSING = frozenset(_PAIRS.values())
_SPACE = re.compile(r"(?:\s++|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+")
_ATTRIBUTE = re.compile(r"#\s*\[")
_OPERAND = re.compile(
    r"(?:(?P<name>(?:r#)?\w++)\s*+=(?!=)\s*+)?"
    r"(?:(?P<direction>in|out|lateout|inout|inlateout)\s*+\(\s*+(?P<class>[^()\s]*+(?:\s++[^()\s]++)*+)\s*+\)"
    r"|(?P<other>const|sym|label)(?=[\s{(]|\Z))\s*+"
)
_NO_OPERAND = re.compile(r"(?P<word>options|clobber_abi)\s*\(")
_RAW = re.compile(r"\braw\b")
_TRANSPARENT = re.compile(r"(?:(?:core|std)\s*::\s*)?concat!\s*[(\[{]")
_DEEPEST = 8
"""Calls of ``concat!`` within each other; the text of deeper ones is unknown."""
_MODIFIERS = {"in": "", "out": "=", "lateout": "=", "inout": "+", "inlateout": "+"}


class RustExtent(NamedTuple):
    """A call up to its closing bracket."""

    end: int
    is_closed: bool
    looked_at: int
    """The end of the text that decides it."""


_TOKENS_IN_A_STEP = 4096


class _Tokens:
    """The tokens of a call from an offset on, found once: calls of macros nest, and are looked into level by level."""

    def __init__(self, tokens: list[RustToken]) -> None:
        self._tokens = tokens
        self._starts = [token.start for token in self._tokens]

    def since(self, at: int) -> Iterator[RustToken]:
        """Those from the end of another one on."""
        return self._between(bisect_left(self._starts, at), len(self._tokens))

    def first(self, at: int) -> RustToken | None:
        """The first one from an offset on."""
        number = bisect_left(self._starts, at)
        return self._tokens[number] if number < len(self._tokens) else None

    def within(self, start: int, end: int) -> Iterator[RustToken]:
        """Those from the end of another one up to the start of a third."""
        return self._between(bisect_left(self._starts, start), bisect_left(self._starts, end))

    def _between(self, first: int, stop: int) -> Iterator[RustToken]:
        return map(self._tokens.__getitem__, range(first, stop))


def finding_rust_extent(
    text: str, at: int, tokens: Iterable[RustToken] | None = None
) -> Generator[None, None, RustExtent]:
    """The end of the call whose bracket opens right before ``at``, where the ``tokens`` begin, in steps.

    If the bracket is not closed, the call ends before the ``;`` of its statement, or a bracket that closes another one.
    """
    closing = [_PAIRS[text[at - 1]]]
    if tokens is None:
        tokens = rust_tokens(text, at, len(text), has_signs=True)
    for count, token in enumerate(tokens, 1):
        if not count % _TOKENS_IN_A_STEP:
            yield
        if token.kind in _PAIRS:
            closing.append(_PAIRS[token.kind])
        elif token.kind == "call":
            closing.append(_PAIRS[text[token.end - 1]])
        elif token.kind == ";" and len(closing) == 1:
            return RustExtent(token.start, False, token.end)
        elif token.kind in _CLOSING:
            if token.kind != closing.pop():
                return RustExtent(token.start, False, token.end)
            if not closing:
                return RustExtent(token.end, True, token.end)
    return RustExtent(len(text), False, len(text))


_IN_A_STEP = 256
"""Arguments that are read between two pauses."""


def reading_asm(text: str) -> Generator[None, None, Parts]:
    """The parts of a call, whose name begins the text; in steps if it is long."""
    at = min((place for place in map(text.find, _PAIRS) if place >= 0), default=-1) + 1
    if not at:
        return Parts(Span(0, 0), (Variant((), (), True, (), (), (), False),))
    tokens = _Tokens((yield from listed(rust_tokens(text, at, len(text), has_signs=True))))
    yield
    extent = yield from finding_rust_extent(text, at, tokens.since(at))
    yield
    problems = [] if extent.is_closed else [SiteProblem("the closing bracket is missing", Span(extent.end, extent.end))]
    call = _Call(text, tokens, problems)
    arguments = yield from collected(_arguments(text, tokens, at, extent.end - extent.is_closed))
    for number, (start, end) in enumerate(arguments):
        yield from call.adding(start, end, is_first=not number)
        if not number % _IN_A_STEP:
            yield
    variant = Variant(
        tuple(call.pieces), tuple(call.operands), not call.is_raw, (), (), tuple(problems), call.are_operands_known
    )
    return Parts(Span(0, len(_KEYWORD)), (variant,))


def _arguments(text: str, tokens: _Tokens, start: int, end: int) -> Iterator[tuple[int, int] | None]:
    """The arguments between two offsets, without white space and comments before them, and without empty ones.

    None among them is a pause.
    """
    depth = 0
    begin = start
    for count, token in enumerate(tokens.within(start, end), 1):
        if not count % _TOKENS_IN_A_STEP:
            yield None
        depth += (token.kind in _PAIRS or token.kind == "call") - (token.kind in _CLOSING)
        if token.kind == "," and not depth:
            yield from _argument(text, begin, token.start)
            begin = token.end
    yield from _argument(text, begin, end)


def _argument(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    space = _SPACE.match(text, start, end)
    first = space.end() if space is not None else start
    last = first + len(text[first:end].rstrip())
    if first < last:
        yield first, last


class _Call:
    """Gathers the arguments of a call."""

    def __init__(self, text: str, tokens: _Tokens, problems: list[SiteProblem]) -> None:
        self._text = text
        self._tokens = tokens
        self._problems = problems
        self.pieces: list[Piece] = []
        self.operands: list[AsmOperand] = []
        self.is_raw = False
        self.are_operands_known = True

    def adding(self, start: int, end: int, *, is_first: bool) -> Iterator[None]:
        """Add an argument, in steps."""
        text = self._text
        if _ATTRIBUTE.match(text, start, end) is not None:
            self.are_operands_known = False  # a condition, which may leave the argument out
            return
        if not is_first:
            option = _NO_OPERAND.match(text, start, end)
            if option is not None:
                self.is_raw |= option["word"] == "options" and _RAW.search(text, option.end(), end) is not None
                return
            operand = _OPERAND.match(text, start, end)
            if operand is not None:
                self.operands.append(_operand(text, operand, end))
                return
            if self.operands or text[start] == "$":
                self.are_operands_known = False
                return
        yield from self._template(start, end, is_first=is_first)

    def _template(self, start: int, end: int, *, is_first: bool) -> Iterator[None]:
        """Add a template: literals, also within ``concat!``; anything else is a hole. A new line is between two."""
        literal = self._literal(start, end)
        found = (
            self._pieces_of(literal) if literal is not None else (yield from collected(self._expression(start, end)))
        )
        begin = found[0].start
        if not is_first and self.pieces:
            self.pieces.append(Piece(self.pieces[-1].end, begin, "\n", PieceKind.JOIN))
        if literal is not None:
            if self.pieces and self.pieces[-1].end < begin:
                self.pieces.append(Piece(self.pieces[-1].end, begin, "", PieceKind.JOIN))
            self.pieces += found
            return
        for piece in found:
            if self.pieces and self.pieces[-1].end < piece.start:
                self.pieces.append(Piece(self.pieces[-1].end, piece.start, "", PieceKind.JOIN))
            self.pieces.append(piece)

    def _expression(self, start: int, end: int, depth: int = 0) -> Iterator[Piece | None]:
        """The pieces of an expression; None is a pause."""
        text = self._text
        call = _TRANSPARENT.match(text, start, end)
        if call is not None and depth < _DEEPEST:
            inner = yield from finding_rust_extent(text, call.end(), self._tokens.since(call.end()))
            yield None
            empty = True
            for one in _arguments(text, self._tokens, call.end(), min(inner.end - inner.is_closed, end)):
                if one is None:
                    yield None
                    continue
                yield from self._expression(*one, depth + 1)
                empty = False
            if empty:
                yield Piece(call.end(), call.end(), "", PieceKind.VERBATIM)
            return
        literal = self._literal(start, end)
        if literal is None:
            yield Piece(start, end, "", PieceKind.HOLE)
        else:
            yield from self._pieces_of(literal)

    def _literal(self, start: int, end: int) -> RustToken | None:
        """The string between two offsets, if there is nothing else."""
        found = self._tokens.first(start)
        is_string = found is not None and found.kind == "string" and found.start == start and found.end == end
        return found if is_string else None

    def _pieces_of(self, literal: RustToken) -> list[Piece]:
        if not literal.is_closed:
            span = Span(literal.contents, literal.contents_end)
            self._problems.append(SiteProblem("the closing quotation mark is missing", span))
        return rust_pieces(self._text, literal)


def _operand(text: str, found: re.Match[str], end: int) -> AsmOperand:
    expression = Span(found.end(), end)
    words = " ".join(text[found.end() : end].split())
    name = found["name"]
    if found["other"] is not None:
        span = Span(*found.span("other"))
        return AsmOperand(found["other"], span, expression, words, name, False)
    span = Span(found.start("direction"), found.end("class"))
    span = Span(span.start, text.index(")", span.end) + 1)
    modifiers = _MODIFIERS[found["direction"]]
    register = found["class"]
    constraint = f"{modifiers}{register}" if register.isidentifier() else None
    return AsmOperand(constraint, span, expression, words, name, bool(modifiers))
