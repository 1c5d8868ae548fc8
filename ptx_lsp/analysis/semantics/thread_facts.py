"""Facts about the single threads of a function: made when they are first asked for, kept with the flow."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

from ptx_lsp.analysis.module.module import is_whole
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.derived_values import once
from ptx_lsp.stepwise import collected, without_pauses
from ptx_lsp.syntax.shape import SHAPES

if TYPE_CHECKING:
    from ptx_lsp.analysis.dataflow.control_flow_graph import BasicBlock
    from ptx_lsp.analysis.dataflow.steps import Step
    from ptx_lsp.analysis.symbolic.address_faults import AddressFault
    from ptx_lsp.analysis.symbolic.inductions import Inductions
    from ptx_lsp.analysis.symbolic.launch_limits import LaunchLimits
    from ptx_lsp.analysis.symbolic.predicates import Predicates
    from ptx_lsp.analysis.symbolic.thread_counts import ThreadCounts
    from ptx_lsp.analysis.symbolic.thread_paths import ThreadPaths

MOST_NODES = 4000
"""Single threads are not followed in functions with more basic blocks."""
_CALL = frozenset({"call"})
_ACCESSES = frozenset({"ld", "st", "atom", "red", "cp", "ldmatrix", "stmatrix", "wmma", "tensormap"})
"""The instructions whose addresses are looked at."""


class ThreadFacts:
    """Facts about the threads of one function; ``flow.derived(ThreadFacts)`` makes them once."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow

    @once
    def predicates(self) -> Predicates:
        """The predicates of jumps and guards."""
        from ptx_lsp.analysis.symbolic.predicates import Predicates

        return Predicates(self._flow.expressions)

    @once
    def limits(self) -> LaunchLimits:
        """The threads that the function is launched with."""
        from ptx_lsp.analysis.symbolic.launch_limits import launch_limits

        return launch_limits(self._flow.function)

    @once
    def obstacle(self) -> str:
        """The reason why nothing is known of the addresses of single threads; empty if there is none."""
        symbol = self._flow.function.symbol
        if symbol is None or symbol.type != ".entry":
            return "a function: its callers decide which threads come to it"
        return f"more than {MOST_NODES} basic blocks" if len(self._flow.graph.nodes) > MOST_NODES else ""

    @once
    def paths(self) -> ThreadPaths | None:
        """The paths of single threads; None if there is an obstacle, or a call, in which they may do anything."""
        return None if self.obstacle or self._flow.has(_CALL) else self._paths(frozenset())

    @once
    def _paths_to_calls(self) -> ThreadPaths | None:
        """The paths of single threads, each at most to its first call; None if there is an obstacle."""
        if self.obstacle or not self._flow.has(_CALL):
            return self.paths
        nodes = self._flow.graph.nodes
        return self._paths(frozenset(node.number for node in nodes if self._calls(node)))

    def _calls(self, node: BasicBlock) -> bool:
        piece = node.piece
        shapes = node.chunk.shapes[piece.start : piece.end]
        return any(SHAPES[number].opcode[:1] == ("call",) for number in shapes)

    def _paths(self, calls: frozenset[int]) -> ThreadPaths:
        from ptx_lsp.analysis.symbolic.thread_paths import ThreadPaths

        return ThreadPaths(self._flow.steps, self.predicates, self._flow.expressions.loops, self.limits, calls)

    @once
    def counts(self) -> ThreadCounts | None:
        """The numbers of threads that come to instructions at most; None if there is an obstacle."""
        from ptx_lsp.analysis.symbolic.thread_counts import ThreadCounts

        if self.paths is None:
            return None
        return ThreadCounts(self._flow.steps, self.paths, self.predicates, self.limits)

    def preparing(self) -> Iterator[None]:
        """Find what :attr:`address_faults` is, in steps of some milliseconds."""
        if "_accesses" not in self.__dict__:
            found = yield from collected(self._finding_accesses())
            self.__dict__.setdefault("_accesses", tuple(found))
        if "address_faults" not in self.__dict__:
            faults = yield from collected(self._finding_faults())
            self.__dict__.setdefault("address_faults", tuple(faults))

    @once
    def _accesses(self) -> tuple[Step, ...]:
        return tuple(without_pauses(self._finding_accesses()))

    def _finding_accesses(self) -> Iterator[Step | None]:
        flow = self._flow
        if flow.has(_ACCESSES) and is_whole(flow.module, flow.function):
            from ptx_lsp.analysis.symbolic.candidate_accesses import CandidateAccesses

            yield from CandidateAccesses(flow.steps, self.limits).all()

    @once
    def are_accesses_cut(self) -> bool:
        """Whether there are more accesses that may be wrong than are looked at."""
        from ptx_lsp.analysis.symbolic.candidate_accesses import CandidateAccesses

        return self._flow.has(_ACCESSES) and CandidateAccesses(self._flow.steps, self.limits).are_cut()

    @once
    def address_faults(self) -> tuple[AddressFault, ...]:
        """The accesses by addresses in registers that are wrong for sure."""
        return tuple(without_pauses(self._finding_faults()))

    def _finding_faults(self) -> Iterator[AddressFault | None]:
        flow, looked_at = self._flow, self._accesses
        if looked_at:
            from ptx_lsp.analysis.symbolic.address_faults import AddressFaults

            yield from AddressFaults(
                flow.steps, looked_at, self.limits, self._making_expressions, lambda: self._paths_to_calls
            ).all()

    def _making_expressions(self) -> Generator[None, None, Inductions]:
        yield from self._flow.preparing_expressions()
        return self._flow.expressions
