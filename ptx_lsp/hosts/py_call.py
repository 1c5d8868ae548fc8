"""The parts of a call of Python or Mojo that has a template as argument."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Generator, Mapping

from ptx_lsp.hosts.alike import keep_parts, parts_of_alike
from ptx_lsp.hosts.blocks import MacroTable
from ptx_lsp.hosts.constraint_list import reading_constraints
from ptx_lsp.hosts.host_tables import CallArguments, calls, transparent_calls
from ptx_lsp.hosts.py_tokens import (
    BRACKET_TOKEN,
    CallExtent,
    StringLiteral,
    finding_extent,
    pieces_of_string,
    string_at,
)
from ptx_lsp.hosts.site import AsmOperand, Clobber, Parts, Piece, PieceKind, ReadParts, SiteProblem, Variant
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.text import Span

HEAD = re.compile(r"(?P<keyword>\w+)\s*[(\[]")
_KEYWORD = re.compile(r"(?:\s|#[^\n]*|\\\n)*(?:(?P<name>[A-Za-z_]\w*)\s*=(?!=))?(?:\s|#[^\n]*|\\\n)*")
_VALUES = re.compile(r"[ \t]*\(")
_SPACE = re.compile(r"(?:\s|#[^\n]*|\\\n|\+|\()*+")
_POSTFIX = re.compile(r"\s*(?:\.\s*(?P<method>\w+)\s*\(|(?P<format>%)(?!\w*[\"']))")
_OPENING = re.compile(r"(?:[A-Za-z_][\w.]*\.)?(?P<name>[A-Za-z_]\w*)\s*\(")
_NAME = re.compile(r"(?P<name>[A-Za-z_]\w*+)(?=\s*+(?:[+)\"'#]|\Z))")
_PRINTF = re.compile(r"%%|%[-+ #0]*(?:\(\w+\))?[\d.]*[a-zA-Z]")


class Argument(NamedTuple):
    """An argument of a call, without white space and comments before it."""

    start: int
    end: int
    keyword: str | None


def finding_call(text: str, at: int) -> Generator[None, None, CallExtent]:
    """The end of the call whose parenthesis opens before ``at``, or whose bracket: values can follow it then.

    If the parenthesis is not closed, the call ends before a line that begins a statement and is not indented more.
    """
    extent = yield from finding_extent(text, at)
    values = _VALUES.match(text, extent.end) if text[at - 1] == "[" and extent.is_closed else None
    return (yield from finding_extent(text, values.end())) if values is not None else extent


def reading_literals(text: str, start: int, end: int) -> Generator[None, None, str | None]:
    """The text of an expression that consists of literals; None for any other one."""
    pieces = yield from _Expression(text, [], _Names({}, 0, [])).reading(Argument(start, end, None))
    return None if any(one.kind is PieceKind.HOLE for one in pieces) else "".join(one.text for one in pieces)


def reading_call(
    host: str, local: Mapping[str, str | None], table: MacroTable, text: str
) -> Generator[None, None, Parts | ReadParts]:
    """The parts of a call in a language, whose name begins the text; in steps if it is long.

    Args:
        host: the language.
        local: the names of scopes around the call.
        table: those of the file.
        text: the text of the call.

    """
    meanings = ChainMap(dict(local), table) if local else table
    known = parts_of_alike(host, text, meanings)
    if known is not None:
        return known
    names = _Names(meanings, table.most, [])
    head = HEAD.match(text)
    if head is None:
        return Parts(Span(0, 0), (Variant((), (), True, (), (), (), False),))
    yield
    extent = yield from finding_extent(text, head.end())
    is_closed = ((yield from finding_call(text, head.end())) if head[0].endswith("[") else extent).is_closed
    problems = [] if is_closed else [SiteProblem("')' is missing", Span(len(text), len(text)))]
    yield
    arguments = yield from _arguments(text, head.end(), extent.end - extent.is_closed)
    yield
    call = calls(host)[head["keyword"]]
    template = _chosen(arguments, call.template)
    pieces = (yield from _Expression(text, problems, names).reading(template)) if template is not None else []
    yield
    values = _chosen(arguments, call.operands)
    if head[0].endswith("[") and text[extent.end :].lstrip()[:1] == "(":
        values = Argument(text.index("(", extent.end), len(text) + (not is_closed), None)
    operands, clobbers, are_known = yield from _reading_operands(text, arguments, call, values, names)
    variant = Variant(tuple(pieces), tuple(operands), True, tuple(clobbers), (), tuple(problems), are_known)
    parts = Parts(Span(*head.span("keyword")), (variant,))
    keep_parts(host, text, parts, meanings, names.asked)
    return parts


def _arguments(text: str, start: int, end: int) -> Generator[None, None, list[Argument]]:
    """The arguments between two offsets, without an empty last one, in steps."""
    found: list[Argument] = []
    depth = 0
    begin = start
    for number, token in enumerate(BRACKET_TOKEN.finditer(text, start, end), 1):
        if not number % _IN_A_STEP:
            yield
        sign = token[0][0]
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and not depth:
            found.append(_argument(text, begin, token.start()))
            begin = token.end()
    last = _argument(text, begin, end)
    if last.start < last.end:
        found.append(last)
    return found


def _argument(text: str, start: int, end: int) -> Argument:
    found = _KEYWORD.match(text, start, end)
    assert found is not None
    begin = min(found.end(), end)
    return Argument(begin, begin + len(text[begin:end].rstrip()), found["name"])


def _chosen(arguments: list[Argument], place: tuple[int, str] | None) -> Argument | None:
    if place is None:
        return None
    for argument in arguments:
        if argument.keyword == place[1]:
            return argument
    number, _ = place
    positional = [argument for argument in arguments if argument.keyword is None]
    return positional[number] if number < len(positional) else None


_IN_A_STEP = 512
"""Tokens or pieces that are read between two pauses."""


class _Names(NamedTuple):
    """The names with known values."""

    values: Mapping[str, str | None]
    most: int
    """The characters of values that an expression can contain."""
    asked: list[tuple[int, int]]
    """The places of those that an expression asked for."""


class _Expression:
    """Reads an expression of strings and names of strings into pieces; what is neither is a hole."""

    def __init__(self, text: str, problems: list[SiteProblem], names: _Names) -> None:
        self._text = text
        self._names = names.values
        self._asked = names.asked
        self._length_left = names.most
        self._problems = problems
        self._pieces: list[Piece] = []

    def reading(self, argument: Argument) -> Generator[None, None, list[Piece]]:
        """The pieces of an argument, in steps of some hundred."""
        at, end = argument.start, argument.end
        count = 0
        while at < end:
            count += 1
            if not count % _IN_A_STEP:
                yield
            space = _SPACE.match(self._text, at, end)
            at = space.end() if space is not None else at
            if at >= end:
                break
            if self._text[at] == ")":
                at += 1
            elif (literal := self._literal(at, end)) is not None:
                at = yield from self._string(literal, end)
            elif (call := _OPENING.match(self._text, at, end)) is not None and call["name"] in transparent_calls():
                at = call.end()
            elif (name := _NAME.match(self._text, at, end)) and (value := self._value(name)) is not None:
                self._add(Piece(at, name.end(), value, PieceKind.MACRO))
                at = name.end()
            else:
                at = yield from self._hole(at, end)
        return self._pieces

    def _value(self, name: re.Match[str]) -> str | None:
        self._asked.append(name.span())
        value = self._names.get(name[0])
        if value is None or len(value) > self._length_left:
            return None
        self._length_left -= len(value)
        return value

    def _literal(self, at: int, end: int) -> StringLiteral | None:
        quote = at
        while quote < end and quote - at <= 2 and self._text[quote].isalpha():
            quote += 1
        token = BRACKET_TOKEN.match(self._text, quote, end)
        literal = string_at(self._text, token) if token is not None else None
        return literal if literal is not None and literal.start == at else None

    def _string(self, literal: StringLiteral, limit: int) -> Generator[None, None, int]:
        """Adds a string; the offset after it and the methods that are called on it."""
        if not literal.is_closed:
            self._problems.append(
                SiteProblem("the closing quotation mark is missing", Span(literal.contents, literal.contents_end))
            )
        end = literal.end
        has_fields = False
        postfix = _POSTFIX.match(self._text, end, limit)
        if postfix is not None:
            if postfix["format"]:
                return (yield from self._formatted(literal, limit))
            end = (yield from finding_call(self._text, postfix.end())).end
            has_fields = postfix["method"] == "format"
            if not has_fields and postfix["method"] not in transparent_calls():
                self._add(Piece(literal.start, min(end, limit), "", PieceKind.HOLE))
                return min(end, limit)
        for count, piece in enumerate(pieces_of_string(self._text, literal, has_fields=has_fields), 1):
            self._add(piece)
            if not count % _IN_A_STEP:
                yield
        return min(end, limit)

    def _formatted(self, literal: StringLiteral, limit: int) -> Generator[None, None, int]:
        """``"..." % values``: the conversions are holes."""
        for count, piece in enumerate(pieces_of_string(self._text, literal), 1):
            if not count % _IN_A_STEP:
                yield
            at = piece.start
            if piece.kind != PieceKind.VERBATIM:
                self._add(piece)
                continue
            for number, found in enumerate(_PRINTF.finditer(self._text, piece.start, piece.end), 1):
                if not number % _IN_A_STEP:
                    yield
                if at < found.start():
                    self._add(Piece(at, found.start(), self._text[at : found.start()], PieceKind.VERBATIM))
                is_sign = found[0] == "%%"
                self._add(Piece(*found.span(), "%" if is_sign else "", PieceKind.ESCAPE if is_sign else PieceKind.HOLE))
                at = found.end()
            if at < piece.end:
                self._add(Piece(at, piece.end, self._text[at : piece.end], PieceKind.VERBATIM))
        return limit

    def _hole(self, start: int, limit: int) -> Generator[None, None, int]:
        """Adds unknown text up to the next ``+`` or string of the same level."""
        depth = count = 0
        at = start
        while at < limit:
            count += 1
            if not count % _IN_A_STEP:
                yield
            token = BRACKET_TOKEN.match(self._text, at, limit)
            sign = self._text[at]
            if token is None:
                if sign == "+" and not depth:
                    break
                at += 1
                continue
            if sign in "\"'" and not depth and at > start and self._text[at - 1].isspace():
                break
            depth += (sign in "([{") - (sign in ")]}")
            if depth < 0:
                break
            at = token.end()
        self._add(Piece(start, max(at, start + 1), "", PieceKind.HOLE))
        return max(at, start + 1)

    def _add(self, piece: Piece) -> None:
        if self._pieces and self._pieces[-1].end < piece.start:
            self._pieces.append(Piece(self._pieces[-1].end, piece.start, "", PieceKind.JOIN))
        self._pieces.append(piece)


def _reading_operands(
    text: str,
    arguments: list[Argument],
    call: CallArguments,
    values: Argument | None,
    names: _Names,
) -> Generator[None, None, tuple[list[AsmOperand], list[Clobber], bool]]:
    """The operands by the string of constraints, the clobbers, and whether all are known."""
    constraints = _chosen(arguments, call.constraints)
    if constraints is None:
        return [], [], False
    pieces = yield from _Expression(text, [], names).reading(constraints)
    yield
    if any(piece.kind not in (PieceKind.VERBATIM, PieceKind.JOIN, PieceKind.MACRO) for piece in pieces):
        return [], [], False
    whole = "".join(piece.text for piece in pieces)
    places: list[int] = []
    for piece in pieces:
        is_name = piece.kind is PieceKind.MACRO
        places += [piece.start] * len(piece.text) if is_name else range(piece.start, piece.end) if piece.text else ()
    yield
    elements = yield from _values(text, values)
    yield
    operands, clobbers = yield from reading_constraints(whole, places, elements, text)
    return operands, clobbers, True


def _values(text: str, values: Argument | None) -> Generator[None, None, list[Span]]:
    """The elements of the list of values; none if it is no list."""
    if values is None or text[values.start : values.start + 1] not in ("[", "("):
        return []
    elements = yield from _arguments(text, values.start + 1, max(values.start + 1, values.end - 1))
    return [Span(one.start, one.end) for one in elements]
