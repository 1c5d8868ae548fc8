"""A text that is checked in shards has the findings of the text that is checked as a whole.

A random case prints its seed; ``pytest tests/checks/test_shards.py -k "seed-17"`` replays it.
"""

from __future__ import annotations

import lzma
import random
import re
from itertools import pairwise
from pathlib import Path

import annotated
import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.checks.engine.finding_limit import Selection
from ptx_lsp.checks.engine.flow_checks import FlowChecks
from ptx_lsp.checks.engine.shard_findings import merged, shard_findings
from ptx_lsp.diagnostic import Severity
from ptx_lsp.settings import Settings
from ptx_lsp.syntax.documents import shards
from ptx_lsp.syntax.documents.shards import divide

from .test_incremental import DEBUG_PIECES, PIECES, STRUCTURE

TESTS = Path(__file__).parent.parent
HEADER = ".version 8.0\n.target sm_90\n.address_size 64\n"


@pytest.fixture(autouse=True)
def _unequal_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divide texts of two functions too, of which one is much longer."""
    monkeypatch.setattr(shards, "_MOST_IN_ONE", 1)


def in_shards(text: str, count: int, settings: Settings) -> Selection | None:
    """The findings from shards; None if the text cannot be divided, or not be checked so."""
    division = divide(text, count)
    if division is None:
        return None
    found = [shard_findings(division, number, settings) for number in range(len(division.runs))]
    return merged(division, found, settings)


def check_shards(*parts: str, codes: str = "", settings: Settings = Settings()) -> None:  # noqa: B008 - immutable
    """Fail unless 2 to 5 shards of a module find what the whole has, among it findings with these codes."""
    text = HEADER + "".join(parts)
    whole = Checker(text, settings).findings(settings.max_diagnostics)
    assert set(codes.split()) <= {one.code for one in whole.shown}
    for count in range(2, 6):
        assert in_shards(text, count, settings) == whole


def check_whole(*parts: str) -> None:
    """Fail unless a module is checked as a whole, because its shards could find something else."""
    assert in_shards(HEADER + "".join(parts), 2, Settings()) is None


def function(head: str, *statements: str) -> str:
    lines = "".join(f"    {one}\n" for one in statements)
    return f"{head}\n{{\n    .reg .b32 %r<4>;\n    mov.u32 %r1, %tid.x;\n{lines}    ret;\n}}\n"


FIRST = function(".visible .entry first()", "st.shared.u32 [%r1], %r1;")
SECOND = function(".visible .entry second()", "st.shared.u32 [%r1], %r1;")
THIRD = function(".visible .entry third()", "st.shared.u32 [%r1], %r1;")
CALLEE = function(".func (.reg .b32 result) twice(.reg .b32 value)", "add.s32 result, value, %r1;")


def test_statements_and_flow() -> None:
    wrong = ("add.s33 %r2, %r1, %r1;", "add.s32 %r2, %r3, %r1;", "ld.u32.shared %r2, [%r1];")
    check_shards(*(function(f".entry k{number}()", *wrong) for number in range(6)), codes="E302 W620")


def test_a_function_of_another_shard_is_called() -> None:
    right, short = "call (%r2), twice, (%r1);", "call (%r2), twice, (%r1, %r1);"
    check_shards(CALLEE, FIRST, function(".entry k()", right, short), codes="E408")
    check_shards(function(".entry k()", right), CALLEE, codes="E204")


def test_a_function_of_another_shard_may_take_part_in_asynchronous_work() -> None:
    tile = ".shared .align 16 .b8 tile[16];", ".reg .b64 %rd<2>;", "mov.u64 %rd1, 0;"
    copy = "cp.async.ca.shared.global [tile], [%rd1], 16;", "cp.async.commit_group;"
    kernel = function(".entry k()", *tile, *copy, "call (%r2), twice, (%r1);", "ld.shared.u32 %r3, [tile];")
    check_whole(CALLEE, FIRST, kernel)
    check_shards(FIRST, function(".entry k()", *tile, *copy, "ld.shared.u32 %r3, [tile];"), codes="W801")


def test_small_device_functions_are_in_every_shard() -> None:
    tile = ".shared .align 16 .b8 tile[16];", ".reg .b64 %rd<2>;", "mov.u64 %rd1, 0;"
    copy = "cp.async.ca.shared.global [tile], [%rd1], 16;", "cp.async.commit_group;"
    wrong = *tile, *copy, "call (%r2), twice, (%r1);", "ld.shared.u32 %r3, [tile];", *["add.s32 %r2, %r3, %r1;"] * 20
    section = ".section .debug_str\n{\n.b8 0\n}\n"
    kernels = [function(f".entry k{number}()", *wrong) for number in range(6)]
    check_shards(CALLEE, section, *kernels, codes="W801")
    check_shards(*kernels[:3], CALLEE.replace("add.s32", "add.s33"), section, *kernels[3:], codes="E302 W801")
    check_shards(CALLEE, *kernels, function(".func unused()", "add.s32 %q1, %r1, %r1;"), codes="E201 W801")


def test_names_like_those_of_another_shard_are_suggested() -> None:
    check_shards(CALLEE, FIRST, function(".entry k()", "call (%r2), twise, (%r1);"), codes="E201")


def test_a_name_is_declared_in_two_shards() -> None:
    check_shards(CALLEE, FIRST, CALLEE, ".global .u32 first;\n", SECOND, codes="E202")
    check_shards(".func half(.reg .b32 v);\n", FIRST, function(".func half(.reg .u32 v)"), codes="E206")
    check_shards(".extern .global .b32 t[8];\n", FIRST, ".visible .global .b64 t[8];\n", SECOND, codes="E418")
    check_shards(".extern .global .b32 t[8];\n", FIRST, ".global .b32 t[8];\n", SECOND, codes="E416")


def test_a_name_is_unused_if_no_shard_uses_it() -> None:
    unused = ".shared .b32 pool[4];\n"
    use = function(".entry k()", "ld.shared.u32 %r2, [pool];", "st.shared.u32 [pool], %r2;")
    check_shards(unused, CALLEE, FIRST, SECOND, codes="W623")
    check_shards(unused, FIRST, use, SECOND)
    check_shards(unused, use, FIRST, SECOND)
    check_shards(FIRST, unused, SECOND, ".global .u64 all[1] = {twice};\n", CALLEE, codes="W623")


def test_functions_without_a_body() -> None:
    check_shards(".func missing();\n", FIRST, ".extern .func elsewhere();\n", SECOND, codes="E208")
    check_shards(
        ".visible .func other();\n", FIRST, function(".weak .func real()"), ".alias other, real;\n", codes="E207"
    )


def test_source_lines() -> None:
    place, inlined = ".loc 1 10 5", ".loc 1 3 9, function_name n, inlined_at 1 10 5"
    check_shards(FIRST, function(".entry k()", place, inlined), function(".entry l()", place), codes="W606")
    check_shards(FIRST, function(".entry k()", place, inlined), '.file 1 "a.cu"\n', SECOND, '.file 1 "b.cu"\n')
    check_whole('.file 1 "a.cu"\n', function(".entry k()", place), function(".entry l()", inlined))


def test_debug_sections() -> None:
    section = "\t.section .debug_str\n\t{\nname:\n.b8 1, 256\n.b32 name\n\t}\n\t.section .debug_loc\t{\t}\n"
    check_shards(FIRST, SECOND, section, codes="E111")
    check_shards(section, FIRST, section, SECOND, section)


def test_variables_outside_of_functions() -> None:
    large = (".const .b8 table[40000];\n", ".const .b8 weights[40000];\n")
    check_shards(FIRST, large[0], SECOND, large[1], THIRD, codes="E428")
    check_shards(FIRST, ".global .u32 x;\n.param .b64 size;\n", SECOND, codes="E411")
    check_shards(FIRST, ".global .b32 x[2] = {1, 2, 3};\n", SECOND, codes="E415")


def test_the_header() -> None:
    new = function(".entry k()", "setmaxnreg.inc.sync.aligned.u32 232;")
    text = ".version 7.0\n.target sm_80, debug\n.address_size 48\n" + FIRST + new + SECOND
    whole = Checker(text).findings(1000)
    assert {"E109", "E501", "E502", "E507"} <= {one.code for one in whole.shown}
    assert any(fix.title.startswith("write '.version") for one in whole.shown for fix in one.fixes)
    assert in_shards(text, 3, Settings()) == whole


def test_generated_code() -> None:
    hints = ("ld.u32.shared %r2, [%r1];", "ld.u32.shared %r2, [%r1];")
    text = "//\n// Generated by LLVM NVPTX Back-End\n//\n\n" + HEADER + FIRST
    text += "".join(function(f".entry k{number}()", *hints) for number in range(4))
    whole = Checker(text).findings(1000)
    assert any("more in this function" in one.message for one in whole.shown)
    assert in_shards(text, 4, Settings()) == whole


@pytest.mark.parametrize("limit", [1, 2, 5, 12, 100])
def test_the_most_severe_findings_are_shown(limit: int) -> None:
    kernels = [
        function(
            f".entry k{number}()", *["ld.u32.shared %r2, [%r1];"] * number, *["add.s33 %r2, %r1, 1;"] * (9 - number)
        )
        for number in range(9)
    ]
    check_shards(*kernels, ".func lost();\n", settings=Settings(max_diagnostics=limit))


def test_the_flow_through_functions_after_many_errors_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = [function(f".entry k{number}()", *["add.s33 %r2, %r1, 1;"] * 100) for number in range(20)]
    text = HEADER + "".join(kernels)
    followed = []
    original = FlowChecks.finding
    monkeypatch.setattr(FlowChecks, "finding", lambda *of: followed.append(of[1]) or original(*of))
    assert in_shards(text, 2, Settings(max_diagnostics=20)) is not None
    assert len(followed) < 8


def test_settings() -> None:
    parts = (".func missing();\n", CALLEE, FIRST, function(".entry k()", "add.s32 %q1, %r1, %r3;"), SECOND)
    check_shards(*parts, settings=Settings(select=("W6", "E2")))
    check_shards(
        *parts, settings=Settings(severity=(("E201", Severity.HINT), ("W623", Severity.ERROR)), max_diagnostics=2)
    )
    check_shards(*parts, settings=Settings(target="sm_50", ptx_version="7.0"))


def test_a_lower_header_depends_on_all_functions() -> None:
    asks = Settings(select=("I702",))
    assert in_shards(HEADER + FIRST + SECOND, 2, asks) is None
    needs = function(".entry k()", "setmaxnreg.inc.sync.aligned.u32 232;")
    text = HEADER.replace("sm_90", "sm_90a") + needs + needs.replace("k()", "l()")
    assert in_shards(text, 2, asks) == Checker(text, asks).findings(1000)


@pytest.mark.parametrize(
    "part",
    [
        "/* a comment\n*/\n",
        "// a comment with /*\n",
        "// ptx-lsp: ignore[E201]\n",
        ".nv_intermediate_source_section\n{\n.source_begin\n{\n.source_end\n}\n",
    ],
)
def test_what_can_hide_braces_is_not_divided(part: str) -> None:
    check_whole(FIRST, part, SECOND)


@pytest.mark.parametrize(
    "body",
    [
        "{",
        "}",
        "}\n.entry inner()\n{",
        "}\n.global .u32 late;",
        "{\n.section .debug_str\n}",
        ".func inner();\ncall inner;",
        ".target sm_100",
        '.file 1 "a.cu"',
        '.file "a.cu',
        ".alias first, second;",
    ],
)
def test_a_body_that_concerns_the_rest_of_the_module(body: str) -> None:
    check_whole(FIRST, function(".entry k()", body), SECOND)


def test_a_value_over_several_lines_is_no_body() -> None:
    check_whole(FIRST, ".global .b32 x[] =\n{\n1, 2\n}\n;\n", SECOND)


def test_one_function_is_not_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    check_whole(FIRST)
    monkeypatch.undo()
    check_whole(FIRST, function(".entry k()", *["add.s32 %r2, %r1, 1;"] * 100))


def snippets() -> list[str]:
    """The snippets of all golden files."""
    texts = [path.read_text() for path in sorted((TESTS / "diagnostics").glob("*.ptx"))]
    return [annotated.read(one).text for text in texts for one in re.split(r"^(?=//-)", text, flags=re.MULTILINE)[1:]]


def without_header(text: str) -> str:
    return re.sub(r"(?m)^[ \t]*\.(?:version|target|address_size)\b.*\n", "", text)


def test_golden_snippets() -> None:
    """Some of them, each with a kernel before and after it."""
    divided = 0
    for snippet in snippets()[::8]:
        text = without_header(snippet)
        text = snippet[: len(snippet) - len(text)] + FIRST + text + "\n" + SECOND
        found = in_shards(text, 3, Settings())
        if found is not None:
            divided += 1
            assert found == Checker(text).findings(1000), text
    assert divided > 20


def test_compiled_files() -> None:
    paths = sorted((TESTS.parent / "benchmarks" / "corpus").glob("*.ptx.xz"))
    texts = [lzma.decompress(path.read_bytes()).decode() for path in paths[:: len(paths) // 8]]
    for one, other in pairwise(text for text in texts if len(text) < 150_000):
        text = one + without_header(other)
        found = in_shards(text, 3, Settings())
        assert found is not None
        assert found == Checker(text).findings(1000)


def check_mutants(seed: int, count: int) -> None:
    """Fail if the shards of a broken module find something else; most are divided in spite of what is broken."""
    choice = random.Random(seed)
    parts = [FIRST, CALLEE, function(".entry k()", "call (%r2), twice, (%r1);", "mov.u32 %r3, counter;"), SECOND]
    parts += [".global .u32 counter;\n", ".section .debug_str\n{\nname:\n.b8 1\n}\n", ".func missing();\n"]
    for _ in range(count):
        lines = (HEADER + "".join(choice.choices(parts, k=8))).splitlines(keepends=True)
        for _ in range(choice.randrange(4)):
            at = choice.randrange(len(lines))
            if choice.random() < 0.3:
                del lines[at]
            else:
                lines.insert(at, choice.choice((*PIECES, *STRUCTURE, *DEBUG_PIECES, lines[at])))
        text, limit = "".join(lines), choice.choice((1, 3, 10, 1000))
        settings = Settings(max_diagnostics=limit)
        found = in_shards(text, choice.randrange(2, 9), settings)
        assert found is None or found == Checker(text, settings).findings(limit), text


@pytest.mark.parametrize("seed", range(4), ids=lambda seed: f"seed-{seed}")
def test_mutants(seed: int) -> None:
    check_mutants(seed, 25)
