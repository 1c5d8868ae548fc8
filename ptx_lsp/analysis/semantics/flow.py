"""The analyses of one function, each made when it is first asked for.

Those that only some instructions need are imported then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from ptx_lsp.analysis.dataflow.address_spaces import AddressSpaces
from ptx_lsp.analysis.dataflow.control_flow_graph import Graph, Graphs
from ptx_lsp.analysis.dataflow.definite_assignment import DefiniteAssignment
from ptx_lsp.analysis.dataflow.effects import LEAVING
from ptx_lsp.analysis.dataflow.liveness import Liveness
from ptx_lsp.analysis.dataflow.register_sets import RegisterSets
from ptx_lsp.analysis.dataflow.steps import Steps
from ptx_lsp.analysis.dataflow.uninitialized_reads import UninitializedReads
from ptx_lsp.analysis.descriptors.descriptors import Descriptors
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.derived_values import Deriving, once
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES, Shape

if TYPE_CHECKING:
    from ptx_lsp.analysis.dataflow.divergence import Divergence
    from ptx_lsp.analysis.dataflow.known_bits_analysis import KnownBitsAnalysis
    from ptx_lsp.analysis.descriptors.packed_values import PackedValues
    from ptx_lsp.analysis.structure.loops import Loops
    from ptx_lsp.analysis.symbolic.inductions import Inductions
    from ptx_lsp.analysis.synchronization.async_hazards import KernelHazards
    from ptx_lsp.analysis.synchronization.kernel import Kernel


class Flow(Deriving):
    """The flow through a function as it stands; an edit of it, or of what the module declares, makes this void.

    Args:
        graphs: makes the graph.
        descriptors: finds packed values.
        function: the function.
        flagged: the statements of a chunk that some check may speak about, if they were found already.

    """

    def __init__(
        self,
        graphs: Graphs,
        descriptors: Descriptors,
        function: Function,
        flagged: Callable[[Function, Chunk], list[int] | None],
    ) -> None:
        self.module = graphs.module
        self.function = function
        self._graphs = graphs
        self._descriptors = descriptors
        self._flagged = flagged

    def has(self, opcodes: frozenset[str]) -> bool:
        """Whether some instruction of the function begins with one of these words; a look at its shapes."""
        return not self._mnemonics.isdisjoint(opcodes)

    @once
    def _mnemonics(self) -> frozenset[str]:
        """The first words of all instructions of the function."""
        return frozenset({opcode[0] for opcode in self.full_opcodes})

    @once
    def full_opcodes(self) -> frozenset[tuple[str, ...]]:
        """The opcodes of all instructions of the function with their qualifiers."""
        return frozenset({SHAPES[number].opcode for number in self.shapes} - {()})

    @once
    def shapes(self) -> frozenset[int]:
        """The numbers of the shapes of all statements of its chunks."""
        return frozenset().union(*(chunk.shapes for chunk in self.function.chunks))

    def preparing(self, *, only_graph: bool = False) -> Iterator[None]:
        """Make what all else is made of, in steps of some milliseconds; the graph is enough for values of registers."""
        effects = self._graphs.effects
        for chunk in self.function.chunks:
            yield from effects.preparing(chunk)
        made = self.__dict__  # where a cached property keeps its value
        if "graph" not in made:
            graph = yield from self._graphs.making(self.function)
            made.setdefault("graph", graph)
        if not only_graph and "sets" not in made:
            sets = yield from RegisterSets.making(self.graph)
            made.setdefault("sets", sets)
        yield

    def preparing_expressions(self) -> Iterator[None]:
        """Make the graph and :attr:`expressions`, in steps of some milliseconds."""
        if "expressions" in self.__dict__:
            return
        from ptx_lsp.analysis.structure.loops import Loops

        yield from self.preparing(only_graph=True)
        yield from self.graph.preparing()
        found = yield from Loops.finding(self.graph)
        yield
        _ = self.graph.writers
        self.__dict__.setdefault("expressions", self._expressions(found))
        yield

    @once
    def graph(self) -> Graph:
        """The control-flow graph."""
        return self._graphs.of(self.function)

    @once
    def steps(self) -> Steps:
        """The single instructions."""
        return Steps(self.graph)

    @once
    def sets(self) -> RegisterSets:
        """The registers that the nodes read and write."""
        return RegisterSets(self.graph)

    @once
    def liveness(self) -> Liveness:
        """The registers that are still read after each node."""
        return Liveness(self.sets)

    @once
    def assignment(self) -> DefiniteAssignment:
        """The registers that are written before each node."""
        return DefiniteAssignment(self.sets)

    @once
    def values(self) -> KnownBitsAnalysis:
        """The known bits of registers."""
        from ptx_lsp.analysis.dataflow.known_bits_analysis import KnownBitsAnalysis

        return KnownBitsAnalysis(self.steps)

    @once
    def expressions(self) -> Inductions:
        """The values of registers as expressions."""
        from ptx_lsp.analysis.structure.loops import Loops

        return self._expressions(Loops(self.graph))

    def _expressions(self, loops: Loops) -> Inductions:
        from ptx_lsp.analysis.symbolic.inductions import Inductions
        from ptx_lsp.analysis.symbolic.symbolic_values import SymbolicValues
        from ptx_lsp.analysis.symbolic.value_sources import GraphSources

        sources = GraphSources(self.steps)
        return Inductions(SymbolicValues(sources), sources, loops)

    @once
    def kernel(self) -> Kernel:
        """The function as the protocols of asynchronous instructions see it."""
        from ptx_lsp.analysis.synchronization.kernel import Kernel

        return Kernel(self.steps, self.values, partial(self._flagged, self.function))

    @once
    def asynchronous(self) -> KernelHazards:
        """The asynchronous work of the function, and where it is still in flight."""
        from ptx_lsp.analysis.synchronization.async_hazards import KernelHazards

        return KernelHazards(self.kernel)

    @property
    def packed(self) -> PackedValues:
        """Its descriptors, and what is known of them."""
        return self._descriptors.of(self.function)

    @once
    def unwritten(self) -> UninitializedReads:
        """Registers that are read before anything wrote them."""
        return UninitializedReads(self.graph, self.steps, self.sets, self.assignment)

    @once
    def addresses(self) -> AddressSpaces:
        """The spaces of the addresses in registers."""
        return AddressSpaces(self.graph, self.steps, self.sets)

    @once
    def lanes(self) -> Divergence:
        """The code that only some lanes of a warp execute."""
        from ptx_lsp.analysis.dataflow.divergence import Divergence

        return Divergence(self.graph, self.steps)


_EXECUTED = frozenset({Kind.INSTRUCTION, Kind.BAD})


def has_operands(flow: Flow) -> bool:
    """Whether some instruction of a function names or reads something or has an error; a look at its shapes."""
    return flow.derived(_has_operands)


def _has_operands(flow: Flow) -> bool:
    return any(map(_of_shape, map(SHAPES.__getitem__, flow.shapes)))


def _of_shape(shape: Shape) -> bool:
    return bool(shape.errors or shape.kind in _EXECUTED and (shape.names or shape.constants))


def only_leaves(flow: Flow) -> bool:
    """Whether the only instruction of the body is one without operands that ends the function."""
    return flow.derived(_only_leaves)


def _only_leaves(flow: Flow) -> bool:
    opcodes = [opcode[0] for opcode in flow.full_opcodes]
    if len(opcodes) != 1 or opcodes[0] not in LEAVING or has_operands(flow):
        return False
    return sum(chunk.kinds.count(Kind.INSTRUCTION) for chunk in flow.function.chunks) == 1
