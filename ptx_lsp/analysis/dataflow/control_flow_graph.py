"""Control-flow graphs of functions.

Source: PTX ISA, "Control Flow Instructions": a function that is called returns, an indirect branch goes to any
label of its list.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Iterator, KeysView
from itertools import pairwise

from ptx_lsp.analysis.dataflow.basic_blocks import BlockSummary
from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.analysis.dataflow.module_effects import Effects
from ptx_lsp.analysis.dataflow.paths import Dominance, Reachability, Walk
from ptx_lsp.analysis.dataflow.registers import Registers
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module, is_whole
from ptx_lsp.analysis.symbols.declarations import entries
from ptx_lsp.analysis.symbols.numbered_labels import NumberedLabels, number_of_labels
from ptx_lsp.analysis.symbols.symbols import Place, Scope, Symbol, SymbolKind
from ptx_lsp.derived_values import once
from ptx_lsp.stepwise import collected, run_to_completion
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Targets


class BasicBlock:
    """A piece of a function in its graph."""

    __slots__ = ("chunk", "number", "piece", "predecessors", "scope", "straight", "successors")

    def __init__(self, number: int, chunk: Chunk, piece: BlockSummary, scope: Scope) -> None:
        self.number = number
        """Nodes are numbered in the order of the text; 0 is where the function begins."""
        self.chunk = chunk
        self.piece = piece
        self.scope = scope
        self.successors: list[int] = []
        self.predecessors: list[int] = []
        self.straight = number
        """The first node of its straight code, which is executed as a whole: where a chunk ends in it, or a block with
        names of its own, it has several nodes."""

    @property
    def is_table(self) -> bool:
        """Whether it stands for a table of labels: it has no statements; see :attr:`Graph.nodes`."""
        return self.piece is _TABLE


_NODES_IN_A_STEP = 512
MOST_EDGES = 1024
"""If the edges of a table to its labels are more, it has a node."""
_NO_NODES: tuple[int, list[int]] = (0, [])  # never changed
_TABLE = BlockSummary(0, 0, {}, frozenset(), {}, frozenset(), {}, {}, (), Control.ON, False, ())
"""The piece of a node that stands for a table of labels."""


class Graph:
    """The nodes of a function, and the ways of control between them.

    Registers are named by their keys (see :mod:`ptx_lsp.analysis.dataflow.registers`).
    """

    def __init__(self, module: Module, function: Function, effects: Effects, *, at_once: bool = True) -> None:
        """Make the graph of a function; if not ``at_once``, it has no nodes before :meth:`making` has ended."""
        self.module = module
        self.function = function
        self.effects = effects
        self.registers = Registers(function, module.globals)
        self.nodes: list[BasicBlock] = []
        """The pieces of the function in the order of the text; then a node for each table of labels that several
        indirect branches use, between these branches and the labels: edges from each branch to each label would be as
        many as their product. Small tables have none, so that the nearest of several nodes is what a reader expects."""
        self.falls_off: int | None = None
        """The node after which control leaves the body without ``ret`` or ``exit``, if there is one."""
        self.is_whole = is_whole(module, function)
        """Whether all of it could be read; where not, some of its statements are unknown."""
        self._at: dict[tuple[Chunk, int], int] = {}
        self._of_chunks: dict[Chunk, tuple[int, list[int]]] = {}
        """Of each chunk the number of its first node, and the statements at which its nodes begin."""
        self._tables: dict[Place, tuple[int, ...]] = {}
        """The nodes of the labels in a ``.branchtargets``, by the place of the label before it."""
        self._users: dict[Place, list[BasicBlock]] = {}
        """The nodes that branch to one of them."""
        self._numbered = NumberedLabels()
        self._walk: Walk | None = None
        if at_once:
            run_to_completion(self.making())

    # ------------------------------------------------------------------ making it

    def making(self) -> Generator[None, None, None]:
        """Make the nodes and their edges in steps of a few milliseconds; to be called once."""
        if self.function.has_body:
            yield from self._make_nodes()
            yield from self._join()
            self._join_tables()
            for node in self.nodes:
                for number in node.successors:
                    self.nodes[number].predecessors.append(node.number)
                if not node.number % _NODES_IN_A_STEP:
                    yield
            for before, node in pairwise(self.nodes):
                is_only = node.predecessors == [before.number] and before.successors == [node.number]
                if is_only and before.piece.control is Control.ON:
                    node.straight = before.straight
                if not node.number % _NODES_IN_A_STEP:
                    yield

    def _make_nodes(self) -> Iterator[None]:
        for chunk in self.function.chunks:
            segments = iter(self.function.segments[chunk])
            segment = next(segments)
            for piece in self.effects.pieces(chunk):
                while segment.end <= piece.start:
                    segment = next(segments)
                if segment.inside:
                    number = len(self.nodes)
                    self._at[chunk, piece.start] = number
                    self._of_chunks.setdefault(chunk, (number, []))[1].append(piece.start)
                    self.nodes.append(BasicBlock(number, chunk, piece, segment.scope))
            yield

    def _join(self) -> Iterator[None]:
        last = len(self.nodes) - 1
        for node in self.nodes:
            piece = node.piece
            if piece.control is Control.ON or piece.guarded:
                if node.number < last:
                    node.successors.append(node.number + 1)
                else:
                    self.falls_off = last
            if piece.control in (Control.JUMP, Control.TABLE):
                targets = dict.fromkeys(node.successors)
                for label in piece.targets:
                    if piece.control is Control.TABLE:
                        yield from self._reading_table(node, label)
                    targets.update(dict.fromkeys(self._jump(node, label)))
                node.successors = list(targets)
            if not node.number % _NODES_IN_A_STEP:
                yield

    def _join_tables(self) -> None:
        """Join indirect branches with the labels of their tables, or with the nodes of tables that several use."""
        for place, users in self._users.items():
            targets = self._tables[place]
            if len(users) * len(targets) > MOST_EDGES and len(users) > 1:
                table = BasicBlock(len(self.nodes), self.function.chunks[0], _TABLE, self.function.scope)
                table.successors = [*targets]
                self.nodes.append(table)
                targets = (table.number,)
            for node in users:
                node.successors = list(dict.fromkeys((*node.successors, *targets)))

    def _jump(self, node: BasicBlock, name: str) -> Iterator[int]:
        """The targets of a jump to ``name``: the node of a label; those of a list of labels are joined later."""
        symbol = node.scope.lookup(name)
        if symbol is None:
            self.is_whole = False
        elif node.piece.control is Control.TABLE:
            self._users.setdefault(symbol.place, []).append(node)
        elif symbol.kind is SymbolKind.LABEL:
            at = self._at.get((symbol.place.chunk, symbol.place.statement))
            if at is not None:
                yield at
            elif symbol.place.chunk in self.function.segments and self.falls_off is None:
                self.falls_off = node.number  # the label ends the body: control leaves it there

    def _reading_table(self, node: BasicBlock, name: str) -> Iterator[None]:
        """Find the nodes in the list of labels ``name``, in steps."""
        symbol = node.scope.lookup(name)
        if symbol is not None and symbol.place not in self._tables:
            self._tables[symbol.place] = tuple(dict.fromkeys((yield from collected(self._listed(symbol)))))

    def _listed(self, symbol: Symbol) -> Iterator[int]:
        """The nodes of the labels in the ``.branchtargets`` after a label."""
        is_list = symbol.kind is SymbolKind.TARGETS
        place = self.function.after(symbol.place.chunk, symbol.place.statement) if is_list else None
        statement = place.chunk.statement(place.statement) if place is not None else None
        if place is None or statement is None or not isinstance(tree := statement.shape.tree, Targets):
            self.is_whole = False
            return
        scope = self.module.scope_of(place.chunk, place.statement)
        for declarator in entries(statement, tree):
            name = statement.word(declarator.name)
            if declarator.count >= 0:
                count = number_of_labels(statement.word(declarator.count))
                nodes, is_whole = self._numbered.below(scope, name, count, self._node_of)
                self.is_whole &= is_whole
                yield from nodes
                continue
            number = self._node_of(scope, name)
            self.is_whole &= number is not None
            yield from () if number is None else (number,)

    def _node_of(self, scope: Scope, name: str) -> int | None:
        """The node of a label that is visible in a scope."""
        found = scope.lookup(name)
        return self._at.get((found.place.chunk, found.place.statement)) if found is not None else None

    # ------------------------------------------------------------------ asking

    @property
    def has_tables(self) -> bool:
        """Whether some nodes stand for tables of labels."""
        return bool(self.nodes) and self.nodes[-1].is_table

    def ways(self, number: int) -> list[int]:
        """The successors of a node; instead of a table its labels."""
        nodes, found = self.nodes, self.nodes[number].successors
        if not self.has_tables or not any(nodes[one].is_table for one in found):
            return found
        return [way for one in found for way in (nodes[one].successors if nodes[one].is_table else (one,))]

    def node_at(self, chunk: Chunk, index: int) -> BasicBlock | None:
        """The node that holds a statement; None outside of the body and for what is never executed."""
        first, starts = self._of_chunks.get(chunk, _NO_NODES)
        before = bisect_right(starts, index) - 1
        node = self.nodes[first + before] if before >= 0 else None
        return node if node is not None and index < node.piece.end else None

    @once
    def written(self) -> list[dict[str, int]]:
        """Of each node the registers that it writes, with the first such statement."""
        return [self.registers.keys(node.piece.written, node.scope) for node in self.nodes]

    def preparing(self, *, also_reachability: bool = False) -> Iterator[None]:
        """Make :attr:`written`, :attr:`reachable`, perhaps :attr:`reachability`, in steps of a few milliseconds."""
        if "written" not in self.__dict__:
            found = []
            for node in self.nodes:
                found.append(self.registers.keys(node.piece.written, node.scope))
                if not node.number % _NODES_IN_A_STEP:
                    yield
            self.__dict__["written"] = found
        if "reachable" not in self.__dict__:
            self.__dict__["reachable"] = yield from self._finding_reachable()
        if also_reachability and "reachability" not in self.__dict__ and len(self.nodes) > _NODES_IN_A_STEP:
            self.__dict__["reachability"] = yield from Reachability.solving(self._successors)

    @once
    def writers(self) -> dict[str, list[int]]:
        """The nodes that write each register."""
        found: dict[str, list[int]] = {}
        for number, written in enumerate(self.written):
            for register in written:
                found.setdefault(register, []).append(number)
        return found

    @once
    def reachable(self) -> KeysView[int]:
        """The nodes to which control can come from the beginning, in reverse postorder.

        But for jumps back each comes before those that it leads to. The order of the text is another one where a block
        stands below one to which it leads.
        """
        return run_to_completion(self._finding_reachable())

    def _finding_reachable(self) -> Generator[None, None, KeysView[int]]:
        return dict.fromkeys(reversed((yield from self._walking()).left if self.nodes else [])).keys()

    def _walking(self) -> Generator[None, None, Walk]:
        """The walk from the beginning to all nodes to which control can come, in steps; it is kept."""
        if self._walk is None:
            self._walk = yield from Walk.making(0, self._successors)
        return self._walk

    @once
    def dominance(self) -> Dominance:
        """Dominators: nodes that are passed on every path to another."""
        return run_to_completion(self._finding_dominance())

    def preparing_dominance(self) -> Iterator[None]:
        """Make :attr:`dominance` in steps of about a millisecond."""
        if "dominance" not in self.__dict__ and self.nodes:
            self.__dict__["dominance"] = yield from self._finding_dominance()

    def _finding_dominance(self) -> Generator[None, None, Dominance]:
        return (yield from Dominance.solving((yield from self._walking()), self._predecessors))

    @once
    def reachability(self) -> Reachability:
        """The pairs of nodes of which one leads to the other."""
        return Reachability(self._successors)

    def leaves(self, node: BasicBlock) -> bool:
        """Whether control can return from the function after a node; ``trap`` does not return."""
        if node.number == self.falls_off:
            return True
        if node.piece.control is not Control.LEAVE:
            return False
        return SHAPES[node.chunk.shapes[node.piece.end - 1]].opcode[0] != "trap"

    @once
    def postdominance(self) -> Dominance:
        """Postdominators: nodes on every path to a return; the node after all returns has the number ``len(nodes)``.

        Nodes that never return (endless loops, ``trap``) have no part in it.
        """
        nodes = self.nodes
        returning = [node.number for node in nodes if self.leaves(node)]
        end = len(nodes)
        after = [node.successors + [end] * self.leaves(node) for node in nodes]
        return Dominance(end, [*self._predecessors, returning], [*after, []])

    @property
    def _successors(self) -> list[list[int]]:
        return [node.successors for node in self.nodes]

    @property
    def _predecessors(self) -> list[list[int]]:
        return [node.predecessors for node in self.nodes]


class Graphs:
    """The graph of each function, made when it is first asked for."""

    def __init__(self, effects: Effects) -> None:
        self.effects = effects
        self.module = effects.module
        self._graphs: dict[Function, Graph] = {}

    def of(self, function: Function) -> Graph:
        """The graph of a function."""
        return run_to_completion(self.making(function))

    def making(self, function: Function) -> Generator[None, None, Graph]:
        """:meth:`of` a function in steps of a few milliseconds; the graph is the generator's value."""
        if function not in self._graphs:
            found = Graph(self.module, function, self.effects, at_once=False)
            yield from found.making()
            self._graphs.setdefault(function, found)
        return self._graphs[function]

    def has(self, function: Function) -> bool:
        """Whether the graph of a function is made already."""
        return function in self._graphs

    def forget(self, function: Function) -> None:
        """Free the graph of a function, or forget that of one that is gone."""
        self._graphs.pop(function, None)

    def clear(self) -> None:
        """The module declares other things now, or its version or target is another."""
        self._graphs.clear()
