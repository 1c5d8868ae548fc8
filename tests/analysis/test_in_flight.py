"""States of work in flight: ages count commits, waits end what is older, and paths are joined."""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.symbolic.linear_values import LinearValue, Unknowns, constant
from ptx_lsp.analysis.synchronization.async_work import EVERYTHING, Action, Event
from ptx_lsp.analysis.synchronization.in_flight import NOTHING, OLDEST, after_event
from ptx_lsp.analysis.synchronization.path_results import result_of

NOWHERE = Step(0, None, 0, ("nop",), (), (), (), False)  # type: ignore[arg-type]
START, COMMIT = Event(NOWHERE, Action.START, 0), Event(NOWHERE, Action.COMMIT)


def after(*events: Event) -> list[int]:
    """The ages of operation 0 after some events."""
    state = NOTHING
    for event in events:
        state = after_event(state, event, 0)
    return [age for age, mask in enumerate(state) if mask]


def wait(left: int) -> Event:
    """A wait that leaves some groups unfinished."""
    return Event(NOWHERE, Action.WAIT, left)


def test_a_commit_makes_a_group_older():
    assert after(START) == [0]
    assert after(START, COMMIT, COMMIT) == [2]


def test_a_wait_leaves_the_youngest_groups():
    assert after(START, COMMIT, wait(1)) == [1]
    assert after(START, COMMIT, COMMIT, wait(1)) == []


def test_a_wait_for_groups_leaves_what_is_not_committed():
    assert after(START, wait(0)) == [0]
    assert after(START, wait(EVERYTHING)) == []


def test_the_age_is_bounded():
    assert after(START, *[COMMIT] * 50) == [OLDEST]
    assert after(START, *[COMMIT] * 50, wait(40)) == []


def test_an_operation_has_an_age_for_each_round_of_a_loop():
    assert after(START, COMMIT, START, COMMIT, START) == [0, 1, 2]


def test_values_are_sums_of_constants_and_unknown_things():
    unknowns = Unknowns()
    tile = unknowns.value("tile")
    moved = result_of(("add", ".s32"), [tile, constant(16)], unknowns)
    assert moved is not None
    assert moved.distance(tile) == 16
    assert result_of(("mad", ".lo", ".s32"), [constant(3), constant(256), constant(1)], unknowns) == LinearValue(769)
    assert result_of(("ld", ".global", ".b32"), [tile], unknowns) is None


def test_a_comparison_and_its_opposite_are_known_together():
    unknowns = Unknowns()
    one, other = unknowns.value("a"), unknowns.value("b")
    equal = result_of(("setp", ".eq", ".s32"), [one, other], unknowns)
    unequal = result_of(("setp", ".ne", ".s32"), [other, one], unknowns)
    assert equal is not None
    assert unequal is not None
    assert equal.terms[0][0] == unequal.terms[0][0]
    assert (unequal.number, unequal.terms[0][1]) == (1, -1)
