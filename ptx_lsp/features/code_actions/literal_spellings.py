"""Refactoring: write a number as decimal, hexadecimal, or as the bit pattern of a float.

Source: PTX ISA, "Integer Constants", "Floating-Point Constants".
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from fractions import Fraction
from math import isfinite

from ptx_lsp.analysis.cursor.cursor import CursorKind
from ptx_lsp.analysis.symbols.numbers import declared_number
from ptx_lsp.diagnostic import Edit
from ptx_lsp.features.code_actions.action import REWRITE, ActionRequest, CodeAction
from ptx_lsp.float_text import is_plausible
from ptx_lsp.syntax.tokens import TokenKind
from ptx_lsp.syntax.tree import Declaration, Instruction
from ptx_lsp.text import Span

_BITS = re.compile(r"0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}")
_BEFORE_SIGNS = frozenset(",({=")
"""Tokens after which a minus sign is unary."""
_FORMATS = {".f32": (">f", "0f"), ".f64": (">d", "0d")}


def literal_spellings(request: ActionRequest) -> Iterator[CodeAction]:
    """Offer other notations of the number under the cursor, in instructions and initializers."""
    cursor = request.cursor
    if cursor is None or cursor.what is not CursorKind.NUMBER:
        return
    context, tree = cursor.context, cursor.context.statement.shape.tree
    if context.statement.shape.errors or not isinstance(tree, Instruction | Declaration):
        return
    if isinstance(tree, Declaration):
        names = [one.name for one in tree.declarators]
        if cursor.token in [one.count for one in tree.declarators] or not names or cursor.token < names[0]:
            return
        type_ = tree.type
    else:
        type_ = _type_of(tree)
    if context.statement.tokens[cursor.token].kind is not TokenKind.FLOAT:
        for spelling in (*_integers(cursor.word), *_bits_of_float(cursor.word, context.word(cursor.token - 1), tree)):
            yield CodeAction(f"write '{spelling}'", (Edit(cursor.span, spelling),), kind=REWRITE)
        return
    span, word = cursor.span, cursor.word
    before = context.word(cursor.token - 1) if cursor.token else ""
    if before == "-" and not _BITS.fullmatch(word):  # a bit pattern takes no sign
        if context.word(cursor.token - 2) not in _BEFORE_SIGNS:
            return  # the minus is a subtraction
        gap = context.span(cursor.token).start - context.span(cursor.token - 1).start
        span, word = Span(span.start - gap, span.end), f"-{word}"
    if _BITS.fullmatch(word) and (untyped := _untyped(tree)) and _UNTYPED[untyped][0] == word[:2].lower():
        yield CodeAction(f"write '0x{word[2:]}'", (Edit(span, f"0x{word[2:]}"),), kind=REWRITE)
    for spelling in _floats(word, type_):
        yield CodeAction(f"write '{spelling}'", (Edit(span, spelling),), kind=REWRITE)


def _type_of(tree: Instruction) -> str:
    """Return ``.f32`` or ``.f64`` if the qualifiers determine a float type, else ``""``."""
    types = {word for word in tree.opcode if word in _FORMATS}
    others = [word for word in tree.opcode if re.fullmatch(r"\.(?:[bfsu]|bf|tf|e\dm\d)\d+(?:x\d+)?", word)]
    return types.pop() if len(types) == 1 and len(others) == 1 else ""


def _integers(word: str) -> Iterator[str]:
    """Yield an integer in the other bases; the suffix ``U`` is kept."""
    suffix = "U" if word.endswith("U") else ""
    value = declared_number(word)
    if word[:2].lower() != "0x":
        yield f"0x{value:X}{suffix}"
    if word[:1] == "0" and word.rstrip("U") != "0":
        yield f"{value}{suffix}"
    if word[:2].lower() != "0b" and value > 1:
        yield f"0b{value:b}{suffix}"


_UNTYPED = {".b32": ("0f", 8, "f"), ".b64": ("0d", 16, "d")}
"""Types whose ``mov`` accepts integer and float constants: prefix, digit count and ``struct`` format of the float."""


def _untyped(tree: Instruction | Declaration) -> str:
    """Return the type of a ``mov`` of untyped bits, else ``""``."""
    if not isinstance(tree, Instruction) or tree.opcode[0] != "mov":
        return ""
    return next((word for word in tree.opcode if word in _UNTYPED), "")


def _bits_of_float(word: str, before: str, tree: Instruction | Declaration) -> Iterator[str]:
    """Yield an integer as a float bit pattern, where both are legal and the float value is plausible."""
    type_ = _untyped(tree)
    if not type_ or before == "-":
        return
    prefix, digits, format_ = _UNTYPED[type_]
    value = declared_number(word)
    if value >> 4 * digits == 0 and is_plausible(value, "f" if format_ == "f" else "d"):
        yield f"{prefix}{value:0{digits}X}"


def _floats(word: str, type_: str) -> Iterator[str]:
    """Yield a float as its bit pattern, or a bit pattern as decimal; nothing if the type is unknown."""
    if _BITS.fullmatch(word):
        decimal = _decimal(word, type_)
        if decimal is not None:
            yield decimal
        return
    if type_ in _FORMATS:
        format_, prefix = _FORMATS[type_]
        try:
            yield prefix + struct.pack(format_, float(word)).hex().upper()
        except OverflowError:
            return


def _decimal(word: str, type_: str) -> str | None:
    """Return the shortest decimal that converts to exactly these bits as ``type_``, or None."""
    written = ".f32" if word[1] in "fF" else ".f64"
    value = struct.unpack(_FORMATS[written][0], bytes.fromhex(word[2:]))[0]
    if type_ not in _FORMATS or not isfinite(value) or written == ".f64" and type_ == ".f32":
        return None
    if type_ == ".f64":
        return _spelled(repr(value))
    for digits in range(1, 18):
        text = f"{value:.{digits}g}"
        if _is_read_as(text, value):
            return _spelled(text)
    return None


def _is_read_as(text: str, value: float) -> bool:
    """Whether a decimal converts to the 32-bit ``value``, rounded directly or via 64 bits."""
    bits = struct.pack(">f", value)
    try:
        if struct.pack(">f", float(text)) != bits:
            return False
    except OverflowError:
        return False
    (whole,) = struct.unpack(">I", bits)
    magnitude = whole & 0x7FFFFFFF
    below, above = (struct.unpack(">f", struct.pack(">I", one))[0] for one in (max(magnitude - 1, 0), magnitude + 1))
    exact = abs(Fraction(text))
    next_ = Fraction(above) if isfinite(above) else Fraction(2) ** 128
    low, high = (Fraction(below) + abs(Fraction(value))) / 2, (next_ + abs(Fraction(value))) / 2
    return magnitude == 0 and exact == 0 or low < exact < high


def _spelled(text: str) -> str:
    """Return the text of a Python float as a PTX float, with a point or an exponent."""
    mantissa, mark, exponent = text.partition("e")
    if mark:
        return f"{mantissa}e{int(exponent)}"
    return mantissa if "." in mantissa else f"{mantissa}.0"
