"""The accesses of a function whose addresses are looked at, by their shapes and a quick look at their bits.

Most functions have none, so that what finds faults in addresses (:mod:`.address_faults`) is not even imported for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from ptx_lsp.analysis.dataflow.branch_regions import on_all_ways
from ptx_lsp.analysis.dataflow.control_flow_graph import BasicBlock, Graph
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbolic.launch_limits import LaunchLimits
from ptx_lsp.analysis.symbols.storage import bits_of
from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.derived_values import once
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import KEPT_BY_SHAPE
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.shape import SHAPES, Shape
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind

if TYPE_CHECKING:
    from ptx_lsp.analysis.symbolic.thread_bits import ThreadBits

SHORT = 100
"""Functions with so many statements are short: all their accesses are looked at."""
_SHAPES_BETWEEN_PAUSES = 128
_LOOKS_BETWEEN_PAUSES = 64
MOST = 1000
"""So many accesses of a function are looked at."""
_SEVERAL = frozenset({".v2", ".v4", ".v8"})
_PLAIN = frozenset({"ld", "st", "atom", "red"})
_RARE = frozenset({"wmma", "tensormap"})
"""Accesses of blocks that few kernels have; those outside of global memory are looked at closely."""
_ACCESSING = _PLAIN | _RARE | {"cp", "ldmatrix", "stmatrix"}
"""Those that are not plain access blocks, usually of 16 bytes."""


class _ShapeAccess(NamedTuple):
    """The access of the instructions of a shape, by its opcode alone."""

    align: int
    is_wide: bool
    """Whether it is one of several elements."""
    is_near: bool
    """Whether it may be one of a variable: it is not one of global memory."""
    is_named: bool
    """Whether the address may be a variable as well as a register: its name has no number."""


@KEPT_BY_SHAPE.answers
def _access(shape: Shape) -> _ShapeAccess | None:
    """The access of the instructions of a shape; None if they have no address that may be in a register."""
    opcode, tree = shape.opcode, shape.tree
    if not opcode or not isinstance(tree, Instruction) or opcode[0] not in _ACCESSING:
        return None
    prefixes = dict(shape.names)
    bases = [one.parts[0].name for one in tree.operands if one.kind is OperandKind.ADDRESS and one.parts]
    if not any(base in prefixes for base in bases) or any(word.startswith(".param") for word in opcode):
        return None
    is_near, is_named = ".global" not in opcode, not any(prefixes.get(base) for base in bases)
    if opcode[0] not in _PLAIN:
        return _ShapeAccess(16, is_wide=True, is_near=is_near and opcode[0] in _RARE, is_named=is_named)
    count = next((int(word[2:]) for word in opcode if word in _SEVERAL), 1)
    size = count * max((bits_of(word) // 8 for word in opcode if bits_of(word)), default=1)
    return _ShapeAccess(size, count > 1, is_near, is_named) if size > 1 or is_near else None


@KEPT_BY_SHAPE.answers
def _takes_address(shape: Shape) -> bool:
    """Whether instructions of a shape put the address of a variable into a register."""
    return shape.opcode[:1] in (("mov",), ("cvta",)) and any(not prefix for _, prefix in shape.names)


def _passed_by_all(graph: Graph) -> frozenset[int]:
    """The nodes that all threads pass: those on all ways to a return; all nodes if there is no way to one."""
    end = len(graph.nodes)
    following = {node.number: [*node.successors, *[end][: graph.leaves(node)]] for node in graph.nodes}
    return on_all_ways(0, end, following) or frozenset(following)


class CandidateAccesses:
    """The accesses of one function that are looked at.

    Args:
        steps: its instructions.
        limits: the threads that it is launched with.

    """

    def __init__(self, steps: Steps, limits: LaunchLimits) -> None:
        self._steps = steps
        self._limits = limits
        self._last: StatementContext | None = None

    def all(self) -> Iterator[Step | None]:
        """The accesses that can be executed and may be wrong, in the order of the text; None is a pause."""
        graph = self._steps.graph
        left = MOST
        for one in self._candidates():
            if one is None:
                yield None
                continue
            if not left:
                return
            left -= 1
            chunk, index, align = one
            node = graph.node_at(chunk, index)
            if node is None or node.number not in graph.reachable:
                continue
            if not align or self._may_be_misaligned(node, index, align):
                yield self._steps.at(node.number, index)

    def are_cut(self) -> bool:
        """Whether there are more than are looked at."""
        found = (one for one in self._candidates() if one is not None)
        return next(islice(found, MOST, None), None) is not None

    def _candidates(self) -> Iterator[tuple[Chunk, int, int] | None]:
        """The instructions that are looked at, and the alignment that a quick look at them asks for; 0 without one.

        Those outside of global memory are looked at closely where addresses of variables are in registers. Of long
        functions those count that all threads execute: few others are wrong for sure. Such functions are written by
        compilers, so that single elements elsewhere are taken to be aligned. None is a pause.
        """
        function = self._steps.graph.function
        accesses: dict[int, _ShapeAccess] = {}
        has_addresses = False
        for count, number in enumerate(set().union(*(chunk.shapes for chunk in function.chunks)), 1):
            if not count % _SHAPES_BETWEEN_PAUSES:
                yield None
            shape = SHAPES[number]
            has_addresses = has_addresses or _takes_address(shape)
            access = _access(shape)
            if access is not None:
                accesses[number] = access
        is_short = sum(map(len, function.chunks)) <= SHORT
        wanted = {
            number: one
            for number, one in accesses.items()
            if (one.is_near and has_addresses) or one.is_wide or is_short
        }
        passed = _passed_by_all(self._steps.graph) if wanted and not is_short else None
        looks = 0
        for chunk in function.chunks if wanted else ():
            looks += 1
            for index in [index for index, number in enumerate(chunk.shapes) if number in wanted]:
                looks += 1
                if looks >= _LOOKS_BETWEEN_PAUSES:
                    looks = 0
                    yield None
                found = wanted[chunk.shapes[index]]
                if passed is not None:
                    node = self._steps.graph.node_at(chunk, index)
                    if node is None or node.number not in passed:
                        continue
                if found.is_named and not self._is_by_register(chunk, index):
                    continue
                yield chunk, index, 0 if found.is_near and has_addresses else found.align

    def _is_by_register(self, chunk: Chunk, index: int) -> bool:
        """Whether an address of an instruction is in a register; a variable has its own check."""
        context = self._context(chunk, index)
        for base in _bases(context):
            symbol = context.visible(context.word(base.name))
            if symbol is not None and symbol.kind is SymbolKind.REGISTER:
                return True
        return False

    def _context(self, chunk: Chunk, index: int) -> StatementContext:
        """A statement in its surroundings; the last one is kept."""
        if self._last is None or self._last.chunk is not chunk or self._last.index != index:
            graph = self._steps.graph
            self._last = StatementContext(graph.module, graph.function, chunk, index)
        return self._last

    def _may_be_misaligned(self, node: BasicBlock, index: int, align: int) -> bool:
        """Whether an address of the second thread may be no multiple of a number; a quick look."""
        from ptx_lsp.analysis.dataflow.known_bits import KnownBits

        graph, context = self._steps.graph, self._context(node.chunk, index)
        for base in _bases(context):
            key = graph.registers.key(context.word(base.name), node.scope)
            if key not in graph.writers:
                continue  # nothing is known of it
            offset = evaluate(context.statement, base.offset) if base.offset is not None else 0
            known = self._bits.of(key)
            added = KnownBits.constant(offset if isinstance(offset, int) else 0)
            if known is not None and known.plus(added).value & (align - 1):
                return True
        return False

    @once
    def _bits(self) -> ThreadBits:
        from ptx_lsp.analysis.symbolic.thread_bits import ThreadBits

        return ThreadBits(self._steps, self._limits.specials(1))


def _bases(context: StatementContext) -> Iterator[Operand]:
    """The names in the addresses of an instruction that are no lists."""
    tree = context.instruction
    for operand in tree.operands if tree is not None else ():
        if operand.kind is OperandKind.ADDRESS and len(operand.parts) == 1 and operand.parts[0].name >= 0:
            yield operand.parts[0]
