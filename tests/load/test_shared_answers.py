"""Answers of the analyses of the flow that many statements, threads or warps share are found once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ptx_lsp.analysis.dataflow.definitions import Definitions
from ptx_lsp.analysis.dataflow.registers import Registers
from ptx_lsp.analysis.descriptors import faults
from ptx_lsp.analysis.statements import accesses
from ptx_lsp.analysis.symbolic import trip_counts
from ptx_lsp.analysis.symbolic.address_faults import AddressFaults
from ptx_lsp.analysis.synchronization.followed_threads import FollowedThreads
from ptx_lsp.analysis.synchronization.path_values import PathValues
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.checks.rules.tensor_memory import unshifted_matrix
from ptx_lsp.checks.rules.values import shared_race
from ptx_lsp.settings import Settings

from .texts import GENERATORS
from .texts.shapes import HEADER

SIZE = 20_000
Counting = Callable[[Any, str], list[int]]


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Counting:
    """Makes a list that grows with each call of a function of an object."""

    def counted(owner: Any, name: str) -> list[int]:
        calls: list[int] = []
        function = getattr(owner, name)

        def called(*arguments: Any, **named: Any) -> Any:
            calls.append(1)
            return function(*arguments, **named)

        monkeypatch.setattr(owner, name, called)
        return calls

    return counted


def check(text: str) -> list[str]:
    """The codes of what is found."""
    return [one.code for one in Checker(text, Settings()).findings(100).shown]


def generated(name: str) -> str:
    """The hostile text with a name."""
    return GENERATORS[name](SIZE)


def guarded_barriers(count: int, comparison: str) -> str:
    """Functions with a barrier that some threads jump over."""
    return HEADER + "".join(
        f".func b{n}() {{ .reg .pred %p; .reg .b32 %t; mov.u32 %t, %tid.x; setp.{comparison} %p, %t, {1 + 32 * n};\n"
        "@%p bra L; bar.sync 0; L: ret; }\n"
        for n in range(count)
    )


def test_warps_that_take_all_branches_alike_are_followed_once(counting: Counting) -> None:
    followed = counting(FollowedThreads, "_deciding")
    count = 12
    assert "W626" in check(guarded_barriers(count, "lt.u32"))
    assert len(followed) <= 3 * count


@pytest.mark.parametrize("comparison", ["lt.u32", "ge.u32", "eq.u32", "ne.u32"])
def test_a_comparison_with_more_than_a_row_of_threads_divides_no_warp(counting: Counting, comparison: str) -> None:
    followed = counting(FollowedThreads, "following")
    text = guarded_barriers(1, comparison)
    for number, is_found in ((1023, True), (1025, False), (70_001, False)):
        del followed[:]
        check(text.replace("%t, 1;", f"%t, {number};"))
        assert bool(followed) == is_found


def test_iterations_are_not_compared_one_by_one_for_each_thread(counting: Counting) -> None:
    text = generated("loops with more iterations for each thread")
    series = counting(trip_counts, "PredicateSeries")
    check(text)
    assert not series


def test_accesses_that_differ_by_a_constant_are_looked_at_once(counting: Counting) -> None:
    text = generated("races in loops, of lanes")
    found = counting(AddressFaults, "_object")
    check(text)
    assert len(found) <= text.count(".entry")


def test_the_addresses_of_equal_instructions_are_read_once(counting: Counting) -> None:
    text = generated("races in loops, of lanes")
    check(text)
    found = counting(accesses, "_found_extents")
    check(text)
    assert len(found) < text.count("shared.u32") // 10


def test_accesses_of_blocks_without_barriers_are_compared_by_their_blocks(counting: Counting) -> None:
    text = generated("races in loops, under an unknown condition")
    asked = counting(shared_race._Ways, "_orders")
    check(text)
    assert len(asked) < 40 * text.count(".entry")


def test_equal_operands_of_products_are_read_once(counting: Counting) -> None:
    text = generated("products of one loop, and the last before it")
    read = counting(faults, "read_operand")
    check(text)
    assert 0 < len(read) < 20


def test_nothing_is_searched_for_a_register_that_nothing_writes(counting: Counting) -> None:
    searched = counting(Definitions, "nearest")
    evaluated = counting(PathValues, "operand_at")
    made = counting(unshifted_matrix, "_maker")
    text = generated("products of one loop, and the last before it").replace("ld.param.u64 %rd1, [p];", "")
    check(text)
    assert not searched
    assert not made
    assert len(evaluated) < 2 * text.count(".mma.")


def test_the_registers_of_a_block_are_not_searched_around_it(counting: Counting) -> None:
    text = generated("blocks side by side with the same labels and names")
    searched = counting(Registers, "_innermost")
    check(text)
    assert len(searched) < 4 * text.count("A: ")
