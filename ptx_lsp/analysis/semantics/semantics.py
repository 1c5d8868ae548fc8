"""Derived facts of a module: what its statements do and which of them are flagged, how control and values flow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_lsp.analysis.dataflow.control_flow_graph import Graphs
from ptx_lsp.analysis.dataflow.module_effects import Effects
from ptx_lsp.analysis.descriptors.descriptors import Descriptors
from ptx_lsp.analysis.module.body_facts import BodyFacts
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module, Update
from ptx_lsp.analysis.semantics.flagged_statements import FlaggedStatements
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.semantics.surroundings import Surroundings
from ptx_lsp.derived_values import Deriving, forgetting
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.document import Change

if TYPE_CHECKING:
    from collections.abc import Generator

    from ptx_lsp.analysis.descriptors.packed_values import PackedValues
    from ptx_lsp.analysis.semantics.function_structure import FunctionStructure
    from ptx_lsp.analysis.synchronization.barrier_objects import BarrierObjects


class Semantics(Deriving):
    """Derived facts of a module: made when they are asked for, and forgotten when an edit makes them void.

    Nothing that it makes refers back to it, so it is freed with its module as soon as no one has it; only what
    packed values hold waits for a collection, since they refer to each other.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.effects = Effects(module)
        self._graphs = Graphs(self.effects)
        self._descriptors = Descriptors(self._graphs)
        self.surroundings = Surroundings(module)
        self._flagged = FlaggedStatements(module, self.surroundings)
        self._flows: dict[Function, Flow] = {}
        self._structures: dict[Function, FunctionStructure] = {}
        self._former: dict[Function, FunctionStructure] = {}
        """The structures that functions had before they were edited."""
        self._barriers: dict[Function, BarrierObjects] = {}

    def updating(self, change: Change) -> Generator[None, None, Update]:
        """Take over an edit of the document, the module included, in steps of a few milliseconds."""
        update = yield from self.module.updating(change)
        self.surroundings.update(update)
        self._flagged.forget(change.removed, update.swallowing)
        for chunk in change.removed:
            self.effects.forget(chunk)
        dependents = self.module.derived(BodyFacts).changed(update)
        for function in (*update.gone, *dependents):
            self.forget_flow(function)
        former = [self._former.pop(function, None) or self._structures.get(function) for function in update.gone]
        if len(former) == len(update.fresh) == 1 and former[0] is not None:
            self._former[update.fresh[0]] = former[0]
        for function in update.gone:
            self._structures.pop(function, None)
            self._barriers.pop(function, None)
        self._descriptors.follow(update.gone)
        users = yield from self._flagged.forgetting_users(update.moved)
        if update.has_groups:
            self._flagged.forget_all()
        if update.is_other_language:
            self._flagged.clear()
            self.effects.clear()
        if update.is_global:
            yield from forgetting(self._flows.values())
            self._flows.clear()
            self._structures.clear()
            self._former.clear()
            self._barriers.clear()
            self._graphs.clear()
            self._descriptors.clear()
        self._flagged.give_back(update.swallowing)
        return update._replace(users=users, dependents=dependents)

    def under(self, version: Version, target: Target) -> Semantics:
        """The semantics under another ``.version`` and ``.target``; not to be kept when the text changes."""
        return Semantics(self.module.under(version, target))

    def flagged(self, function: Function, chunk: Chunk) -> list[int]:
        """The statements of a chunk that some check may speak about."""
        return self._flagged.of(function, chunk)

    def flagging(self, function: Function, chunk: Chunk) -> Generator[None, None, list[int]]:
        """:meth:`flagged` in steps of a few milliseconds."""
        return self._flagged.finding(function, chunk)

    def set_unflagged(self, function: Function, chunk: Chunk) -> None:
        """Take over that no check may speak about any statement of a chunk, as in a function that is alike."""
        self._flagged.set_unflagged(function, chunk)

    def closing(self) -> Generator[None, None, None]:
        """Give up what is derived from the module, in steps of a few milliseconds; nothing else may be asked then."""
        for function in list(self._flows):
            self.forget_flow(function)
            yield
        yield from forgetting([*self.module.document.chunks, *self.module.functions, self.module, self])

    def flow(self, function: Function) -> Flow:
        """The flow of control and values through a function; its parts are made when they are asked for."""
        found = self._flows.get(function)
        if found is None:
            found = self._flows[function] = Flow(self._graphs, self._descriptors, function, self._flagged.known)
        return found

    def fresh_flow(self, function: Function) -> Flow:
        """:meth:`flow` of which nothing was asked yet; its graph is kept.

        Some of its parts answer only so many questions: what they find must not depend on what else was asked.
        """
        self._forget_flow_alone(function)
        return self.flow(function)

    def has_flow(self, function: Function) -> bool:
        """Whether :meth:`flow` of a function, or its graph, is made already."""
        return function in self._flows or self._graphs.has(function)

    def forget_flow(self, function: Function) -> None:
        """Free what :meth:`flow` made of a function; it is made again when it is asked for."""
        self._forget_flow_alone(function)
        self._graphs.forget(function)

    def _forget_flow_alone(self, function: Function) -> None:
        found = self._flows.pop(function, None)
        if found is not None:
            found.forget_derived()

    def structure(self, function: Function) -> FunctionStructure | None:
        """The blocks and loops of a function if :meth:`structuring` found them since its last edit; else None."""
        return self._structures.get(function)

    def structuring(self, function: Function) -> Generator[None, None, FunctionStructure]:
        """Find the blocks and loops of a function in steps of some milliseconds; they are kept until it is edited."""
        found = self._structures.get(function)
        if found is None:
            from ptx_lsp.analysis.semantics.edited_structure import edited_structure
            from ptx_lsp.analysis.semantics.function_structure import structuring

            former = self._former.pop(function, None)
            found = edited_structure(former, self.effects, function) if former is not None else None
            if found is None:
                found = yield from structuring(self.effects, function)
            self._structures[function] = found
        return found

    def barriers(self, function: Function) -> BarrierObjects | None:
        """The barriers of a function if :meth:`finding_barriers` found them since its last edit; else None."""
        return self._barriers.get(function)

    def finding_barriers(self, function: Function) -> Generator[None, None, BarrierObjects]:
        """Find the barriers and the asynchronous work of a function in steps of some milliseconds; they are kept."""
        found = self._barriers.get(function)
        if found is None:
            from ptx_lsp.analysis.synchronization.barrier_objects import BarrierObjects

            flow = self.flow(function)
            yield from flow.preparing()
            found = BarrierObjects(flow.steps, lambda: flow.expressions)
            yield from found.finding()
            self._barriers[function] = found
        return found

    def packed(self, function: Function) -> PackedValues:
        """The descriptors of a function, and what is known of them."""
        return self._descriptors.of(function)
