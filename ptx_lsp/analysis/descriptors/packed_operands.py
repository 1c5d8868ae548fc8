"""The operands of an instruction that are packed values, and their known bits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from ptx_lsp.analysis.descriptors.known_values import KnownValues, composed
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.matcher import matcher_of
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.layouts.decode import DecodedValue, decode
from ptx_lsp.layouts.layout import Layout
from ptx_lsp.layouts.layout_lookup import layout_of
from ptx_lsp.layouts.load import layouts
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import ProcessCache, memoized
from ptx_lsp.syntax.shape import SHAPES, Shape
from ptx_lsp.syntax.tree import Operand, OperandKind


class PackedOperand(NamedTuple):
    """An operand whose bits have meanings."""

    operand: Operand
    role: str
    """Its name on the instruction's page."""
    layout: Layout
    spelling: frozenset[str]


class KnownOperand(NamedTuple):
    """The value of a packed operand, as far as it is known."""

    packed: PackedOperand
    reading: DecodedValue
    assumed: int
    """The bits that are known only if the address does not carry."""
    proved: DecodedValue
    """The value by the proved bits alone: a fault in it is certain."""


OPCODES = frozenset({"wgmma", "tcgen05"})
"""The instructions whose values can be wrong: those whose descriptors nothing else can read."""
_SPARSE = frozenset({"mma"})
"""Others, with a sparse matrix: its metadata can be wrong."""


def is_looked_at(opcode: Sequence[str]) -> bool:
    """Whether an instruction can take a value that is worth looking for: a descriptor, a cache policy, a mask of CTAs.

    >>> is_looked_at(("ld", ".global", ".b32")), is_looked_at(("ld", ".global", ".L2::cache_hint", ".b32"))
    (False, True)
    """
    return is_tensor_instruction(opcode) or announces(opcode)


def is_tensor_instruction(opcode: Sequence[str]) -> bool:
    """Whether an instruction takes values that are checked: descriptors, metadata of sparse matrices."""
    return opcode[0] in OPCODES or (opcode[0] in _SPARSE and any(word.startswith(".sp") for word in opcode))


def announces(opcode: Sequence[str]) -> bool:
    """Whether a word of an ordinary instruction announces such a value: ``.L2::cache_hint``."""
    words = _announcing().get(opcode[0])
    return words is not None and opcode[0] not in OPCODES and not words.isdisjoint(opcode)


@cache
def _announcing() -> dict[str, frozenset[str]]:
    """For the other instructions the words of which one announces such a value, by the first part of their names."""
    found: dict[str, frozenset[str]] = {}
    for layout in layouts().values():
        for place in layout.places if layout.shorts else ():
            wanted = frozenset(word for is_wanted, words in place.when.parts if is_wanted for word in words)
            for name in place.instructions:
                first = name.partition(".")[0]
                found[first] = found.get(first, frozenset()) | wanted
    return found


class _Shapes:
    """The ids of all shapes so far whose opcode is wanted."""

    def __init__(self, is_wanted: Callable[[Sequence[str]], bool]) -> None:
        self._is_wanted = is_wanted
        self._ids: set[int] = set()
        self._seen = 0

    def __call__(self) -> set[int]:
        if self._seen < len(SHAPES):
            fresh = SHAPES[self._seen :]
            self._seen += len(fresh)
            self._ids.update(shape.id for shape in fresh if shape.opcode and self._is_wanted(shape.opcode))
        return self._ids


tensor_shapes = _Shapes(is_tensor_instruction)
looked_at_shapes = _Shapes(is_looked_at)


def packed_operands(context: StatementContext) -> tuple[PackedOperand, ...]:
    """The operands of an instruction whose layout has a short line: those that are worth showing."""
    return tuple(one for one in checked_operands(context) if one.layout.shorts)


def checked_operands(context: StatementContext) -> tuple[PackedOperand, ...]:
    """The operands of an instruction whose layout has a short line, and metadata: their value can be wrong."""
    tree = context.instruction
    if tree is None or not is_looked_at(tree.opcode):
        return ()
    shape = context.statement.shape
    codes = _codes(context, shape)
    matcher = matcher_of(context.module)
    key = (matcher, shape.id, codes)
    found = _BY_MEANING.get(key)
    if found is None:
        match = matcher.fitting(shape, codes, context.statement)
        if match is None:  # the nearest form, which may depend on the values of this statement
            nearest = context.match
            return () if nearest is None else tuple(_packed(tree.operands, tree.opcode, nearest, context))
        found = _BY_MEANING[key] = tuple(_packed(tree.operands, tree.opcode, match, context))
    return found


_BY_MEANING: ProcessCache[object, tuple[PackedOperand, ...]] = ProcessCache(4096)


def _codes(context: StatementContext, shape: Shape) -> tuple[int, ...]:
    """Meanings of the names of an instruction: of numbered registers the prefix alone says it."""
    scope = context.scope
    codes = []
    by_prefix: dict[str, int | None] = {"": None}
    for token, prefix in shape.names:
        if prefix not in by_prefix:
            by_prefix[prefix] = scope.prefix_code(prefix)
        code = by_prefix[prefix]
        if code is None:
            symbol = context.visible(context.statement.word(token))
            if symbol is None:
                return context.codes
            code = symbol.code
        codes.append(code)
    return tuple(codes)


def _packed(
    operands: tuple[Operand, ...], opcode: tuple[str, ...], match: Match, context: StatementContext
) -> Iterator[PackedOperand]:
    spelling = _context(opcode, match, context)
    for operand, role in zip(operands, match.roles, strict=False):
        layout = _layout(match, role, spelling)
        is_constant = operand.kind in (OperandKind.INTEGER, OperandKind.CONSTANT)  # matched by its form
        if layout is not None and (layout.shorts or not is_constant):
            yield PackedOperand(operand, role, layout, spelling)


def packed_operand(context: StatementContext, match: Match, operand: Operand, role: str) -> PackedOperand | None:
    """An operand, or a part of one, with the layout that its name on the page has; None where that is none."""
    tree = context.instruction
    if tree is None:
        return None
    spelling = _context(tree.opcode, match, context)
    layout = _layout(match, role, spelling)
    return PackedOperand(operand, role, layout, spelling) if layout is not None else None


def _context(opcode: Sequence[str], match: Match, context: StatementContext) -> frozenset[str]:
    return frozenset((*(word for word in match.values if word), *opcode, str(context.module.target)))


def _layout(match: Match, role: str, spelling: frozenset[str]) -> Layout | None:
    found = (layout_of(name, role, spelling) for name in match.instruction.names if role)
    return next((layout for layout in found if layout is not None), None)


def has_address(layout: Layout) -> bool:
    """Whether a value holds a start address, whose sums are assumed not to carry."""
    return layout.width == 64 and any(row.key == "start" for row in layout.rows)


def read_operand(context: StatementContext, packed: PackedOperand, values: KnownValues) -> KnownOperand:
    """The value of a packed operand of an instruction, as far as it is known."""
    layout, spelling = packed.layout, packed.spelling
    fact = values.operand(context.chunk, context.index, packed.operand, descriptor=has_address(layout))
    value, known, assumed = composed(fact, layout.width)
    sure = fact.sure
    return KnownOperand(
        packed,
        _decoded(_Key(layout), value, spelling, known),
        assumed,
        _decoded(_Key(layout), sure.value, spelling, sure.known & (1 << layout.width) - 1),
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


@memoized(1024)
def _decoded(key: _Key, value: int, spelling: frozenset[str], known: int) -> DecodedValue:
    """Loops and unrolled steps have the same few values over and over."""
    return decode(key.layout, value, spelling, known)
