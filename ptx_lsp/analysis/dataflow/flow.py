"""Everything about the flow through one function, each part made when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from ptx_lsp.analysis.dataflow.address_spaces import AddressSpaces
from ptx_lsp.analysis.dataflow.definite_assignment import DefiniteAssignment
from ptx_lsp.analysis.dataflow.divergence import Divergence
from ptx_lsp.analysis.dataflow.graph import Effects, Graph
from ptx_lsp.analysis.dataflow.known_bits_analysis import KnownBitsAnalysis
from ptx_lsp.analysis.dataflow.liveness import Liveness
from ptx_lsp.analysis.dataflow.register_sets import RegisterSets
from ptx_lsp.analysis.dataflow.steps import Steps
from ptx_lsp.analysis.dataflow.uninitialized_reads import UninitializedReads
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.syntax.shape import SHAPES

if TYPE_CHECKING:
    from ptx_lsp.analysis.module.module import Module


class Flow:
    """The flow through a function as it stands; an edit of it, or of what the module declares, makes this void."""

    def __init__(self, module: Module, function: Function, effects: Effects) -> None:
        self.module = module
        self.function = function
        self._effects = effects
        self.generation = module.generation
        """The state of the module's declarations that it was made with."""

    def has(self, opcodes: frozenset[str]) -> bool:
        """Whether some instruction of the function begins with one of these words; costs next to nothing."""
        return not self.opcodes.isdisjoint(opcodes)

    @cached_property
    def opcodes(self) -> frozenset[str]:
        """The first words of all instructions of the function."""
        return frozenset(opcode[0] for opcode in self.full_opcodes)

    @cached_property
    def full_opcodes(self) -> frozenset[tuple[str, ...]]:
        """The opcodes of all instructions of the function with their qualifiers."""
        numbers = set().union(*(chunk.shapes for chunk in self.function.chunks))
        return frozenset(SHAPES[number].opcode for number in numbers if SHAPES[number].opcode)

    def preparing(self) -> Iterator[None]:
        """Make what all else is made of, in steps of a few milliseconds."""
        for chunk in self.function.chunks:
            self._effects.pieces(chunk)
            yield
        for _ in (self.graph, self.sets):
            yield

    @cached_property
    def graph(self) -> Graph:
        """The control-flow graph."""
        return Graph(self.module, self.function, self._effects)

    @cached_property
    def steps(self) -> Steps:
        """The single instructions."""
        return Steps(self.graph)

    @cached_property
    def sets(self) -> RegisterSets:
        """The registers that the nodes read and write."""
        return RegisterSets(self.graph)

    @cached_property
    def liveness(self) -> Liveness:
        """The registers that are still read after each node."""
        return Liveness(self.sets)

    @cached_property
    def assignment(self) -> DefiniteAssignment:
        """The registers that are written before each node."""
        return DefiniteAssignment(self.sets)

    @cached_property
    def values(self) -> KnownBitsAnalysis:
        """Known bits of the registers."""
        return KnownBitsAnalysis(self.steps)

    @cached_property
    def kernel(self) -> Kernel:
        """The function as rules about asynchronous protocols see it."""
        return Kernel(self)

    @cached_property
    def unwritten(self) -> UninitializedReads:
        """Registers that are read before anything wrote them."""
        return UninitializedReads(self.graph, self.steps, self.sets, self.assignment)

    @cached_property
    def addresses(self) -> AddressSpaces:
        """The kinds of addresses in registers."""
        return AddressSpaces(self.graph, self.steps, self.sets)

    @cached_property
    def lanes(self) -> Divergence:
        """The code that only some lanes of a warp execute."""
        return Divergence(self.graph, self.steps, self.sets)
