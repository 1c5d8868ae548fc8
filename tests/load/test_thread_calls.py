"""What is known of single threads takes steps in proportion to a function, not times its threads."""

from __future__ import annotations

import random

import pytest

from benchmarks.steps.counting import steps
from ptx_lsp.analysis.dataflow.paths import Reachability
from ptx_lsp.analysis.semantics.thread_facts import ThreadFacts
from ptx_lsp.analysis.symbolic.predicates import Predicates
from ptx_lsp.analysis.symbolic.thread_paths import ThreadPaths
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.settings import Settings

from .test_dataflow_calls import flow_of
from .texts import GENERATORS
from .texts.shapes import body, of_threads

SMALL = 5_000
ARRIVALS = ("arrivals of the first threads", "arrivals of single lanes")
RACES = (
    "races in loops, under an unknown condition",
    "races in loops, of the first threads",
    "races in loops, of lanes",
)


def cost(text: str) -> int:
    checker = Checker(text, Settings())
    return steps(lambda: checker.findings(100))


@pytest.mark.parametrize("name", [*ARRIVALS, *RACES])
def test_steps_grow_with_the_function(name):
    cost(GENERATORS[name](SMALL // 4))
    assert cost(GENERATORS[name](4 * SMALL)) < 5.5 * cost(GENERATORS[name](SMALL))


@pytest.mark.parametrize("name", ARRIVALS)
def test_a_guard_is_evaluated_for_all_threads_at_once(monkeypatch, name):
    calls = []
    holds = Predicates.holds
    monkeypatch.setattr(Predicates, "holds", lambda *rest: calls.append(1) or holds(*rest))
    text = GENERATORS[name](SMALL)
    Checker(text, Settings()).findings(100)
    assert len(calls) < 16 * text.count("@%p1")


@pytest.mark.parametrize("name", RACES)
def test_threads_are_followed_once_to_all_accesses_of_a_block(monkeypatch, name):
    calls = []
    for asked in ("executes", "numbers"):
        answer = getattr(ThreadPaths, asked)
        monkeypatch.setattr(ThreadPaths, asked, lambda *rest, answer=answer: calls.append(1) or answer(*rest))
    text = GENERATORS[name](SMALL)
    Checker(text, Settings()).findings(100)
    assert len(calls) < 40 * text.count(".entry")


_COMPARED = ("eq", "ne", "lt", "le", "gt", "ge")
_VALUES = (
    "add.{t} %r2, %r1, {n};",
    "mul.lo.{t} %r2, %r1, {n};",
    "sub.{t} %r2, {n}, %r1;",
    "and.b32 %r2, %r1, {n};",
    "shr.{t} %r2, %r1, 5;",
    "add.{t} %r2, %r1, %r5;",
    "and.b32 %r2, %r5, 7; mad.lo.{t} %r2, %r1, 4, %r2;",
    "mul.lo.{t} %r2, %r1, %r5;",
    "xor.b32 %r2, %r1, {n};",
    "mov.u32 %r2, %laneid;",
)


@pytest.mark.parametrize("seed", range(8))
def test_it_is_the_same_as_for_each_thread(seed):
    draw = random.Random(seed)

    def piece(n: int) -> str:
        kind = draw.choice(["u32", "s32"])
        number = draw.choice([draw.randrange(-40, 1100), draw.randrange(-(1 << 31), 1 << 31)])
        value = draw.choice(_VALUES).format(t=kind, n=number)
        limit = draw.choice([0, 1, draw.randrange(-40, 1100), number])
        second = draw.choice(["and.pred %p1, %p1, %p2;", "or.pred %p1, %p1, %p2;", "not.pred %p1, %p1;", ""])
        compared = f"setp.{draw.choice(_COMPARED)}.{kind} %p1, %r2, {limit};"
        no = draw.choice(["", "!"])
        return f"{value} {compared} setp.lt.u32 %p2, %r1, {n * 9}; {second} @{no}%p1 st.global.u32 [%rd1], {n};\n"

    text = of_threads(body(piece, 3000, before="mov.u32 %r1, %tid.x; ld.global.u32 %r5, [%rd1];\n"), 1024)
    flow = flow_of(text)
    paths = flow.derived(ThreadFacts).paths
    assert paths is not None
    guarded = [step for step in flow.steps.of(0) if step.guarded]
    assert len(guarded) > 20
    for step in guarded:
        found = paths.admitted(step)
        for thread in range(0, 1024, 31):
            alone = paths.for_one(step, thread)
            bits = found.holds >> thread & 1, found.fails >> thread & 1, found.is_open >> thread & 1
            assert bits in ([(0, 0, 1), (0, 0, 0)] if alone is None else [(int(alone), int(not alone), 0), (0, 0, 1)])


def test_a_start_is_searched_once_and_then_looked_up():
    count = 400
    left = [[number + 1] for number in range(1, count)] + [[]]
    right = [[number + 1] for number in range(count + 1, 2 * count)] + [[]]
    reachability = Reachability([[1, count + 1], *left, *right])

    def cost() -> int:
        return steps(lambda: [reachability.leads(count + 1, number) for number in range(1, count)])

    assert cost() < 60 * count
    assert not any(reachability.leads(count + 1, number) for number in range(1, count + 1))
    assert all(reachability.leads(0, number) for number in range(1, 2 * count))


def test_there_is_a_pause_after_each_access():
    def piece(n: int) -> str:
        return f"mad.lo.u32 %r5, %r1, {n + 4}, %r4; st.shared.u32 [%r5], %r1;\n"

    text = body(piece, 2000, before=".shared .align 4 .b8 s[64]; mov.u32 %r4, s; mov.u32 %r1, %tid.x;\n")
    facts = flow_of(of_threads(text, 1024)).derived(ThreadFacts)
    assert len(list(facts.preparing())) >= 20
    assert len(facts.address_faults) >= 20
