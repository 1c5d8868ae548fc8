"""The conditions of rules: a check that a flagged statement is not shown to finds nothing in it."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.checks.engine.concerned import Checks, ConcernedChecks
from ptx_lsp.checks.support.condition import StatementCondition
from tests.load.fuzz import breaks, program

GOLDEN = sorted((Path(__file__).parent.parent / "diagnostics").glob("*.ptx"))


def check_conditions(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail if the findings are others where each check is shown each flagged statement."""
    found = Checker(text).findings()
    with monkeypatch.context() as changed:
        changed.setattr(StatementCondition, "may_hold", lambda *_: True)
        changed.setattr(ConcernedChecks, "choose", _all)
        assert Checker(text).findings() == found


def _all(_: ConcernedChecks, checks: Checks, __: object) -> tuple[Checks, None]:
    return checks, None


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_files(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for snippet in re.split(r"^(?=//-)", path.read_text(), flags=re.MULTILINE)[1:]:
        lines = "\n".join(line for line in snippet.splitlines() if not re.match(r"\s*//", line))
        check_conditions(f".version 8.0\n.target sm_90\n.address_size 64\n.entry k() {{\n{lines}\n}}", monkeypatch)
        check_conditions(f".version 7.0\n.target sm_80\n.address_size 64\n{lines}", monkeypatch)


@pytest.mark.parametrize("seed", range(20))
def test_broken_programs(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    choose = random.Random(seed)
    text = program(choose)
    for span, new in breaks(choose, text):
        text = text[: span.start] + new + text[span.end :]
    check_conditions(text, monkeypatch)


def numbers_of_checks(text: str) -> list[int]:
    """For each flagged statement of a text, how many checks are asked about it."""
    asked: list[int] = []

    def choose(self: ConcernedChecks, checks: Checks, context: object) -> tuple[Checks, object]:
        chosen = original(self, checks, context)  # type: ignore[arg-type]
        asked.append(len(chosen[0]))
        return chosen

    original = ConcernedChecks.choose
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(ConcernedChecks, "choose", choose)
        Checker(text).findings()
    return asked


def test_statements_of_one_shape_are_judged_once() -> None:
    asked = numbers_of_checks(".version 8.0\n.target sm_90\n.entry k() {\n" + "@%q1 bra [END];\n" * 3 + "}")
    assert len(asked) == 3
    assert asked[0] > 20
    assert asked[1:] == [4, 4], "only the checks of names see the other statements"


DECLARED = (
    ".global .u64",
    ".const .u32",
    ".shared .b8",
    ".global .f32",
    ".extern .global .u64",
    ".global .align 8 .u8",
)
VALUES = (
    "{{ {}, {} }}",
    "{{ {} + 4, 1 }}",
    "{{ generic({}), {} }}",
    "{{ 0xFF({}), 300 }}",
    "{}",
    "{{ 1, 2, {} }}",
    "7",
)
NAMES = ("v{}", "f", "k", "missing{}", "%tid", "large", "dynamic")


@pytest.mark.parametrize("seed", range(20))
def test_declarations(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    choose = random.Random(seed)
    names = [name.format(choose.randrange(9)) for name in NAMES]
    lines = [".func f() { ret; }\n.entry k() { ret; }\n.extern .shared .b8 dynamic[];\n.shared .b8 large[90000];\n"]
    for number in range(60):
        size = choose.choice(("", "[2]", "[2]", "[]", "[90000]"))
        value = choose.choice(VALUES).format(choose.choice(names), choose.choice(names))
        name = choose.choice((f"v{number}", f"v{number}", "large", f"v{number // 2}"))
        lines.append(f"{choose.choice(DECLARED)} {name}{size} = {value};\n")
    text = "".join(lines)
    check_conditions(f".version 8.0\n.target sm_90\n.address_size 64\n{text}", monkeypatch)
    check_conditions(f".version 2.0\n.target sm_20\n.entry e() {{\n{text[text.index('.extern') :]}}}\n", monkeypatch)


def test_declarations_that_differ_in_names_are_judged_once() -> None:
    tables = "".join(f".global .u64 t{number}[2] = {{ f{number}, t{number // 2} }};\n" for number in range(1, 4))
    asked = numbers_of_checks(f".version 8.0\n.target sm_90\n.global .u64 t0;\n{tables}")
    assert len(asked) == 3
    assert asked[2] < 4 < asked[1], "only the checks of names see another with equal properties"
