"""Texts of some kilobytes that once took many seconds: the time grows with the text, not with a power of it."""

from __future__ import annotations

import itertools
import tracemalloc
from collections.abc import Callable

import pytest

from benchmarks.steps.counting import steps
from ptx_lsp.analysis.dataflow.liveness import Liveness
from ptx_lsp.analysis.dataflow.register_sets import RegisterSets
from ptx_lsp.analysis.semantics.flow import Flow, only_leaves
from ptx_lsp.checks.engine.checker import Checker, check_text
from ptx_lsp.settings import Settings
from tests.timed import cpu_seconds

HEADER = ".version 8.0\n.target sm_80\n.address_size 64\n"
NUMBERS = itertools.count()
ONCE_MORE = 8
"""How much larger the large text is."""


def unused_registers(count: int) -> str:
    names = ", ".join(f"a{one}" for one in range(count))
    return f"{HEADER}.entry k() {{\n.reg .b32 {names};\nret;\n}}\n"


def unused_groups(count: int) -> str:
    names = ", ".join(f"g{chr(97 + one % 26)}{one}x<2>" for one in range(count))
    return f"{HEADER}.entry k() {{\n.reg .b32 {names};\nret;\n}}\n"


def unused_labels(count: int) -> str:
    return f"{HEADER}.entry k() {{\n" + "".join(f"L{one}:\n" for one in range(count)) + "ret;\n}\n"


def indirect_branches(count: int) -> str:
    """Every label leads to every other, and each reads a register that another one writes."""
    labels = ", ".join(f"L{one}" for one in range(count))
    body = "".join(
        f"L{one}: add.u32 %q{one}, %q{(one * 7 + 3) % count}, %r1; st.global.u32 [%rd1], %q{one}; brx.idx %r1, T;\n"
        for one in range(count)
    )
    registers = f".reg .b32 %r<4>, %q<{count}>; .reg .b64 %rd<4>;"
    return f"{HEADER}.entry k() {{\n{registers}\nT: .branchtargets {labels};\nmov.u32 %r1, %tid.x;\n{body}}}\n"


def heads(count: int) -> str:
    return HEADER + ".entry " * count


def foreign_qualifiers(count: int) -> str:
    """One statement; each time another, since the answers for opcodes are kept."""
    return f"{HEADER}.entry k() {{\n.reg .b32 %r<4>;\nadd{f'.x{next(NUMBERS)}' * count} %r1, %r2, %r3;\nret;\n}}\n"


def repeated_qualifiers(count: int) -> str:
    words = f".x{next(NUMBERS)}" + ".rn.f32" * count
    return f"{HEADER}.entry k() {{\n.reg .b32 %r<4>;\ncvt{words} %r1, %r2;\nret;\n}}\n"


def seconds(text: str) -> float:
    return cpu_seconds(lambda: check_text(text))


def check_growth(text: Callable[[int], str], small: int) -> None:
    """The time for ``ONCE_MORE`` times as much grows as the text does, three times as much allowed; in one of three."""
    seconds(text(small))
    times = ((seconds(text(small)), seconds(text(small * ONCE_MORE))) for _ in range(3))
    assert any(after < 3 * ONCE_MORE * before + 0.2 for before, after in times)


@pytest.mark.parametrize("text", [unused_registers, unused_groups, unused_labels], ids=lambda one: one.__name__)
def test_unused_declarations(text: Callable[[int], str]) -> None:
    check_growth(text, 250)


def nested_branches(count: int) -> str:
    """Branches around each other, each with a barrier that only some lanes come to."""
    begin = "".join(f"@%p1 bra L{one};\nbar.sync 0;\n" for one in range(count))
    end = "".join(f"L{one}:\nst.shared.u32 [%r1], %r1;\n" for one in reversed(range(count)))
    head = ".reg .b32 %r<3>; .reg .pred %p<2>;\nmov.u32 %r1, %tid.x;\nsetp.ne.u32 %p1, %r1, 0;\n"
    return f"{HEADER}.entry k() {{\n{head}{begin}{end}ret;\n}}\n"


def branches_by_one_table(count: int) -> str:
    """Every label leads to every other, without registers that have to be followed."""
    labels = ", ".join(f"L{one}" for one in range(count))
    body = "".join(f"L{one}: add.u32 %r1, %r1, 1; brx.idx %r1, T;\n" for one in range(count))
    return f"{HEADER}.entry k() {{\n.reg .b32 %r<4>;\nT: .branchtargets {labels};\nmov.u32 %r1, %tid.x;\n{body}}}\n"


def wait_loops(count: int) -> str:
    """Loops that wait for one mbarrier, each followed by a copy that counts on it."""
    head = ".reg .b32 %r<3>; .reg .b64 %rd<2>; .reg .pred %p<2>; .shared .align 8 .b64 m;\nmov.u32 %r1, m;\n"
    body = "".join(
        f"L{one}: mbarrier.try_wait.parity.shared.b64 %p1, [%r1], 0; @!%p1 bra L{one};\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1+16], [%rd1], 16, [%r1];\n"
        for one in range(count)
    )
    parameter = ".param .u64 p"
    load = "ld.param.u64 %rd1, [p];\nmbarrier.init.shared.b64 [%r1], 1;\n"
    header = HEADER.replace("sm_80", "sm_90")
    return f"{header}.entry k({parameter}) {{\n{head}{load}{body}ret;\n}}\n"


def jumps_back(count: int) -> str:
    """Loops that begin far before they end, one in the other and across each other."""
    body = "".join(f"L{one}_{count}: add.u32 %r1, %r1, 1; @%p1 bra L{one // 2}_{count};\n" for one in range(count))
    return f"{HEADER}.entry k() {{\n.reg .b32 %r<3>; .reg .pred %p<2>;\n{body}ret;\n}}\n"


def declared_groups(count: int) -> str:
    """Groups of registers in one block, with uses of other ones between them."""
    body = "".join(f".reg .b32 g{chr(97 + one % 26)}{one}x{count}y<3>; mov.b32 %r1, 1;\n" for one in range(count))
    return f"{HEADER}.entry k() {{\n.reg .b32 %r<3>;\n{body}ret;\n}}\n"


def groups_of_blocks(count: int) -> str:
    """Blocks each of which declares registers of the same names, and uses one of them."""
    blocks = "".join(f"{{ .reg .pred %q<2>; setp.lt.s32 %q1, %r1, {one}; }}\n" for one in range(count))
    return f"{HEADER}.entry k() {{\n.reg .b32 %r<4>;\nmov.u32 %r1, %tid.x;\n{blocks}ret;\n}}\n"


@pytest.mark.parametrize(
    "text",
    [
        nested_branches,
        indirect_branches,
        branches_by_one_table,
        wait_loops,
        jumps_back,
        declared_groups,
        groups_of_blocks,
    ],
    ids=lambda one: one.__name__,
)
def test_steps_grow_with_the_text(text: Callable[[int], str]) -> None:
    check_text(text(140))  # imports count once, and tables that grow
    once, twice, four_times = (steps(lambda count=count: check_text(text(count))) for count in (150, 300, 600))
    assert four_times - twice <= 2.2 * (twice - once)


def test_heads() -> None:
    check_growth(heads, 1000)


@pytest.mark.parametrize("text", [foreign_qualifiers, repeated_qualifiers], ids=lambda one: one.__name__)
def test_qualifiers_of_one_statement(text: Callable[[int], str]) -> None:
    check_growth(text, 125)
    assert seconds(text(1000)) < 3


def body(statement: Callable[[int], str], count: int) -> str:
    """A statement for each number; every time other numbers, since the answers for statements are kept."""
    statements = "".join(f"{statement(next(NUMBERS))}\n" for _ in range(count))
    return f"{HEADER}.entry k() {{\n.reg .b32 %r<4>;\n{statements}ret;\n}}\n"


@pytest.mark.parametrize(
    "statement",
    [
        lambda number: f"L{number}: add.u32 %r1, %r1, 1;",
        lambda number: f"opcode{number}.u32 %r1, %r1;",
        lambda number: f"add.word{number}.u32 %r1, %r1, 1;",
        lambda number: f"add.u32 %r1, %r1, name{number}x;",
        lambda number: f".directive{number} 3;",
        lambda number: f"word{number} %r1 $ 3;",
    ],
    ids=["labels", "opcodes", "qualifiers", "names", "directives", "broken"],
)
def test_a_finding_in_each_statement(statement: Callable[[int], str]) -> None:
    """Those that are neither shown nor counted cost no more than to read their statements."""

    def checking(count: int) -> int:
        text = body(statement, count)
        return steps(lambda: Checker(text, Settings(max_diagnostics=500)).findings(500))

    checking(10)
    made = checking(200) - checking(50)
    left_out = checking(775) - checking(625)
    assert left_out <= 0.8 * made


def unclosed(count: int) -> str:
    return HEADER + "".join(f".entry k{one}() {{\n" for one in range(count))


def test_braces_that_are_not_closed() -> None:
    check_growth(unclosed, 200)


@pytest.mark.parametrize(
    ("piece", "most"),
    [
        (lambda number: ".func same() { ret; }", 250),
        (lambda number: f".entry e{number}() {{ bra e{number}; }}", 250),
        (lambda number: ".global .u32 again;", 150),
        (lambda number: f".func c{number}() {{ /* }}\n*/", 550),
    ],
    ids=["defined-again", "an-error-in-each-body", "declared-again", "not-closed"],
)
def test_what_stands_after_all_that_is_counted(piece: Callable[[int], str], most: int) -> None:
    """It is not examined and not followed: what is left are the checks of the module, which look at all functions."""

    def finding(count: int) -> int:
        checker = Checker(
            HEADER + "".join(f"{piece(number)}\n" for number in range(count)), Settings(max_diagnostics=10)
        )
        return steps(lambda: checker.findings(10))

    finding(300)
    assert finding(1_200) - finding(700) <= 500 * most


def undeclared_arguments(count: int) -> str:
    return f"{HEADER}.entry k() {{\ncall f, ({', '.join(f'%x{one}' for one in range(count))}"


def test_sets_of_many_registers() -> None:
    """Each register is a bit of the sets: what is kept of all must not be as large as a set for each register."""

    def kept(count: int) -> int:
        checker = Checker(undeclared_arguments(count), Settings())
        flow = checker.semantics.flow(checker.module.functions[-1])
        for _ in flow.preparing(only_graph=True):
            pass
        tracemalloc.start()
        sets = RegisterSets(flow.graph)
        assert len(sets.names) >= count
        assert set(sets.among(sets.mask(sets.names[:5]), sets.names)) == {*sets.names[:5]}
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    assert kept(16_000) < 2.5 * kept(8_000)


def test_the_nearest_form_is_sought_only_for_what_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a statement fits a form is known without it, and the flow needs no more."""
    from ptx_lsp.isa.diagnosis import reasons

    sought = []
    nearest = reasons.nearest
    monkeypatch.setattr(reasons, "nearest", lambda *given: sought.append(given) or nearest(*given))
    types = [f".{kind}{size}" for kind in "busf" for size in (8, 16, 32, 64, 128)]
    lines = [f"cvt.rn.sat{one}{other} %r1, %r2;" for one in types for other in types]
    text = f"{HEADER}.entry k() {{\n.reg .b32 %r<4>;\n" + "\n".join(lines * 3) + "\nret;\n}\n"
    found = Checker(text, Settings(max_diagnostics=1)).findings(1)
    assert found.is_minimum
    assert 0 < len(sought) < 300 < len(lines)


def test_no_graph_is_made_for_errors_that_the_text_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind as many errors as are counted only errors are sought, and the rule for those needs no graph here."""
    made = []
    monkeypatch.setattr(Flow, "preparing", lambda *_, **__: made.append(1) or iter(()))
    text = f"{HEADER}.entry k() {{\n.reg .b64 %rd<4>;\n" + "ld.global.f0 %rd1, [%rd1];\n" * 300 + "ret;\n}\n"
    assert Checker(text, Settings(max_diagnostics=1)).findings(1).is_minimum
    assert not made


def test_functions_without_operands_are_shown_to_few_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most rules about the flow are about operands, and that such a body is reached and left is seen in its text."""
    made = []
    liveness = Liveness.__init__
    monkeypatch.setattr(Liveness, "__init__", lambda *given: made.append(1) or liveness(*given))
    text = HEADER + "".join(f".func f{n}(.reg .b32 a) {{ ret; }}\n.func g{n}() {{ membar.gl; }}\n" for n in range(9))
    checker = Checker(text)
    assert [one.code for one in checker.findings(99).shown] == ["W623", "W625"] * 9
    assert not made
    assert [only_leaves(checker.semantics.flow(one)) for one in checker.module.functions[1:3]] == [True, False]
