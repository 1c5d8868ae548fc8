"""The flow of values and control takes steps in proportion to a function, in whatever order its blocks stand."""

from __future__ import annotations

import pytest

from benchmarks.steps.counting import steps
from ptx_lsp.analysis.symbolic.arithmetic import result_of
from ptx_lsp.analysis.symbolic.atoms import Atom, AtomKind, Atoms
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.checks.rules.values import partial_warpgroup, register_budget
from ptx_lsp.settings import Settings

from .dataflow import GENERATORS, sums_of_products

SMALL = 6_000
"""Characters; the large text has four times as many."""


@pytest.mark.parametrize("name", GENERATORS)
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


@pytest.mark.parametrize(("rule", "kind"), [(partial_warpgroup, "products of m"), (register_budget, "numbers of reg")])
def test_there_is_a_pause_between_two_threads(rule, kind):
    text = next(generator for name, generator in GENERATORS.items() if name.startswith(kind))(2000)
    semantics = Checker(text, Settings()).semantics
    flow = semantics.flow(next(one for one in semantics.module.functions if one.has_body))
    assert list(rule.check_flow(flow)).count(None) >= 512 // 32
