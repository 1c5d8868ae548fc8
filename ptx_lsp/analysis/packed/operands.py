"""Which operands of an instruction are packed values, and what is known of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from ptx_lsp.analysis.packed.known import KnownValues, composed
from ptx_lsp.analysis.use import Use
from ptx_lsp.isa.match import Match
from ptx_lsp.layouts.choose import layout_of
from ptx_lsp.layouts.decode import Reading, decode
from ptx_lsp.layouts.layout import Layout
from ptx_lsp.syntax.shape import SHAPES, Shape
from ptx_lsp.syntax.tree import Operand


class PackedOperand(NamedTuple):
    """An operand whose bits have meanings."""

    operand: Operand
    role: str
    """Its name on the instruction's page."""
    layout: Layout
    context: frozenset[str]


class KnownOperand(NamedTuple):
    """What is known of it."""

    packed: PackedOperand
    reading: Reading
    assumed: int
    """The bits that are known only if the address does not carry."""
    proved: Reading
    """The same from the proved bits alone: what is wrong in it is wrong."""


OPCODES = frozenset({"wgmma", "tcgen05"})
"""The instructions whose operands are looked at: those whose descriptors nothing else can read."""


class _Shapes:
    """The ids of all shapes so far that begin with one of :data:`OPCODES`."""

    def __init__(self) -> None:
        self._ids: set[int] = set()
        self._seen = 0

    def __call__(self) -> set[int]:
        if self._seen < len(SHAPES):
            fresh = SHAPES[self._seen :]
            self._seen += len(fresh)
            self._ids.update(shape.id for shape in fresh if shape.opcode and shape.opcode[0] in OPCODES)
        return self._ids


packed_shapes = _Shapes()


def packed_operands(use: Use) -> tuple[PackedOperand, ...]:
    """The operands of an instruction whose layout has a short line: those that are worth looking for."""
    tree = use.instruction
    if tree is None or tree.opcode[0] not in OPCODES:
        return ()
    shape = use.statement.shape
    codes = _codes(use, shape)
    matcher = use.module.matcher
    key = (matcher, shape.id, codes)
    found = _by_meaning.get(key)
    if found is None:
        match = matcher.match(shape, codes, use.statement, values=False)
        if len(_by_meaning) >= _MOST_REMEMBERED:
            _by_meaning.clear()
        found = _by_meaning[key] = () if match is None else tuple(_packed(tree.operands, tree.opcode, match, use))
    return found


_by_meaning: dict[object, tuple[PackedOperand, ...]] = {}
_MOST_REMEMBERED = 4096


def _codes(use: Use, shape: Shape) -> tuple[int, ...]:
    """What the names of an instruction mean: of numbered registers the prefix says it, without a look at the name."""
    scope = use.scope
    codes = []
    by_prefix: dict[str, int | None] = {"": None}
    for token, prefix in shape.names:
        if prefix not in by_prefix:
            by_prefix[prefix] = scope.prefix_code(prefix)
        code = by_prefix[prefix]
        if code is None:
            symbol = use.visible(use.statement.word(token))
            if symbol is None:
                return use.codes
            code = symbol.code
        codes.append(code)
    return tuple(codes)


def _packed(
    operands: tuple[Operand, ...], opcode: tuple[str, ...], match: Match, use: Use
) -> Iterable[PackedOperand]:
    context = frozenset((*(word for word in match.values if word), *opcode, str(use.module.target)))
    for operand, role in zip(operands, match.roles, strict=False):
        for name in match.instruction.names:
            layout = layout_of(name, role, context) if role else None
            if layout is not None and layout.short:
                yield PackedOperand(operand, role, layout, context)
                break


def read_operand(use: Use, packed: PackedOperand, values: KnownValues) -> KnownOperand:
    """What is known of a packed operand of an instruction."""
    layout, context = packed.layout, packed.context
    fact = values.operand(use.chunk, use.index, packed.operand, descriptor=layout.width == 64)
    value, known, assumed = composed(fact, layout.width)
    sure = fact.sure
    return KnownOperand(
        packed, _decoded(_Key(layout), value, context, known), assumed,
        _decoded(_Key(layout), sure.value, context, sure.known & (1 << layout.width) - 1),
    )


class _Key:
    """A layout as what a value can be remembered by: there is one record of each page."""

    __slots__ = ("layout",)

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def __hash__(self) -> int:
        return id(self.layout)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.layout is self.layout


@lru_cache(maxsize=4096)
def _decoded(key: _Key, value: int, context: frozenset[str], known: int) -> Reading:
    """Loops and unrolled steps have the same few values over and over."""
    return decode(key.layout, value, context, known)
