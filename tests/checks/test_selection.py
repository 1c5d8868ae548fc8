"""Which findings are shown when a file has more than ``max-diagnostics``: errors first, filters before the limit."""

from __future__ import annotations

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.checks.engine.finding_limit import Selection
from ptx_lsp.diagnostic import Severity
from ptx_lsp.settings import Settings

HINT = "mov.b32 %r1, %r1;\n"  # H905
WARNING = "shl.b32 %r3, %r1, 99;\n"  # W611
ERROR = "add.s33 %r3, %r1, %r2;\n"  # E302


def kernel(*statements: str) -> str:
    lines = "".join(statements)
    return f".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{{\n.reg .b32 %r<9>;\n{lines}}}\n"


def found(text: str, limit: int, **settings: object) -> Selection:
    return Checker(text, Settings(max_diagnostics=limit, **settings)).findings(limit)


def codes(selection: Selection) -> list[str]:
    return [one.code for one in selection.shown]


def test_an_error_after_many_hints_is_shown() -> None:
    selection = found(kernel(HINT * 1_001, ERROR), 1_000)
    assert codes(selection)[-1] == "E302"
    assert len(selection.shown) == 1_000


def test_what_is_left_out_is_counted_by_severity() -> None:
    selection = found(kernel(HINT * 70, WARNING * 60, ERROR * 150), 100, select=("H905", "W611", "E302"))
    assert codes(selection) == ["E302"] * 100
    assert selection.omitted == {Severity.ERROR: 50, Severity.WARNING: 60, Severity.HINT: 70}


def test_warnings_fill_what_errors_leave() -> None:
    selection = found(kernel(HINT * 50, WARNING * 3, ERROR * 4, HINT), 10, select=("H905", "W611", "E302"))
    assert codes(selection) == ["H905"] * 3 + ["W611"] * 3 + ["E302"] * 4
    assert selection.omitted == {Severity.HINT: 48}
    assert selection.first_omitted.code == "H905"


@pytest.mark.parametrize("settings", [{"select": ("E",)}, {"ignore": ("H905", "W", "I")}], ids=["select", "ignore"])
def test_filters_come_before_the_limit(settings: dict[str, tuple[str, ...]]) -> None:
    selection = found(kernel(HINT * 3_000, ERROR), 10, **settings)
    assert codes(selection) == ["E302"]
    assert not selection.omitted


def test_the_severity_of_the_settings_counts() -> None:
    selection = found(kernel(ERROR * 30, WARNING), 5, severity=(("W611", Severity.ERROR), ("E302", Severity.HINT)))
    assert "W611" in codes(selection)


def test_an_error_after_mistakes_that_settings_make_hints_is_shown() -> None:
    undeclared = "".join(f"add.s32 {name}1, 1, 2;\n" for name in "abc")
    text = kernel(undeclared) + f".func f() {{ .reg .b32 %r<9>; {ERROR * 2} }}\n"
    selection = found(text, 5, severity=(("E201", Severity.HINT),), select=("E",))
    assert codes(selection) == ["E201"] * 3 + ["E302"] * 2


def test_silenced_findings_take_no_room() -> None:
    text = kernel("// ptx-lsp: ignore-file[H905]\n", HINT * 300, ERROR)
    selection = found(text, 5, select=("H905", "E302"))
    assert (codes(selection), dict(selection.omitted)) == (["E302"], {})


def test_a_mistake_that_is_reported_once_counts_once() -> None:
    selection = found(kernel("add.s32 %q1, %q1, %q2;\n" * 300, ERROR * 2), 2, select=("E",))
    assert codes(selection) == ["E201", "E302"]
    assert selection.omitted == {Severity.ERROR: 1}


def test_everything_is_there_without_a_limit() -> None:
    checker = Checker(kernel(HINT * 300, ERROR), Settings(max_diagnostics=5))
    assert len(checker.findings(5).shown) == 5
    assert codes(checker.findings()).count("H905") == 300


def test_in_an_editor_the_rest_follows_later() -> None:
    checker = Checker(kernel(*[HINT * 1_001 + ERROR] * 5), Settings(max_diagnostics=10))
    assert not checker.is_followed
    early = checker.findings(10, at_once=False)
    assert sum(early.omitted.values()) < 1_001, "only a part is examined while the user waits"
    for _ in checker.follow():
        pass
    assert codes(checker.findings(10, at_once=False)).count("E302") == 5
    assert checker.findings(10, at_once=False) == checker.findings(10)


def test_the_order_in_the_text_counts_in_a_statement_too() -> None:
    store = "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [a], b, [c];\n"
    text = kernel(store, ".reg .b32 a, b, c;\n")
    assert codes(found(text, 5)) == ["E501", "E502", "E204", "E204", "E204"]
    assert codes(found(text, 1)) == ["E501"]
