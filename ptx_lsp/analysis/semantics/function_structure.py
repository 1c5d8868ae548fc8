"""The blocks and loops of a function as places in its text: without its graph, so that it can be kept until an edit."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Iterable, Iterator
from functools import partial
from itertools import islice

from ptx_lsp.analysis.dataflow.control_flow_graph import BasicBlock, Graph
from ptx_lsp.analysis.dataflow.effects import Control, words
from ptx_lsp.analysis.dataflow.module_effects import Effects
from ptx_lsp.analysis.dataflow.steps import Steps
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.structure.blocks import NodeRange, blocks_of
from ptx_lsp.analysis.structure.loop_facts import LoopsThatWrite, depth_of
from ptx_lsp.analysis.structure.loops import Loop, Loops
from ptx_lsp.analysis.structure.roles import Counts, added, counts_of
from ptx_lsp.analysis.symbolic.atoms import AtomKind
from ptx_lsp.analysis.symbolic.inductions import Inductions
from ptx_lsp.analysis.symbolic.symbolic_values import SymbolicValues, width_of
from ptx_lsp.analysis.symbolic.value_sources import GraphSources, Source, Write
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tree import Label

_BLOCKS_IN_A_STEP = 100
_MOST_WAYS = 64
"""So many blocks are listed before or after an indirect branch with a large table."""
_MOST_EXITS = 16
"""So many branches out of a loop are looked at for its counter."""
_MOST_COUNTERS = 300
"""So many loops have the name of their counter; it takes about a millisecond each."""


class TextBlock(NamedTuple):
    """A basic block."""

    label: str
    """The label with which it begins; empty without one."""
    start: Place
    """Its first statement."""
    end: Place
    """Its last statement."""
    counts: Counts
    instructions: int
    successors: tuple[int, ...]
    """The blocks that can be executed next."""
    predecessors: tuple[int, ...]
    loop: int
    """The innermost loop around it; -1 for none."""
    is_reachable: bool
    ends: str
    """The opcode of a jump, branch or return at its end; empty if the next block follows."""


class TextLoop(NamedTuple):
    """A natural loop."""

    header: int
    """The block by which control enters it."""
    first: int
    """The first block of the part of it that is in one piece in the text and has the header in it."""
    last: int
    """The last block of that part."""
    latches: tuple[int, ...]
    """The blocks from which control goes back to the header."""
    parent: int
    """The loop around it; -1 for none."""
    depth: int
    """1 for an outermost loop."""
    counts: Counts
    """Those of all its blocks, wherever they are."""
    instructions: int
    counter: str
    """The register that it advances by a constant and compares to decide whether to repeat; empty if not known."""


class FunctionStructure:
    """The blocks and loops of one function."""

    __slots__ = ("_at", "blocks", "deciding", "loops")

    def __init__(
        self,
        blocks: list[TextBlock],
        loops: list[TextLoop],
        chunks: Iterable[Chunk],
        deciding: frozenset[str] = frozenset(),
    ) -> None:
        self.blocks = blocks
        """In the order of the text."""
        self.loops = loops
        """By their headers; an outer loop with the same place comes first."""
        self.deciding = deciding
        """The names of all registers on which the counters of the loops depend."""
        self._at: dict[Chunk, tuple[list[int], int]] = {}
        starts: dict[Chunk, list[int]] = {chunk: [] for chunk in chunks}
        for block in blocks:
            starts[block.start.chunk].append(block.start.statement)
        before = 0
        for chunk, statements in starts.items():
            self._at[chunk] = statements, before
            before += len(statements)

    @property
    def chunks(self) -> Iterable[Chunk]:
        """The chunks of the function, in order."""
        return self._at

    def block_at(self, chunk: Chunk, statement: int) -> int | None:
        """The number of the block that begins last before or at a statement; None if none does."""
        statements, before = self._at.get(chunk, ((), 0))
        number = before + bisect_right(statements, statement) - 1
        return number if number >= 0 else None

    def loop_headed_by(self, block: int) -> int | None:
        """The loop that has a block as its header."""
        return next((number for number, loop in enumerate(self.loops) if loop.header == block), None)

    def around(self, block: int) -> Iterator[TextLoop]:
        """The loops around a block, innermost first."""
        number = self.blocks[block].loop
        while number >= 0:
            yield self.loops[number]
            number = self.loops[number].parent


def structuring(effects: Effects, function: Function) -> Generator[None, None, FunctionStructure]:
    """Find the structure of a function in steps of some milliseconds; it is the value that is returned."""
    for chunk in function.chunks:
        yield from effects.preparing(chunk)
    graph = Graph(effects.module, function, effects, at_once=False)
    yield from graph.making()
    yield from graph.preparing()
    found = yield from Loops.finding(graph)
    structure = yield from _structured(graph, found)
    return structure


def _structured(graph: Graph, found: Loops) -> Generator[None, None, FunctionStructure]:
    ranges = blocks_of(graph)
    block_of = {number: at for at, one in enumerate(ranges) for number in range(one.first, one.last + 1)}
    # A table of labels can be the header of a loop in the graph; it is no place in the text.
    every = [loop for loop in found.all if loop.header in block_of]
    numbers = {loop: at for at, loop in enumerate(every)}
    blocks: list[TextBlock] = []
    for at, one in enumerate(ranges):
        if not at % _BLOCKS_IN_A_STEP:
            yield
        loop = next((each for each in found.around(one.first) if each in numbers), None)
        blocks.append(_block(graph, one, block_of, numbers[loop] if loop is not None else -1))
    steps = Steps(graph)
    sources = _AskedSources(steps)
    inductions = Inductions(SymbolicValues(sources), sources, found)
    firsts, lasts = (_contiguous(graph, found, block_of, step) for step in (-1, 1))
    loops: list[TextLoop] = []
    depths: dict[Loop, int] = {}
    writing = LoopsThatWrite(graph, found)
    for at, loop in enumerate(every):
        yield
        parent = next((each for each in found.around(loop.header) if each is not loop and each in numbers), None)
        loops.append(
            TextLoop(
                block_of[loop.header],
                firsts[loop],
                lasts[loop],
                tuple(sorted({block_of[one] for one in loop.latches if one in block_of})),
                numbers[parent] if parent is not None else -1,
                depth_of(loop, numbers, depths),
                (),
                0,
                _counter(steps, inductions, found, loop, writing, sources.names) if at < _MOST_COUNTERS else "",
            )
        )
    _add_counts(blocks, loops)
    return FunctionStructure(blocks, loops, graph.function.chunks, frozenset(sources.names))


class _AskedSources(GraphSources):
    """Notes the registers that it is asked about."""

    def __init__(self, steps: Steps) -> None:
        super().__init__(steps)
        self.names: set[str] = set()

    def before(self, context: StatementContext, name: str) -> Source | None:
        self.names.add(name)
        return super().before(context, name)


def _block(graph: Graph, one: NodeRange, block_of: dict[int, int], loop: int) -> TextBlock:
    nodes = [graph.nodes[number] for number in range(one.first, one.last + 1)]
    first, last = nodes[0], nodes[-1]
    shapes = [
        node.chunk.shapes[at]
        for node in nodes
        for at in range(node.piece.start, node.piece.end)
        if node.chunk.kinds[at] == Kind.INSTRUCTION
    ]
    label = ""
    if first.chunk.kinds[first.piece.start] == Kind.LABEL:
        statement = first.chunk.statement(first.piece.start)
        label = statement.word(statement.shape.tree.name) if isinstance(statement.shape.tree, Label) else ""
        label = "" if _is_of_debugging(graph, first, label) else label
    after = _blocks(graph, block_of, last.successors, "successors")
    before = _blocks(graph, block_of, first.predecessors, "predecessors")
    ends = ""
    if last.piece.control is not Control.ON:
        ends = _opcode(last.chunk, last.piece.end - 1)
    return TextBlock(
        label,
        Place(first.chunk, first.piece.start, 0),
        Place(last.chunk, last.piece.end - 1, 0),
        counts_of(shapes),
        len(shapes),
        after,
        before,
        loop,
        one.first in graph.reachable,
        ends,
    )


def _is_of_debugging(graph: Graph, node: BasicBlock, label: str) -> bool:
    """Whether a label is of debug information: it stands where a block begins after a branch, and none jumps there."""
    if not label.startswith("$") or len(node.predecessors) != 1 or node.predecessors[0] != node.number - 1:
        return False
    above = graph.nodes[node.number - 1]
    return label not in words(above.chunk.part(above.piece.end - 1))


def _blocks(graph: Graph, block_of: dict[int, int], numbers: list[int], way: str) -> tuple[int, ...]:
    """The blocks of some nodes; instead of a node that stands for a table the ones before or after it."""
    found: dict[int, None] = {}
    for number in numbers:
        node = graph.nodes[number]
        through = getattr(node, way) if node.is_table else (number,)
        found.update(dict.fromkeys(block_of[one] for one in islice(through, _MOST_WAYS) if one in block_of))
    return tuple(found)


def _opcode(chunk: Chunk, index: int) -> str:
    tree = chunk.statement(index).shape.tree
    return "".join(getattr(tree, "opcode", ()))


def _contiguous(graph: Graph, found: Loops, block_of: dict[int, int], step: int) -> dict[Loop, int]:
    """Of each loop the block up to which all blocks from its header on are in it; dead code does not end it.

    Args:
        graph: the graph.
        found: its loops.
        block_of: the blocks of the nodes.
        step: 1 for the last block below the header, -1 for the first one above it.

    """
    lasts: dict[Loop, int] = {}
    headed = {loop.header: loop for loop in found.all}
    waiting: list[Loop] = []
    before = -1
    for node in graph.nodes[::step]:
        if node.is_table:
            continue
        if node.number not in graph.reachable:
            continue
        while waiting and not found.contains(waiting[-1], node.number):
            lasts[waiting.pop()] = block_of[before]
        if node.number in headed:
            waiting.append(headed[node.number])
        before = node.number
    lasts.update((loop, block_of[before]) for loop in waiting)
    return lasts


def _add_counts(blocks: list[TextBlock], loops: list[TextLoop]) -> None:
    """Add the counts of blocks to the loops around them."""
    own: list[list[TextBlock]] = [[] for _ in loops]
    for block in blocks:
        if block.loop >= 0:
            own[block.loop].append(block)
    for number in sorted(range(len(loops)), key=lambda one: -loops[one].depth):
        loop = loops[number]
        counts, instructions = loop.counts, loop.instructions
        for block in own[number]:
            counts, instructions = added(counts, block.counts), instructions + block.instructions
        loops[number] = loop._replace(counts=counts, instructions=instructions)
        if loop.parent >= 0:
            parent = loops[loop.parent]
            loops[loop.parent] = parent._replace(
                counts=added(parent.counts, counts), instructions=parent.instructions + instructions
            )


def _counter(
    steps: Steps, inductions: Inductions, loops: Loops, loop: Loop, writing: LoopsThatWrite, names: set[str]
) -> str:
    """The register that a loop advances by a constant, and that a branch which ends the loop depends on.

    All registers that are looked at are added to ``names``.
    """
    graph = steps.graph
    is_inside = partial(loops.contains, loop)
    exits = (
        node
        for node in map(graph.nodes.__getitem__, loop.nodes)
        if node.piece.control in (Control.JUMP, Control.LEAVE)
        and node.piece.guarded
        and (node.piece.control is Control.LEAVE or not all(map(is_inside, node.successors)))
    )
    for node in islice(exits, _MOST_EXITS):
        number = node.number
        branch = steps.context(steps.at(number, node.piece.end - 1))
        tree = branch.instruction
        if tree is None or tree.guard is None:
            continue
        compared = inductions.values.sources.before(branch, branch.word(tree.guard.name))
        if not isinstance(compared, Write) or not compared.is_sure:
            continue
        context = StatementContext(graph.module, graph.function, compared.chunk, compared.statement)
        for word in words(compared.chunk.part(compared.statement))[1:]:
            names.add(word)
            symbol = context.visible(word)
            width = width_of(symbol) if loop in writing(context, word) else 0
            value = inductions.values.before(context, word) if width else None
            value = inductions.resolved(value, width) if value is not None else None
            kinds = [inductions.values.atoms.atom(token) for token, _ in value.terms] if value is not None else []
            if any(one.kind is AtomKind.ITERATION and one.key == loop.header for one in kinds):
                return word
    return ""
