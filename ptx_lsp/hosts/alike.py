"""Short statements that differ only in digits, of which the second is the last one that is read.

The lexers treat all digits alike, but for those in escapes, in prefixes of literals and in conversions of Python. What
programs write is full of such statements.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ptx_lsp.derived_values import Deriving
from ptx_lsp.hosts.site import AsmOperand, Parts, Piece, PieceKind, ReadParts, Variant
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import ProcessCache

_SHORT = 300
_DIGITS = bytes.maketrans(b"123456789", b"000000000")
_HAS_DIGIT = re.compile(r"[0-9]").search
_UNUSUAL = re.compile(r'\\(?:[0-9xuUN]|[a-fA-F][0-9])|u[0-9]R?"|R"|#').search
"""Escapes and prefixes of literals with digits, marks of raw literals with any name, and directives."""
_CONVERSION = re.compile(r"%[-+ #]*[0-9]+[-+ #]").search
"""In a conversion of Python zero can be a flag."""


class Alike(Deriving):
    """The parts of statements that differ only in digits, as far as these do not matter.

    Args:
        text: the text of one of them.
        parts: its parts, of one variant.
        names: the places of the names that stand for a value if they have one. Here they have none.

    """

    def __init__(self, text: str, parts: Parts, names: Sequence[tuple[int, int]]) -> None:
        self.text = text
        self._keyword = parts.keyword_span
        self._variant = parts.variants[0]
        self._pieces = [at for at, one in enumerate(self._variant.pieces) if _HAS_DIGIT(one.text) is not None]
        self._operands = [
            at
            for at, one in enumerate(self._variant.operands)
            if _HAS_DIGIT(one.expression) is not None or _HAS_DIGIT(one.constraint or "") is not None
        ]
        self._names = names

    def is_of(self, text: str, values: Mapping[str, str | None]) -> bool:
        """Whether another one has such parts: none of its names has a value."""
        return not self._names or all(values.get(text[start:end]) is None for start, end in self._names)

    def parts_of(self, text: str) -> Parts:
        """The parts of another one."""
        _, operands, has_lists, clobbers, guards, problems, are_known = self._variant
        pieces = [*self._variant.pieces]
        for at in self._pieces:
            start, end, _, kind = pieces[at]
            pieces[at] = Piece(start, end, text[start:end], kind)
        if self._operands:
            operands = self._operands_of(text)
        variant = Variant(tuple(pieces), operands, has_lists, clobbers, guards, problems, are_known)
        return Parts(self._keyword, (variant,))

    def _operands_of(self, text: str) -> tuple[AsmOperand, ...]:
        """The operands; the same object if no digit in them is another one."""
        operands = [*self._variant.operands]
        are_others = False
        for at in self._operands:
            old, place, span, expression, name, is_output = operands[at]
            constraint = text[place.start : place.end] if old is not None else None
            written = text[span.start : span.end]
            if constraint != old or written != expression:
                are_others = True
                operands[at] = AsmOperand(constraint, place, span, written, name, is_output)
        return tuple(operands) if are_others else self._variant.operands


class _First(NamedTuple):
    """A statement that is like no earlier one."""

    text: str
    parts: Parts
    names: Sequence[tuple[int, int]]


_KNOWN: ProcessCache[tuple[str, bytes], _First | Alike | None] = ProcessCache(1 << 10)
"""By the language and the text with one digit for all; None for texts in which digits may differ in meaning."""


def alike_of(host: str, values: Mapping[str, str | None], text: str) -> Alike | None:
    """The parts that a statement in a language shares, if one that is alike was read; names may have ``values``."""
    if len(text) > _SHORT:
        return None
    key = _key(host, text)
    known = _KNOWN.get(key)
    if known is None:
        return None
    if not isinstance(known, Alike):
        first = known
        known = _KNOWN[key] = Alike(*first) if _may_be_alike(host, first) else None
        if known is None:
            return None
    return known if known.is_of(text, values) else None


def parts_of_alike(host: str, text: str, values: Mapping[str, str | None]) -> ReadParts | None:
    """The parts of a statement in a language, if one that is alike was read; names may have ``values``."""
    known = alike_of(host, values, text)
    return ReadParts(known.parts_of(text), known) if known is not None else None


def keep_parts(
    host: str, text: str, parts: Parts, values: Mapping[str, str | None], names: Sequence[tuple[int, int]]
) -> None:
    """Keep the parts of a statement with one variant, for others; it has ``names`` that may have ``values``."""
    if len(text) > _SHORT or any(values.get(text[start:end]) is not None for start, end in names):
        return
    key = _key(host, text)
    if key not in _KNOWN:
        _KNOWN[key] = _First(text, parts, names)


def _key(host: str, text: str) -> tuple[str, bytes]:
    return host, text.encode("utf-8", "surrogatepass").translate(_DIGITS)


def _may_be_alike(host: str, first: _First) -> bool:
    """Whether other digits only make other digits of the parts of a statement."""
    text, parts, _ = first
    variant = parts.variants[0]
    if _UNUSUAL(text) is not None or host == "python" and _CONVERSION(text) is not None:
        return False
    if variant.guards or variant.problems or any(_HAS_DIGIT(one.text) is not None for one in variant.clobbers):
        return False
    return all(_is_as_written(piece, text) for piece in variant.pieces) and all(
        _HAS_DIGIT(one.name or "") is None and _is_operand_as_written(one, text) for one in variant.operands
    )


def _is_as_written(piece: Piece, text: str) -> bool:
    start, end, found, kind = piece
    if kind is PieceKind.VERBATIM:
        return found == text[start:end]
    return kind is not PieceKind.MACRO and (not found or _HAS_DIGIT(text, start, end) is None)


def _is_operand_as_written(operand: AsmOperand, text: str) -> bool:
    constraint, place, span, expression, *_ = operand
    if constraint is not None and constraint != text[place.start : place.end]:
        return False
    return expression == text[span.start : span.end] or _HAS_DIGIT(text, span.start, span.end) is None
