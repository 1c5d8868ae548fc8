"""The layout of parameters and arguments of calls: space, type, length, alignment.

Source: PTX ISA, "Function Declarations and Definitions", "Control Flow Instructions: call"; the
significant differences were measured with ptxas.
"""

from __future__ import annotations

from enum import Enum

from ptx_lsp.analysis.symbols.numbers import declared_number
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.vocabulary.records import TypeWord
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Declaration, Declarator

_WORD = 32
"""Bits of a pair of halves, for which ptxas accepts any argument of that size."""
_INTEGERS = frozenset({"signed", "unsigned"})


class Difference(Enum):
    """The aspects in which two parameters, or a parameter and an argument, differ."""

    SPACE = "space"
    TYPE = "type"
    LENGTH = "length"
    ALIGNMENT = "alignment"


class CallLayout(NamedTuple):
    """The layout of a parameter, register or ``.param`` variable in a call."""

    space: str
    type: str
    vector: int = 0
    """2 or 4 for ``.v2`` and ``.v4``, else 0."""
    length: int | None = None
    """The number of elements of an array, 0 if it is open; None for a single value."""
    align: int = 0
    """The value of ``.align``; 0 without."""

    def __str__(self) -> str:
        vector = f".v{self.vector} " if self.vector else ""
        aligned = f".align {self.align} " if self.alignment != self.natural_alignment else ""
        length = "" if self.length is None else f"[{self.length or ''}]"
        return f"{aligned}{vector}{self.type}{length}"

    @property
    def natural_alignment(self) -> int:
        """The natural alignment of the type, in bytes."""
        word = _word(self.type)
        bits = 0 if word is None else _WORD if word.kind == "predicate" else word.bits
        return max(bits * (self.vector or 1) // 8, 1)

    @property
    def alignment(self) -> int:
        """The alignment in bytes, at least the natural one."""
        return max(self.align, self.natural_alignment)

    @property
    def bits(self) -> int:
        """The total size in bits; 0 for an open array and for a type that cannot be declared."""
        word = _word(self.type)
        if word is None:
            return 0
        return word.bits * (self.vector or 1) * (1 if self.length is None else self.length)

    @property
    def is_known(self) -> bool:
        """Whether it can be compared: types that cannot be declared are ignored."""
        return _word(self.type) is not None


def call_layout(statement: Statement, tree: Declaration, declarator: Declarator) -> CallLayout:
    """The call layout of one declared name."""
    length: int | None = None
    if declarator.dimensions:
        length = 1
        for token in declarator.dimensions:
            length *= declared_number(statement.word(token)) if token >= 0 else 0
    align = declared_number(statement.word(tree.align)) if tree.align >= 0 else 0
    return CallLayout(tree.space, tree.type, int(tree.vector[2:]) if tree.vector else 0, length, align)


@memoized(1024)
def passing_differences(formal: CallLayout, passed: CallLayout) -> tuple[Difference, ...]:
    """The differences between a parameter and an argument that ptxas rejects."""
    if not (formal.is_known and passed.is_known):
        return ()
    found = []
    if not _types_agree(formal, passed):
        found.append(Difference.TYPE)
    elif formal.length and formal.bits != passed.bits:
        found.append(Difference.LENGTH)
    if formal.alignment != passed.alignment:
        found.append(Difference.ALIGNMENT)
    return tuple(found)


@memoized(1024)
def redeclaration_differences(first: CallLayout, later: CallLayout) -> tuple[Difference, ...]:
    """The differences of a parameter between two declarations of one function; types are compared as written."""
    found = []
    if first.space != later.space:
        found.append(Difference.SPACE)
    if (first.type, first.vector) != (later.type, later.vector) or (first.length is None) != (later.length is None):
        found.append(Difference.TYPE)
    elif first.length != later.length:
        found.append(Difference.LENGTH)
    if first.alignment != later.alignment:
        found.append(Difference.ALIGNMENT)
    return tuple(found)


def takes_constant(formal: CallLayout, constant: str) -> bool:
    """Whether a constant can be passed; its type is "" for an integer, ``.f64``, or ``.f32`` if written ``0f…``."""
    word = _word(formal.type)
    if word is None:
        return True
    if formal.length is not None or word.kind == "predicate":
        return False
    is_float = bool(constant)
    if formal.vector or word.kind.startswith("packed"):
        bits = formal.bits
        return constant == ".f32" if bits == _WORD else constant != ".f32" if bits == 2 * _WORD else bits < _WORD
    if word.kind == "untyped":
        return True
    return is_float is (word.kind == "float")


def _types_agree(formal: CallLayout, passed: CallLayout) -> bool:
    if (formal.length is None) != (passed.length is None):
        return False
    one, other = _word(formal.type), _word(passed.type)
    if one is None or other is None:
        return True
    if formal.length is not None:
        if formal.vector or passed.vector:
            return False  # ptxas rejects arrays of vectors, even for an identical parameter
        return "untyped" in (one.kind, other.kind) or one.name == other.name
    classes = {_class(formal, one), _class(passed, other)}
    if "packed" in classes:
        return classes <= {"packed", "predicate"} or formal.bits == passed.bits
    return formal.bits == passed.bits and (len(classes) == 1 or "untyped" in classes)


def _class(layout: CallLayout, word: TypeWord) -> str:
    """The class of a single value; for a vector only the size matters, and two halves match anything of 32 bits."""
    if layout.vector or word.kind.startswith("packed"):
        return "packed" if layout.bits == _WORD else "untyped"
    return "integer" if word.kind in _INTEGERS else word.kind


def _word(name: str) -> TypeWord | None:
    word = catalogue().vocabulary.types.get(name)
    return word if word is not None and word.declared is not None else None
