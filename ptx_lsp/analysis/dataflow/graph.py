"""The control-flow graph of one function.

Source: PTX ISA, "Control Graph Instructions", "Scoping" of names in blocks; a function that is called returns,
an indirect branch goes to any label of its list.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ptx_lsp.analysis.dataflow.basic_blocks import BlockSummary
from ptx_lsp.analysis.dataflow.dominance import Dominance
from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.analysis.dataflow.statement_effects import Effects
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.symbols import Place, Scope, Symbol, SymbolKind
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Targets


@dataclass(slots=True, eq=False)
class BasicBlock:
    """A piece of a function in its graph."""

    number: int
    """Nodes are numbered in the order of the text; 0 is where the function begins."""
    chunk: Chunk
    piece: BlockSummary
    scope: Scope
    successors: list[int] = field(default_factory=list)
    predecessors: list[int] = field(default_factory=list)


class Graph:
    """How control can go through a function, and which registers its pieces read and write.

    Registers are named by strings: a register of the function's outermost block by its own name, one that is
    declared in a block inside by its name, a blank and the number of that block (see :meth:`register`).
    """

    def __init__(self, module: Module, function: Function, effects: Effects) -> None:
        self.module = module
        self.function = function
        self.effects = effects
        self.nodes: list[BasicBlock] = []
        self.falls_off: int | None = None
        """The node behind which control leaves the body without ``ret`` or ``exit``, if there is one."""
        self.is_whole = not function.has_unbalanced_braces and not any(
            module.summaries.broken(chunk) for chunk in function.chunks
        )
        """Whether all of it could be read; where not, some of its statements are unknown."""
        self._at: dict[tuple[Chunk, int], int] = {}
        self._inner: dict[Scope, int] = {}
        self._renamings: dict[Scope, dict[str, str] | None] = {}
        self._tables: dict[Place, tuple[int, ...]] = {}
        """The nodes of the labels in a ``.branchtargets``, by the place of the label before it."""
        if function.has_body:
            self._make_nodes()
            self._join()

    # ------------------------------------------------------------------ making it

    def _make_nodes(self) -> None:
        for chunk in self.function.chunks:
            segments = iter(self.function.segments[chunk])
            segment = next(segments)
            for piece in self.effects.pieces(chunk):
                while segment.end <= piece.start:
                    segment = next(segments)
                if segment.inside:
                    number = len(self.nodes)
                    self._at[chunk, piece.start] = number
                    self.nodes.append(BasicBlock(number, chunk, piece, segment.scope))

    def _join(self) -> None:
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
                    targets.update(dict.fromkeys(self._jump(node, label)))
                node.successors = list(targets)
        for node in self.nodes:
            for number in node.successors:
                self.nodes[number].predecessors.append(node.number)

    def _jump(self, node: BasicBlock, name: str) -> Iterator[int]:
        """Where a jump to ``name`` goes: to the node of a label, or to those of a list of labels."""
        symbol = node.scope.lookup(name)
        if symbol is None:
            self.is_whole = False
        elif node.piece.control is Control.TABLE:
            if symbol.place not in self._tables:
                self._tables[symbol.place] = tuple(self._listed(symbol))
            yield from self._tables[symbol.place]
        elif symbol.kind is SymbolKind.LABEL:
            at = self._at.get((symbol.place.chunk, symbol.place.statement))
            if at is not None:
                yield at
            elif symbol.place.chunk in self.function.segments and self.falls_off is None:
                self.falls_off = node.number  # nothing stands behind the label: control leaves the body there

    def _listed(self, symbol: Symbol) -> Iterator[int]:
        """The nodes of the labels in the ``.branchtargets`` behind a label."""
        chunk, at = symbol.place.chunk, symbol.place.statement + 1
        if at >= len(chunk):
            chunks = self.function.chunks
            following = chunks.index(chunk) + 1
            if following == len(chunks):
                return
            chunk, at = chunks[following], 0
        statement = chunk.statement(at)
        tree = statement.shape.tree
        if not isinstance(tree, Targets):
            self.is_whole = False
            return
        scope = self.module.scope_of(chunk, at)
        for declarator in tree.names:
            name = statement.word(declarator.name)
            names = [name]
            if declarator.count >= 0:
                names = [f"{name}{number}" for number in range(_small(statement.word(declarator.count)))]
            for each in names:
                found = scope.lookup(each)
                number = self._at.get((found.place.chunk, found.place.statement)) if found is not None else None
                if number is not None:
                    yield number
                else:
                    self.is_whole = False

    # ------------------------------------------------------------------ names

    def register(self, name: str, scope: Scope) -> str:
        """The string that stands for what ``name`` means in ``scope``; equal strings, equal registers."""
        if scope is self.function.scope:
            return name
        renaming = self._renaming(scope)
        return name if renaming is None else renaming.get(name) or self._of_group(name, scope)

    def renames(self, scope: Scope) -> bool:
        """Whether some name means another register in ``scope`` than in the function's outermost block."""
        return scope is not self.function.scope and self._renaming(scope) is not None

    def name_in(self, name: str, scope: Scope) -> str:
        """The string for a name (or the prefix of a group) that ``scope`` itself declares."""
        return name if scope is self.function.scope else f"{name} {self._inner.get(scope, 0)}"

    def registers(self, names: dict[str, int], scope: Scope) -> dict[str, int]:
        """The same with the names of registers as strings that stand for them."""
        if not self.renames(scope):
            return names
        return {self.register(name, scope): at for name, at in names.items()}

    def _renaming(self, scope: Scope) -> dict[str, str] | None:
        """The names that blocks inside the function declare, as seen from ``scope``; None if there are none."""
        if scope in self._renamings:
            return self._renamings[scope]
        found: dict[str, str] = {}
        has_groups = False
        for around in scope.chain():
            if around is self.function.scope or around is self.module.globals:
                break
            has_groups |= bool(around.groups)
            number = self._inner.setdefault(around, len(self._inner) + 1)
            for name in around.names:
                found.setdefault(name, f"{name} {number}")
        result = found if found or has_groups else None
        self._renamings[scope] = result
        return result

    def _of_group(self, name: str, scope: Scope) -> str:
        """The string for a name that no single declaration in an inner block declares."""
        for around in scope.chain():
            if around is self.function.scope or around is self.module.globals:
                return name
            if around.own(name) is not None:
                return f"{name} {self._inner[around]}"
        return name

    def declaration(self, register: str, scope: Scope) -> Symbol | None:
        """The declaration of a register of this function as seen from ``scope``; None for anything else.

        Parameters, special registers and registers of the module count as anything else: they hold a value
        when the function begins.
        """
        symbol = scope.lookup(register.partition(" ")[0])
        if symbol is None or symbol.kind is not SymbolKind.REGISTER:
            return None
        chunk, statement, _ = symbol.place
        return symbol if chunk in self.function.segments and self.function.is_inside(chunk, statement) else None

    # ------------------------------------------------------------------ asking

    def node_at(self, chunk: Chunk, index: int) -> BasicBlock | None:
        """The node that holds a statement; None outside of the body and for what is never executed."""
        while index >= 0:
            number = self._at.get((chunk, index))
            if number is not None:
                node = self.nodes[number]
                return node if index <= node.piece.end else None
            index -= 1
        return None

    @cached_property
    def reachable(self) -> frozenset[int]:
        """The nodes to which control can come from the beginning."""
        if not self.nodes:
            return frozenset()
        found = {0}
        waiting = [0]
        while waiting:
            for number in self.nodes[waiting.pop()].successors:
                if number not in found:
                    found.add(number)
                    waiting.append(number)
        return frozenset(found)

    @cached_property
    def dominance(self) -> Dominance:
        """Which nodes must have been passed before another is reached."""
        nodes = self.nodes
        return Dominance(0, [node.successors for node in nodes], [node.predecessors for node in nodes])

    def leaves(self, node: BasicBlock) -> bool:
        """Whether control can return from the function behind a node; ``trap`` does not return."""
        if node.number == self.falls_off:
            return True
        if node.piece.control is not Control.LEAVE:
            return False
        return SHAPES[node.chunk.shapes[node.piece.end - 1]].opcode[0] != "trap"

    @cached_property
    def postdominance(self) -> Dominance:
        """Which nodes must be passed before control returns; the node behind all returns has the number ``len(nodes)``.

        Nodes that never return (endless loops, ``trap``) have no part in it.
        """
        nodes = self.nodes
        returning = [node.number for node in nodes if self.leaves(node)]
        end = len(nodes)
        before = [node.predecessors for node in nodes]
        after = [node.successors + [end] * self.leaves(node) for node in nodes]
        return Dominance(end, [*before, returning], [*after, []])


def _small(word: str) -> int:
    try:
        return min(int(word, 0), 1 << 12)
    except ValueError:
        return 0
