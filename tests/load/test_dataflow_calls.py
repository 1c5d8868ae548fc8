"""The flow of values and control takes steps in proportion to a function, in whatever order its blocks stand."""

from __future__ import annotations

import pytest
from called import calls

from benchmarks.steps.counting import steps
from ptx_lsp.analysis.dataflow import uninitialized_reads
from ptx_lsp.analysis.dataflow.uninitialized_reads import UninitializedReads
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.semantics.thread_facts import ThreadFacts
from ptx_lsp.analysis.symbolic.arithmetic import result_of
from ptx_lsp.analysis.symbolic.atoms import Atom, AtomKind, Atoms
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.checks.rules.dataflow import unpassed_argument
from ptx_lsp.checks.rules.values import partial_warpgroup, register_budget, shared_race
from ptx_lsp.settings import Settings

from .texts import GENERATORS
from .texts.arithmetic import sums_of_products
from .texts.loops import loops_of_threads
from .texts.shapes import body, of_threads

SMALL = 6_000
"""Characters; the large text has four times as many."""
NAMES = (
    "blocks in the reverse order, a value from one way",
    "blocks in the reverse order, each with a value from one way",
    "jumps back to the block before, each with a value",
    "branches that divide warps, and do not nest",
    "branches that divide warps, to places far away",
    "a predicate from two ways, read by branches far away",
    "a predicate that each branch may change",
    "products of matrices under conditions of threads",
    "numbers of registers under conditions of threads",
    "sums of products of sums of products",
    "squares of squares",
    "branches around writes, read far away",
    "loops with more iterations for each thread",
    "one argument stored and passed often",
)
"""Texts of values, and of control that divides warps, that are followed in steps in proportion to the text."""


@pytest.mark.parametrize("name", NAMES)
def test_steps_grow_with_the_function(name):
    def cost(size: int) -> int:
        checker = Checker(GENERATORS[name](size), Settings())
        return steps(lambda: checker.findings(100))

    cost(SMALL // 4)
    assert cost(4 * SMALL) < 5.5 * cost(SMALL)


def test_what_a_value_is_computed_from_is_found_once():
    def cost(size: int) -> int:
        checker = Checker(sums_of_products(size), Settings())
        return steps(lambda: checker.findings(100))

    cost(300)
    assert cost(1800) < 3 * cost(1200)


def test_bounds_of_products_have_so_many_bits():
    atoms = Atoms()
    value = atoms.value(Atom(AtomKind.RESULT, "loaded", 0, (1 << 32) - 1))
    for _ in range(12):
        found = result_of(("mul", ".lo", ".u32"), (value, value), atoms)
        assert found is not None
        value = found
    assert max(map(int.bit_length, atoms.bounds(value))) <= 256


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        (partial_warpgroup, "products of matrices under conditions of threads"),
        (register_budget, "numbers of registers under conditions of threads"),
    ],
)
def test_there_is_a_pause_between_two_threads(rule, name):
    flow = flow_of(GENERATORS[name](2000))
    assert list(rule.check_flow(flow)).count(None) >= 512 // 32


def flow_of(text: str) -> Flow:
    """The flow through the function of a text."""
    semantics = Checker(text, Settings()).semantics
    flow = semantics.flow(next(one for one in semantics.module.functions if one.has_body))
    list(flow.preparing())
    return flow


def test_the_stores_of_an_argument_are_not_compared_with_each_call():
    def cost(size: int) -> int:
        flow = flow_of(GENERATORS["one argument stored and passed often"](size))
        return steps(lambda: list(unpassed_argument.check_flow(flow)))

    cost(1000)
    assert cost(24_000) < 5.5 * cost(6_000)


def test_places_of_accesses_that_differ_by_a_constant_are_found_once():
    def cost(count: int) -> int:
        accesses = "".join(f"st.shared.u8 [%r5+{one}], %r1; " for one in range(count))
        before = f".shared .b8 s[4096]; mov.u32 %r4, s; mov.u32 %r1, %tid.x; mad.lo.u32 %r5, %r1, 8, %r4; {accesses}\n"
        flow = flow_of(of_threads(body(lambda n: "ld.shared.u8 %r2, [%r5];\n", 1, before=before)))
        return steps(lambda: list(shared_race.check_flow(flow)))

    cost(1)
    assert cost(12) - cost(4) < 200_000


def test_the_iterations_of_loops_are_counted_within_a_bound():
    flow = flow_of(loops_of_threads(100))
    assert steps(lambda: flow.derived(ThreadFacts).address_faults) < 1_500_000


def test_barriers_in_a_function_of_very_many_branches_by_thread_are_not_sought():
    text = GENERATORS["numbers of registers under conditions of threads"](120_000)
    checker = Checker(text, Settings())
    assert calls(lambda: checker.findings(100)) < 24 * len(text)


def test_of_very_many_registers_without_a_value_not_all_are_followed(monkeypatch: pytest.MonkeyPatch):
    def unwritten(name: str) -> UninitializedReads:
        semantics = Checker(GENERATORS[name](4000), Settings()).semantics
        return semantics.flow(next(one for one in semantics.module.functions if one.has_body)).unwritten

    name = "blocks in the reverse order, each with a value from one way"
    assert unwritten(name).skipped
    monkeypatch.setattr(uninitialized_reads, "_MOST_FOUND", 10)
    assert not unwritten(name).skipped
