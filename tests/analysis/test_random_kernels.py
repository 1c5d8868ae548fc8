"""Reaching writes, loops and values as expressions of random kernels, compared with slow and simple references."""

from __future__ import annotations

import random

import pytest

from ptx_lsp.analysis.references.register_writes import reaching_writes
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbolic.atoms import Atom, AtomKind
from ptx_lsp.analysis.symbolic.linear_values import LinearValue
from ptx_lsp.analysis.symbolic.value_sources import MergePoint, Write
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.checks.engine.checker import Checker

from .random_kernels import WIDTHS, Inputs, Kernel, execute, inputs, signed

SEEDS = range(200)


class Opened:
    """A kernel with its analyses."""

    def __init__(self, seed: int) -> None:
        self.kernel = Kernel(seed)
        self.checker = Checker(self.kernel.text)
        assert not [one for one in self.checker.diagnostics() if one.code.startswith("E")], self.kernel.text
        self.semantics: Semantics = self.checker.semantics
        self.module = self.semantics.module
        (self.function,) = [one for one in self.module.functions if one.has_body]
        self.flow: Flow = self.semantics.flow(self.function)
        self.contexts: dict[int, StatementContext] = {}
        for chunk in self.function.chunks:
            for index in range(len(chunk)):
                context = StatementContext(self.module, self.function, chunk, index)
                line = self.line_of(context.place)
                if 0 <= line < len(self.kernel.lines):
                    self.contexts[line] = context

    def line_of(self, place: Place) -> int:
        """The line of the kernel in which a statement is."""
        return self.module.positions.line_of(place) - 1 - self.kernel.first

    def first_line(self, node: int) -> int:
        """The line with which a node begins."""
        block = self.flow.graph.nodes[node]
        return self.line_of(Place(block.chunk, block.piece.start, 0))


# ------------------------------------------------------------------ reaching writes


def _reaching(kernel: Kernel) -> list[dict[str, set[int]]]:
    """Of each line the lines whose write of a register may count before it, by iteration until nothing changes."""
    before: list[dict[str, set[int]]] = [{register: set() for register in WIDTHS} for _ in kernel.lines]
    changed = True
    while changed:
        changed = False
        for at in range(len(kernel.lines)):
            after = {register: set(lines) for register, lines in before[at].items()}
            written = kernel.written(at)
            if written in after:
                after[written] = {at} | (after[written] if kernel.lines[at].guard else set())
            for following in kernel.following(at):
                for register, lines in after.items():
                    if not lines <= before[following][register]:
                        before[following][register] |= lines
                        changed = True
    return before


def _reachable(kernel: Kernel, without: int = -1) -> set[int]:
    found, waiting = set(), [0] if without else []
    while waiting:
        at = waiting.pop()
        if at not in found:
            found.add(at)
            waiting += [one for one in kernel.following(at) if one != without]
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_reaching_writes(seed: int) -> None:
    opened = Opened(seed)
    kernel = opened.kernel
    wanted, reachable = _reaching(kernel), _reachable(kernel)
    dead = set(range(len(kernel.lines))) - reachable
    for at, context in opened.contexts.items():
        for register in kernel.read(at) if at in reachable else []:
            found = reaching_writes(opened.semantics, context, register)
            assert found is not None
            lines = [opened.line_of(place) for place in found]
            assert set(lines) - dead == wanted[at][register] - dead, (kernel.lines[at].text, register)
            assert len(lines) == len(set(lines))
            start = opened.module.positions.statement_start
            here = start(context.chunk, context.index)
            distances = [abs(start(place.chunk, place.statement) - here) for place in found]
            assert distances == sorted(distances)


# ------------------------------------------------------------------ loops


@pytest.mark.parametrize("seed", SEEDS)
def test_natural_loops(seed: int) -> None:
    opened = Opened(seed)
    kernel, flow = opened.kernel, opened.flow
    reachable = _reachable(kernel)
    wanted: dict[int, set[int]] = {}
    for header in sorted(reachable):
        others = _reachable(kernel, header)
        latches = [at for at in reachable - others if header in kernel.following(at)]
        if not latches:
            continue
        body, waiting = {header}, list(latches)
        while waiting:
            at = waiting.pop()
            if at not in body:
                body.add(at)
                waiting += [one for one in reachable if at in kernel.following(one)]
        wanted[header] = body
    found = {}
    for loop in flow.expressions.loops.all:
        nodes = [flow.graph.nodes[number] for number in loop.all_nodes()]
        lines = {
            opened.line_of(Place(one.chunk, at, 0)) for one in nodes for at in range(one.piece.start, one.piece.end)
        }
        found[opened.first_line(loop.header)] = lines
        assert all(flow.expressions.loops.contains(loop, one.number) for one in nodes)
        assert loop.depth == sum(opened.first_line(loop.header) in body for body in wanted.values())
    assert found == wanted


# ------------------------------------------------------------------ values


class Thread:
    """What atoms are while a thread executes a kernel."""

    def __init__(self, opened: Opened, given: Inputs) -> None:
        self.opened = opened
        self.given = given
        self.values = opened.flow.expressions.values
        self.results: dict[tuple[int, str], int] = {}
        """What each line left in a register."""
        self.met: dict[tuple[int, str], int] = {}
        """The registers when control came to a line that begins a block."""
        self.iterations: dict[int, int] = {}

    def value(self, value: LinearValue) -> int:
        """A sum as an integer."""
        return value.number + sum(factor * self.atom(self.values.atoms.atom(token)) for token, factor in value.terms)

    def atom(self, atom: Atom) -> int:
        """An atom as an integer, in the interval that it is said to be in."""
        found = self._atom(atom)
        assert atom.least <= found <= atom.most, atom
        return found

    def _atom(self, atom: Atom) -> int:
        given, key = self.given, atom.key
        if atom.kind is AtomKind.SYMBOL:
            return given.smem
        if atom.kind is AtomKind.PARAMETER:
            assert isinstance(key, tuple)
            return given.wide if key[0].name == "kernel_param_0" else given.narrow
        if atom.kind is AtomKind.SPECIAL:
            return given.tid
        if isinstance(key, Write):
            return self.results[self.opened.line_of(Place(key.chunk, key.statement, 0)), key.register]
        if isinstance(key, MergePoint):
            return self.met[self.opened.first_line(key.node), key.register]
        if atom.kind is AtomKind.ITERATION:
            assert isinstance(key, int)
            return self.iterations[key]
        operands = [self.value(one) for one in atom.operands]
        if atom.kind is AtomKind.UNSIGNED:
            return operands[0] % (atom.most + 1)
        if atom.kind is AtomKind.SIGNED:
            return signed(operands[0], atom.most.bit_length() + 1)
        one, other = operands
        return {
            AtomKind.AND: lambda: one & other,
            AtomKind.OR: lambda: one | other,
            AtomKind.XOR: lambda: one ^ other,
            AtomKind.RIGHT: lambda: one >> other,
            AtomKind.SIGNED_RIGHT: lambda: one >> other,
            AtomKind.QUOTIENT: lambda: one // other,
            AtomKind.REMAINDER: lambda: one % other,
            AtomKind.PRODUCT: lambda: one * other,
        }[atom.kind]()


@pytest.mark.parametrize("seed", SEEDS)
def test_values_are_those_that_a_thread_has(seed: int) -> None:
    opened = Opened(seed)
    kernel, expressions = opened.kernel, opened.flow.expressions
    values, graph, loops = expressions.values, opened.flow.graph, opened.flow.expressions.loops
    starts = {opened.first_line(node.number): node.number for node in graph.nodes}
    source = random.Random(seed)
    for _ in range(4):
        thread = Thread(opened, inputs(source))
        node = -1
        trace = list(execute(kernel, thread.given, source))
        for at, (line, held) in enumerate(trace):
            if line in starts:
                before, node = node, starts[line]
                thread.met.update({(line, register): held[register] for register in WIDTHS})
                if (loop := loops.innermost(node)) is not None and loop.header == node:
                    comes_back = before in loop.latches
                    thread.iterations[node] = thread.iterations[node] + 1 if comes_back else 0
            context = opened.contexts[line]
            for register in kernel.read(line):
                width = WIDTHS[register]
                value = values.before(context, register)
                if value is not None:
                    assert thread.value(value) % (1 << width) == held[register], (kernel.lines[line].text, register)
                    resolved = expressions.resolved(value, width)
                    assert thread.value(resolved) % (1 << width) == held[register], (kernel.lines[line].text, register)
            written = kernel.written(line)
            if written in WIDTHS and at + 1 < len(trace):
                after = trace[at + 1].before[written]
                thread.results[line, written] = after
                value = values.after(context, written)
                assert value is not None
                assert thread.value(value) % (1 << WIDTHS[written]) == after, kernel.lines[line].text


def test_most_values_are_known() -> None:
    """Of the registers that are read few are unknown, and many are more than the result of one instruction."""
    known = deeper = count = inductions = 0
    for seed in range(60):
        opened = Opened(seed)
        expressions = opened.flow.expressions
        for at, context in opened.contexts.items():
            for register in opened.kernel.read(at):
                count += 1
                value = expressions.values.before(context, register)
                if value is not None:
                    known += 1
                    value = expressions.resolved(value, WIDTHS[register])
                    kinds = {expressions.values.atoms.atom(token).kind for token, _ in value.terms}
                    deeper += not kinds <= {AtomKind.RESULT, AtomKind.MERGED}
                    inductions += AtomKind.ITERATION in kinds
    assert known > 0.4 * count
    assert deeper > 0.06 * count
    assert inductions > 10
