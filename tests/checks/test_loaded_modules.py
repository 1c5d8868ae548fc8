"""What a check of an ordinary text loads: nothing that only other instructions, or faulty statements, need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

_PROGRAM = """
import sys
from ptx_lsp.checks.engine.checker import check_text
check_text(sys.stdin.read())
print(*sys.modules)
"""
_PLAIN = """\
.version 8.0
.target sm_90a
.address_size 64
.global .align 4 .b8 table[4] = {1, 2, 3, 4};
.visible .entry kernel(.param .u64 address)
{
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [address];
    cvta.to.global.u64 %rd2, %rd1;
    ld.global.u32 %r1, [%rd2];
    setp.eq.s32 %p1, %r1, 0;
    @%p1 bra $done;
    add.s32 %r2, %r1, 1;
    st.global.u32 [%rd2], %r2;
    bar.sync 0;
$done:
    ret;
}
"""
_UNNEEDED = (
    "logging",
    "pickle",
    "fractions",
    "dataclasses",
    "ptx_lsp.layouts",
    "ptx_lsp.analysis.descriptors.packed_values",
    "ptx_lsp.analysis.symbolic.address_faults",
    "ptx_lsp.analysis.symbolic.symbolic_values",
    "ptx_lsp.analysis.synchronization.kernel",
    "ptx_lsp.checks.rules.descriptors",
    "ptx_lsp.checks.rules.instructions",
    "ptx_lsp.checks.rules.synchronization",
)


def loaded(text: str) -> set[str]:
    """The modules that a new process has loaded when it has checked a text."""
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM], cwd=root, input=text, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.fixture(scope="module")
def plain() -> set[str]:
    return loaded(_PLAIN)


@pytest.mark.parametrize("module", _UNNEEDED)
def test_a_plain_text_loads_only_what_it_needs(plain: set[str], module: str) -> None:
    if "lark" in plain:
        pytest.skip("pages changed since `python -m ptx_lsp.isa.build`: they are read anew, which loads more")
    assert module not in plain


@pytest.mark.parametrize(
    ("before", "after", "rule"),
    [
        ("    ret;", "    cp.async.wait_all;\n    ret;", "synchronization.uncommitted_copy"),
        ("    ret;", "    wgmma.fence.sync.aligned;\n    ret;", "descriptors.illegal_field"),
        ("bar.sync 0;", "bar.arrive 1, 64;", "barriers.barrier_count"),
        ("ld.global.u32", "ld.global.nc.u32", "values.stale_load"),
        ("setp.eq.s32", "setp.wrong.s32", "instructions.unknown_qualifier"),
    ],
)
def test_a_rule_is_loaded_for_what_it_is_about(plain: set[str], before: str, after: str, rule: str) -> None:
    name = f"ptx_lsp.checks.rules.{rule}"
    assert name not in plain
    assert name in loaded(_PLAIN.replace(before, after))
