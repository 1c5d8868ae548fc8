"""Syntax trees of statements: small records of token indices.

Token indices, unlike offsets, are equal in all statements of a shape, so that one tree
serves them all. An index refers to
``Statement.tokens``; ``[first, last)`` is a half-open range of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import IntEnum
from itertools import chain, compress
from operator import itemgetter

from ptx_lsp.named_tuples import NamedTuple


class OperandKind(IntEnum):
    """The syntactic form of an operand."""

    NAME = 1  # %r1  foo  vv.x  %r1.b0  !%p  -%r1  g+4  g[3]  p|q
    INTEGER = 2  # 42  -1
    FLOAT = 3  # 1.0  -2.5  0f3F800000
    CONSTANT = 4  # any other constant expression
    ADDRESS = 5  # [a]  [a+4]  [a, {x, y}]
    VECTOR = 6  # {a, b}; also a braced initializer
    ARGUMENTS = 7  # (a, b) of a call
    SINK = 8  # _
    LIST = 9  # four or more numbers of an initializer, or of a line of a debug section
    FIELD = 10  # filter_mode = linear
    GENERIC = 11  # generic(a)
    MASK = 12  # 0xFF(a)


class Operand(NamedTuple):
    """One operand, or a part of one.

    ``name`` is the index of its NAME token, -1 without one; for an ADDRESS see its
    first part. ``offset`` is the operand after ``+`` or inside ``var[...]``.
    """

    kind: OperandKind
    first: int
    last: int
    name: int = -1
    sign: str = ""
    selector: tuple[int, ...] = ()
    parts: tuple[Operand, ...] = ()
    offset: Operand | None = None
    pair: Operand | None = None
    indexed: bool = False


class Guard(NamedTuple):
    """``@p`` or ``@!p`` before an instruction."""

    negated: bool
    name: int


class Instruction(NamedTuple):
    """An instruction; ``opcode`` is the mnemonic and its qualifiers as written."""

    guard: Guard | None
    opcode: tuple[str, ...]
    opcode_tokens: tuple[int, ...]
    operands: tuple[Operand, ...]


class Label(NamedTuple):
    """``name:``."""

    name: int


class Attribute(NamedTuple):
    """One word of ``.attribute(...)`` with its numbers."""

    word: int
    values: tuple[int, ...] = ()


class Pointer(NamedTuple):
    """``.ptr .space .align n`` of a kernel parameter; -1 for absent parts."""

    token: int
    space: int = -1
    align: int = -1


class Declarator(NamedTuple):
    """One declared name.

    ``count`` is the token of ``n`` in ``%r<n>``, -1 without; a dimension of -1 is an empty ``[]``.
    """

    name: int
    count: int = -1  # type: ignore[assignment]
    dimensions: tuple[int, ...] = ()
    initializer: Operand | None = None


class Declaration(NamedTuple):
    """A declaration of registers or variables, or one parameter. Tokens of absent parts are -1, words empty."""

    first: int
    last: int
    linkage: int = -1
    space: str = ""
    space_token: int = -1
    bank: int = -1
    align: int = -1
    attributes: tuple[Attribute, ...] = ()
    vector: str = ""
    vector_token: int = -1
    type: str = ""
    type_token: int = -1
    pointer: Pointer | None = None
    declarators: tuple[Declarator, ...] = ()


class Tuning(NamedTuple):
    """A directive between the head and the body of a function, such as ``.maxntid 128``."""

    word: int
    values: tuple[int, ...] = ()


class FunctionHead(NamedTuple):
    """The head of an ``.entry`` or ``.func``, up to its body or its ``;``."""

    linkage: int
    kind: str
    kind_token: int
    name: int
    returns: tuple[Declaration, ...] | None
    parameters: tuple[Declaration, ...] | None
    attributes: tuple[Attribute, ...]
    tuning: tuple[Tuning, ...]
    has_semicolon: bool


class Prototype(NamedTuple):
    """``.callprototype``; its label is the statement before."""

    word: int
    returns: tuple[Declaration, ...] | None
    name: int
    parameters: tuple[Declaration, ...] | None
    tuning: tuple[Tuning, ...]


class Targets(NamedTuple):
    """``.branchtargets`` or ``.calltargets``; its label is the statement before. A name may have a count, ``N<5>``."""

    word: int
    names: tuple[Declarator, ...]


class Header(NamedTuple):
    """``.version``, ``.target`` or ``.address_size`` with its values."""

    directive: str
    word: int
    values: tuple[int, ...]


class Location(NamedTuple):
    """``.loc`` or ``.loc_intermediate``: file, line, column, and the call site of inlined code."""

    word: int
    place: tuple[int, ...]
    function: int = -1
    function_offset: int = -1
    inlined_at: tuple[int, ...] = ()


class File(NamedTuple):
    """``.file index "name", time, size``."""

    word: int
    number: int
    name: int
    values: tuple[int, ...] = ()


class Section(NamedTuple):
    """``.section name``; its body is the statements between the braces that follow."""

    word: int
    name: int


class Data(NamedTuple):
    """A line of a debug section. Items may have a ``name`` (a label or section) and an ``offset``."""

    word: int
    items: tuple[Operand, ...]


class Pragma(NamedTuple):
    """``.pragma`` and its strings."""

    word: int
    strings: tuple[int, ...]


class Alias(NamedTuple):
    """``.alias name, target;``."""

    word: int
    name: int
    target: int


class Directive(NamedTuple):
    """Any other directive."""

    word: int
    values: tuple[int, ...] = ()


Tree = (
    Instruction
    | Label
    | Declaration
    | FunctionHead
    | Prototype
    | Targets
    | Header
    | Location
    | File
    | Section
    | Data
    | Pragma
    | Alias
    | Directive
)


_OF_NUMBERS = frozenset({OperandKind.VECTOR, OperandKind.LIST, OperandKind.INTEGER, OperandKind.FLOAT})


def has_only_numbers(tree: Declaration) -> bool:
    """Whether all initial values are literal numbers, in braces or not; a list of them can be as long as a file."""
    layer = [one.initializer for one in tree.declarators if one.initializer is not None]
    while layer:
        kinds = kinds_of(layer)
        if not kinds <= _OF_NUMBERS:
            return False
        layer = list(chain.from_iterable(map(_PARTS, layer))) if OperandKind.VECTOR in kinds else []
    return True


def has_initial_values(tree: Declaration) -> bool:
    """Whether some name of a declaration, which can have very many, has an initial value."""
    return any(map(_INITIALIZER, tree.declarators))


def all_are(values: tuple[Operand, ...], kinds: frozenset[OperandKind]) -> bool:
    """Whether all values have one of some kinds, no offset, and no other of a pair; there can be very many."""
    return kinds_of(values) <= kinds and not any(map(_OFFSET, values)) and not any(map(_PAIR, values))


def kinds_of(operands: Iterable[Operand]) -> set[OperandKind]:
    """The kinds that some operands have."""
    return set(map(_KIND, operands))


def inner_values(values: list[Operand]) -> list[Operand]:
    """The values in the braces of some initial values; a list of them can be as long as a file."""
    braced = compress(values, map(OperandKind.VECTOR.__eq__, map(_KIND, values)))
    return list(chain.from_iterable(map(_PARTS, braced)))


_INITIALIZER: Callable[[Declarator], Operand | None] = itemgetter(Declarator._fields.index("initializer"))
_KIND: Callable[[Operand], OperandKind] = itemgetter(Operand._fields.index("kind"))
_PARTS: Callable[[Operand], tuple[Operand, ...]] = itemgetter(Operand._fields.index("parts"))
_OFFSET: Callable[[Operand], Operand | None] = itemgetter(Operand._fields.index("offset"))
_PAIR: Callable[[Operand], Operand | None] = itemgetter(Operand._fields.index("pair"))
"""To get a field by its place takes half of the time, and a table may have hundreds of thousands of values."""
