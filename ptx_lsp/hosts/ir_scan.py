"""Inline assembly in LLVM IR (``call asm``) and MLIR (``llvm.inline_asm``, ``nvvm.inline_ptx``)."""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Hashable, Iterator
from functools import partial
from itertools import chain

from ptx_lsp.hosts.alike import alike_of, keep_parts, parts_of_alike
from ptx_lsp.hosts.blocks import Block, FoundSite, Stops
from ptx_lsp.hosts.constraint_list import reading_constraints
from ptx_lsp.hosts.host_tables import calls
from ptx_lsp.hosts.mlir_ptx import CONSTANT, WORD, operation_end, reading_operation
from ptx_lsp.hosts.site import Certainty, Parts, Piece, PieceKind, ReadParts, Site, SiteProblem, Variant
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import listed
from ptx_lsp.text import Span

_STRING = r'"(?:[^"\\\n]|\\[^\n])*+(?:"|\\?(?=\n)|\\?\Z)'
_BRACKETS = r"\((?:[^()\n\"]|\((?:[^()\n]|\([^()\n]*+\))*+\))*+\)"
_ESCAPE = re.compile(r"\\(?:([\da-fA-F]{2})|([^\n]))")
_SIGNS = {"n": "\n", "t": "\t"}
_PLAIN_VALUE = re.compile(r"(?<=\s)[%@\w.\"-]+\Z")
_STATE = ()
_ANGLES = re.compile(r"[(\[{<]|[)\]}>]|,")


class _Notation(NamedTuple):
    """A language of this kind."""

    token: re.Pattern[str]
    """Comments, strings, the words, and definitions of constants."""
    statements: dict[str, re.Pattern[str]]
    """By word."""


_NOTATIONS = {
    "llvm": _Notation(
        re.compile(rf";[^\n]*+|{_STRING}|asm(?<!\w\w\w\w)(?<!\.asm)\b"),
        {
            "asm": re.compile(
                r"asm(?:[ \t]+(?:sideeffect|alignstack|inteldialect|unwind))*+[ \t]*"
                rf"(?P<template>{_STRING})(?:[ \t]*,[ \t]*(?P<constraints>{_STRING}))?"
                rf"(?:[ \t]*(?P<values>{_BRACKETS}))?"
            )
        },
    ),
    "mlir": _Notation(
        re.compile(rf"//[^\n]*+|{_STRING}|llvm\.inline_asm\b|nvvm\.inline_ptx\b|{CONSTANT}"),
        {
            "llvm.inline_asm": re.compile(
                r"llvm\.inline_asm(?:[ \t]+(?:[a-z_]+(?:[ \t]*=[ \t]*(?:[\w.<>]+|\[[^\[\]\n]*+\]))?))*+[ \t]*"
                rf"(?P<template>{_STRING})(?:[ \t]*,[ \t]*(?P<constraints>{_STRING}))?"
                r"(?:[ \t]*(?P<values>%[^:\n]*+))?"
            ),
            WORD: re.compile(rf"nvvm\.inline_ptx[ \t]*(?P<template>{_STRING})"),
        },
    ),
}


class IrLexer:
    """Lexes one text of ``llvm`` or ``mlir``; values that are constants are in the table of macros."""

    def __init__(self, text: str, host: str, macros: Collection[str]) -> None:
        self.text = text
        self._host = host
        self._notation = _NOTATIONS[host]
        self._calls = calls(host)
        self._macros = macros
        self._alike_of = partial(alike_of, host, {})
        self.mode = " ".join(word for word in self._notation.statements if self._calls[word].is_device(text))

    def beginning(self) -> Hashable:
        """The state at the start of a text."""
        return _STATE

    def block(self, start: int, _state: Hashable, stops: Stops) -> Generator[None, None, Block]:
        """The block of lines that begins at ``start``, to where ``stops`` ends it or the end of the text."""
        text = self.text
        sites: list[FoundSite] = []
        constants: list[tuple[str, str | None]] = []
        at = held = start
        tokens = self._notation.token.finditer(text, at)
        for token in tokens:
            begin = token.start()
            if begin >= stops.wanted:
                line = text.find("\n", max(at, held, stops.wanted - 1), begin) + 1
                if line and stops.reached(line, lambda: _STATE):
                    return Block(line - start, sites, constants, _STATE, ())
                yield
            is_inside = begin < at
            at = max(at, token.end())
            if is_inside:
                continue
            if token.lastgroup == "constant":
                constants.append((token["constant"], None))
            elif (pattern := self._notation.statements.get(token[0])) is not None:
                statement = pattern.match(text, begin)
                if statement is not None and not text.endswith("module ", max(0, begin - 7), begin):
                    at, held = statement.end(), statement.end()
                    if token[0] == WORD:
                        at, held = operation_end(text, at)
                    sites.append(FoundSite(begin - start, -1, self._site(token[0], begin, at)))
        return Block(len(text) - start, sites, constants, _STATE, ())

    def _site(self, word: str, begin: int, end: int) -> Site:
        certainty = Certainty.DEVICE if word in self.mode.split() else Certainty.UNKNOWN
        place = (self._host, self._calls[word].dialect, begin, self.text[begin:end])
        if word == WORD:
            return Site(partial(_read_ptx, self._macros), place, certainty)
        read = partial(_read_call, self._host, self._notation.statements[word], word)
        return Site(read, place, certainty, (), self._alike_of)


def _read_ptx(constants: Collection[str], text: str) -> Generator[None, None, Parts]:
    found = _NOTATIONS["mlir"].statements[WORD].match(text)
    if found is None:
        return Parts(Span(0, 0), (Variant((), (), True, (), (), (), False),))
    return (yield from reading_operation(text, _contents(found, "template"), constants, _pieces))


def _read_call(host: str, statement: re.Pattern[str], word: str, text: str) -> Generator[None, None, Parts | ReadParts]:
    known = parts_of_alike(host, text, {})
    if known is not None:
        return known
    parts = yield from _read(statement, word, text)
    keep_parts(host, text, parts, {}, ())
    return parts


def _read(statement: re.Pattern[str], word: str, text: str) -> Generator[None, None, Parts]:
    found = statement.match(text)
    if found is None:
        return Parts(Span(0, 0), (Variant((), (), True, (), (), (), False),))
    problems = []
    template, is_closed = _contents(found, "template")
    if not is_closed:
        problems.append(SiteProblem("the closing quotation mark is missing", template))
    pieces = yield from listed(_pieces(text, template))
    if found["constraints"] is None:
        return Parts(Span(0, len(word)), (Variant(tuple(pieces), (), True, (), (), tuple(problems), False),))
    constraints, _ = _contents(found, "constraints")
    values = Span(*found.span("values")) if found["values"] else None
    if values is not None and text[values.start] == "(":
        values = Span(values.start + 1, values.end - 1)
    operands, clobbers = yield from reading_constraints(
        text[constraints.start : constraints.end],
        range(constraints.start, constraints.end),
        [] if values is None else (yield from listed(_elements(text, values))),
        text,
    )
    variant = Variant(tuple(pieces), tuple(operands), True, tuple(clobbers), (), tuple(problems), True)
    return Parts(Span(0, len(word)), (variant,))


def _contents(found: re.Match[str], group: str) -> tuple[Span, bool]:
    start, end = found.span(group)
    text = found[group]
    slashes = len(text[:-1]) - len(text[:-1].rstrip("\\"))
    is_closed = len(text) > 1 and text.endswith('"') and slashes % 2 == 0
    return Span(start + 1, end - is_closed), is_closed


def _pieces(text: str, span: Span) -> Iterator[Piece]:
    at = span.start
    for escape in _ESCAPE.finditer(text, span.start, span.end):
        start, end = escape.span()
        if at < start:
            yield Piece(at, start, text[at:start], PieceKind.VERBATIM)
        number, sign = escape.groups()
        yield Piece(start, end, chr(int(number, 16)) if number else _SIGNS.get(sign, sign), PieceKind.ESCAPE)
        at = end
    if at < span.end or at == span.start:
        yield Piece(at, span.end, text[at : span.end], PieceKind.VERBATIM)


def _elements(text: str, span: Span) -> Iterator[Span]:
    """The values between commas, without their types."""
    depth = 0
    begin = span.start
    for sign in chain(_ANGLES.finditer(text, span.start, span.end), (None,)):
        if sign is not None:
            depth += (sign[0] in "([{<") - (sign[0] in ")]}>")
        if sign is None or (sign[0] == "," and not depth):
            end = sign.start() if sign is not None else span.end
            value = text[begin:end].rstrip()
            plain = _PLAIN_VALUE.search(value)
            first = plain.start() if plain is not None else len(value) - len(value.lstrip())
            yield Span(begin + first, begin + len(value))
            begin = end + 1
