"""What is asked again of long hostile files takes few steps: its facts are kept with what was read."""

from __future__ import annotations

import pytest
from called import calls

from ptx_lsp.analysis.dataflow.known_bits_analysis import KnownBitsAnalysis
from ptx_lsp.analysis.statements.operand_advice import may_be_unlikely
from ptx_lsp.analysis.synchronization.async_paths import AsyncPaths, Verdict
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.settings import Settings
from ptx_lsp.syntax.statement import Statement

from .texts import GENERATORS
from .texts.barriers import PIECES
from .texts.calls import table_of_all_functions
from .texts.constants import STATEMENTS
from .texts.mbarriers import rings_of_stages
from .texts.shapes import body, module

TARGETS = 1000


def test_another_header_does_not_read_each_target_again():
    text = body(lambda n: f".target sm_{n:04}z\n", TARGETS * 16)
    module = Checker(text, Settings()).semantics.module
    assert calls(lambda: module.under(module.version, module.target)) < 2 * TARGETS


def test_the_advice_of_an_opcode_is_looked_up_once():
    statement = Statement("setp.lt.s32 %q1, %r1, 17;")
    may_be_unlikely(statement.shape, statement.text)
    assert calls(lambda: may_be_unlikely(statement.shape, statement.text)) < 20


def test_calls_through_a_table_are_not_compared_with_each_function():
    def cost(count: int) -> int:
        checker = Checker(table_of_all_functions(count * 50), Settings())
        return calls(lambda: checker.findings(100))

    cost(10)
    assert cost(400) < 2.5 * cost(200)


def test_the_guard_of_a_jump_is_read_once_for_all_warps():
    text = module(PIECES["functions with barriers, called under conditions"], 4000)
    text = text.replace("%tid.x; setp.lt.u32 %p, %t, ", "%tid.x; setp.lt.u32 %p, %t, 99")  # each warp takes the jump
    Checker(text, Settings()).findings(100)
    checker = Checker(text, Settings())
    assert calls(lambda: checker.findings(100)) / text.count(".func") < 5000


def test_all_barriers_after_a_branch_are_sought_in_one_walk():
    def cost(count: int) -> int:
        barriers = "".join(f"@%p2 bra L{number}; bar.sync 0;\nL{number}:\n" for number in range(count))
        dividing = "mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; mov.u32 %r2, %ctaid.x; setp.ne.u32 %p2, %r2, 0;\n"
        checker = Checker(body(lambda n: "END:\n", 1, before=f"{dividing}@%p1 bra END;\n{barriers}"), Settings())
        return calls(lambda: checker.findings(100))

    cost(10)
    assert cost(200) < 2.5 * cost(100)


def test_a_path_does_not_pass_all_commits_of_a_long_node():
    text = body(lambda n: "cp.async.ca.shared.global [%r1], [%rd1], 16; cp.async.commit_group;\n", 80_000)
    semantics = Checker(text, Settings()).semantics
    flow = semantics.flow(next(one for one in semantics.module.functions if one.has_body))
    work = flow.asynchronous.of("copies").work
    assert not any(work.sorting())
    paths = AsyncPaths(flow.graph, flow.kernel.path_values.branches, work)

    def follow() -> None:
        assert paths.follow(work.operations[0], lambda _: [], lambda _: Verdict.PASS) is None

    follow()
    assert calls(follow) < len(work.operations)


def test_what_is_asked_of_mbarriers_grows_with_the_text():
    small, large = (Checker(rings_of_stages(size), Settings()) for size in (30_000, 120_000))
    assert calls(lambda: list(large.follow())) < 6 * calls(lambda: list(small.follow()))


def test_a_constant_expression_is_evaluated_once_and_the_type_of_its_place_is_kept():
    text = body(STATEMENTS["shifts of constants by large numbers"], 50_000)
    Checker(text[:3000], Settings()).findings(100)
    checker = Checker(text, Settings())
    assert calls(lambda: checker.findings(100)) < 10 * len(text)


def test_those_that_depend_on_a_value_are_asked_again_once(monkeypatch: pytest.MonkeyPatch):
    text = GENERATORS["warps of many roles, each of which awaits the one before"](20_000)
    asked: list[int] = []
    leave = KnownBitsAnalysis._leave

    def counting(*args) -> object:
        users = leave(*args)
        asked.append(len(users))
        return users

    monkeypatch.setattr(KnownBitsAnalysis, "_leave", counting)
    Checker(text, Settings()).findings(100)
    assert sum(asked) < 2 * text.count("ROLE") / 3


@pytest.mark.parametrize(
    "line",
    [
        "getctarank.shared::cluster.u32 %r3, %rd4;",
        "add.s32 %r4, %r4, 1; add.s32 %r5, %r5, 2; @%p bra X{}; mov.u32 %r3, %r4; bra Y{}; X{}: mov.u32 %r3, %r5; Y{}:",
    ],
    ids=["not followed", "different on two paths"],
)
def test_the_values_of_a_chain_are_not_looked_for_from_its_start_for_each_question(line: str):
    def cost(count: int) -> int:
        use = "mapa.shared::cluster.u64 %rd4, %rd2, %r3;\n"
        lines = "".join(f"{line.replace('{}', str(number))} {use}" for number in range(count))
        text = (
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n"
            ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p; .shared .b8 s[64];\n"
            "mov.u64 %rd2, s; mov.u32 %r3, %cluster_ctarank; setp.eq.u32 %p, %r3, 0; mov.u32 %r4, 0; mov.u32 %r5, 0;\n"
            f"{lines}ret;\n}}\n"
        )
        return calls(lambda: Checker(text, Settings()).findings(100_000))

    cost(300)
    assert cost(900) < 4 * cost(300)
