"""The operation ``nvvm.inline_ptx`` of MLIR: a template, and operands whose types say the registers.

Operands are numbered by what the template does with them: read and written ones first, then results, then read ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Generator, Iterator
from typing import NamedTuple

from ptx_lsp.hosts.site import AsmOperand, Parts, Piece, SiteProblem, Variant
from ptx_lsp.stepwise import listed
from ptx_lsp.text import Span

WORD = "nvvm.inline_ptx"
CONSTANT = r"(?P<constant>%[\w.$-]++)[ \t]*+=[ \t]*+(?:llvm\.mlir|arith|index|complex)\.(?:mlir\.)?constant\b"
"""An operation that defines a constant, which can be inserted as a number instead of a register."""
_LONGEST = 1 << 16
"""Characters of a list of operands; a longer one ends the operation."""
_INSIDE = r"\((?:[^()\"=]|\((?:[^()\"=]|\([^()\"=]*+\))*+\))*+(?:\)|\Z)?"
_PART = re.compile(
    rf"\s*+(?:(?P<list>ro|rw)?[ \t]*+(?P<values>{_INSIDE})|,\s*+predicate\s*+=\s*+(?P<predicate>%[\w.#$-]*+)"
    r"|(?P<attributes>\{[^{}\"\n]*+\}?)|(?P<mark>:(?!:)|->)\s*+"
    r"(?P<types>(?=[!\w(])(?:[\w!.]|<[^<>\n]*+>|\([^()\n]*+\)|[ \t]*+,\s*+(?=[!\w(]))++))"
)
_ANGLES = re.compile(r"[(\[{<]|[)\]}>](?<!->)|,")
_ORDER = {"rw": 0, "w": 1, "ro": 2}
_MODIFIERS = {"rw": "+", "w": "=", "ro": ""}
_NAMES = {"rw": "rw", "w": "w", "ro": "r"}


class _Value(NamedTuple):
    """An operand: a value with its type, or the type of a result."""

    expression: Span
    type: Span | None
    """None if the operation has no type for it."""


class Operation(NamedTuple):
    """An operation up to the last part that is its own."""

    end: int
    looked_at: int
    """The end of the text that decides it."""


def operation_end(text: str, template_end: int) -> Operation:
    """The end of the operation whose template ends at an offset."""
    at = template_end
    while (part := _PART.match(text, at, at + _LONGEST)) is not None and part.end() > at:
        at = part.end()
    following = len(text[at : at + _LONGEST]) - len(text[at : at + _LONGEST].lstrip()) + at
    line = text.find("\n", following)
    return Operation(at, line if line >= 0 else len(text))


def reading_operation(
    text: str, template: tuple[Span, bool], constants: Collection[str], pieces: Callable[[str, Span], Iterator[Piece]]
) -> Generator[None, None, Parts]:
    """The parts of an operation, in steps of some thousand.

    Args:
        text: its text.
        template: the place of the contents of the template, and whether its quotation mark is closed.
        constants: the values that constants define.
        pieces: reads the contents of a literal.

    """
    span, is_closed = template
    problems = () if is_closed else (SiteProblem("the closing quotation mark is missing", span),)
    lists, is_whole = _lists(text, span.end + is_closed)
    operands: list[AsmOperand] = []
    for kind in sorted(lists, key=_ORDER.__getitem__):
        operands += yield from listed(_operands(text, kind, lists[kind], constants))
    template_pieces = tuple((yield from listed(pieces(text, span))))
    variant = Variant(template_pieces, tuple(operands), True, (), (), problems, is_closed and is_whole)
    return Parts(Span(0, len(WORD)), (variant,))


def _lists(text: str, at: int) -> tuple[dict[str, list[_Value]], bool]:
    """The operands by what is done with them, and whether all lists are closed."""
    found: dict[str, list[_Value]] = {}
    bare: list[Span] = []
    is_whole = True
    while (part := _PART.match(text, at)) is not None and part.end() > at:
        at = part.end()
        if part["values"] is not None:
            is_whole &= part["values"].endswith(")")
            inside = Span(part.start("values") + 1, at - part["values"].endswith(")"))
            if part["list"] is None:
                bare = list(_elements(text, inside))
                found.setdefault("ro", []).extend(_Value(one, None) for one in bare)
            else:
                found.setdefault(part["list"], []).extend(_typed(text, inside))
        elif part["mark"] == "->":
            types = list(_elements(text, _without_parentheses(text, Span(*part.span("types")))))
            found.setdefault("w", []).extend(_Value(Span(one.end, one.end), one) for one in types)
        elif part["mark"] is not None and bare:
            types = list(_elements(text, _without_parentheses(text, Span(*part.span("types")))))
            found["ro"] = [_Value(one, type_) for one, type_ in zip(bare, types, strict=False)]
    return found, is_whole


def _typed(text: str, span: Span) -> Iterator[_Value]:
    """The values of a list ``%a, %b : i32, f32``."""
    colon = text.find(" :", span.start, span.end)
    colon = colon + 1 if colon >= 0 else text.find(":", span.start, span.end)
    if colon < 0:
        yield from (_Value(one, None) for one in _elements(text, span))
        return
    values = list(_elements(text, Span(span.start, colon)))
    types: list[Span | None] = list(_elements(text, Span(colon + 1, span.end)))
    types += [None] * (len(values) - len(types))
    yield from (_Value(value, type_) for value, type_ in zip(values, types, strict=False))


def _without_parentheses(text: str, span: Span) -> Span:
    whole = text[span.start : span.end].rstrip()
    return Span(span.start + 1, span.start + len(whole) - 1) if whole[:1] == "(" and whole[-1:] == ")" else span


def _elements(text: str, span: Span) -> Iterator[Span]:
    """The parts between commas, without white space around them."""
    depth = 0
    begin = span.start
    for sign in (*_ANGLES.finditer(text, span.start, span.end), None):
        if sign is not None:
            depth += (sign[0] in "([{<") - (sign[0] in ")]}>")
        if sign is None or (sign[0] == "," and not depth):
            end = sign.start() if sign is not None else span.end
            part = text[begin:end]
            if part.strip():
                first = begin + len(part) - len(part.lstrip())
                yield Span(first, first + len(part.strip()))
            begin = end + 1


def _operands(text: str, kind: str, values: list[_Value], constants: Collection[str]) -> Iterator[AsmOperand]:
    for number, value in enumerate(values):
        expression = " ".join(text[value.expression.start : value.expression.end].split())
        type_ = value.type
        is_constant = kind == "ro" and expression in constants
        constraint = None if type_ is None or is_constant else _MODIFIERS[kind] + text[type_.start : type_.end]
        span = type_ if type_ is not None else Span(value.expression.end, value.expression.end)
        yield AsmOperand(constraint, span, value.expression, expression, f"{_NAMES[kind]}{number}", kind != "ro")
