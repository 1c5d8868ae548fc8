"""What checks of hostile synchronization cost: calls, whose number does not vary with the machine."""

from __future__ import annotations

import pytest
from called import calls

from ptx_lsp.analysis.structure.step_matches import StepMatches
from ptx_lsp.analysis.synchronization.barrier_addresses import BarrierAddresses
from ptx_lsp.analysis.synchronization.meeting_accesses import Meeting
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.settings import Settings

from .texts import GENERATORS
from .texts.shapes import HEADER

NAMES = (
    "relaxed arrivals after tensor loads, and waits",
    "results of waits, copied and never read",
    "results of waits that nothing reads, and other waits",
    "mbarriers initialized before relaxed arrivals at the cluster",
    "mbarriers of this CTA, stages of others, relaxed arrivals",
    "mbarriers initialized by one thread, used by many at unknown places",
    "mbarriers initialized by one thread, each used by all",
    "loads of tensor memory by all warps",
    "waits for earlier grids in a branch, accesses in another",
    "pending counts of states that branches copy",
    "copies of many sources, stores elsewhere",
    "tensor maps made in shared memory, stores, copies",
    "stores to another CTA, each in a block",
    "waits before copies that are never committed",
    "mbarriers, each awaited in a block of its own",
    "mbarriers that are ended and made again",
    "mbarriers of one variable, and loads from it",
    "waits and arrivals of one loop with a constant parity",
    "arrivals at one mbarrier, then waits for it",
    "products of one loop, and the last before it",
    "loads of tensor memory that nothing reads",
    "allocations of all columns after deallocations",
)
"""Texts of mbarriers, copies and tensor memory, whose operations are compared with each other."""
SIZE = 12_000
MOST = 2.8
"""The most by which the calls may grow if the text has twice the length."""

_SHARED_KERNEL = HEADER + (
    ".visible .entry k(.param .u64 p)\n{{\n.reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
    ".shared .align 16 .b8 b[1024]; .shared .align 8 .b64 c;\nld.param.u64 %rd1, [p];\n{}ret;\n}}\n"
)


def cost(text: str) -> int:
    """The calls of a check."""
    checker = Checker(text, Settings())
    return calls(lambda: checker.findings(100))


@pytest.mark.parametrize("name", NAMES)
def test_calls_grow_with_the_text(name: str) -> None:
    generator = GENERATORS[name]
    cost(generator(SIZE // 4))
    assert cost(generator(2 * SIZE)) < MOST * cost(generator(SIZE))


def counted(monkeypatch: pytest.MonkeyPatch, owner: type, name: str, text: str) -> int:
    """How often a check calls a method of a class."""
    made = getattr(owner, name)
    count = 0

    def counting(*given: object, **named: object) -> object:
        nonlocal count
        count += 1
        return made(*given, **named)

    monkeypatch.setattr(owner, name, counting)
    Checker(text, Settings()).findings(100)
    return count


def test_mbarriers_of_this_cta_are_not_sought_in_others(monkeypatch: pytest.MonkeyPatch) -> None:
    text = GENERATORS["mbarriers initialized before relaxed arrivals at the cluster"](SIZE)
    assert counted(monkeypatch, BarrierAddresses, "of", text) == 0


def test_of_accesses_that_are_alike_one_is_compared_with_each_operation(monkeypatch: pytest.MonkeyPatch) -> None:
    text = _SHARED_KERNEL.format(
        "".join(f"cp.async.bulk.global.shared::cta.bulk_group [%rd1], [b+{16 * n}], 16;\n" for n in range(20))
        + "st.shared.u32 [c], %r1;\n" * 30
        + "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n"
    )
    assert counted(monkeypatch, Meeting, "may_meet", text) == 20


def test_instructions_that_name_the_same_are_matched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def names_looked_up(count: int) -> int:
        with monkeypatch.context() as patched:
            text = _SHARED_KERNEL.format("mbarrier.arrive.shared.b64 _, [c];\n" * count)
            return counted(patched, StepMatches, "_has_all_names", text)

    assert names_looked_up(40) == names_looked_up(20) > 0
