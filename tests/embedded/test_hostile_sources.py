"""Whatever a source holds: nothing raises, all places are in the text, and the time is linear."""

from __future__ import annotations

import random

import pytest

from ptx_lsp.checks.embedded.host_checker import HostChecker, HostText
from ptx_lsp.hosts.find import find_sites
from ptx_lsp.settings import Settings
from tests.timed import cpu_seconds

_SOURCE = r"""
__device__ void f(int d, int a, float x) {
  // ptx-lsp: target sm_90a
  asm volatile("{ .reg .pred %%p; setp.ne.b32 %%p, %1, %2;\n\t"  // first
               "@%%p bra L%=; ld.shared.b32 %0, [%1+%2]; L%=: }" : "=r"(d) : "r"(a), "n"(4) : "memory");
  asm(R"(add.f32 %0, %1, %%laneid;)" : "+f"(x) : "f"(x));
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(x), "+f"(x), "+f"(x), "+f"(x) : "r"(a), "r"(a), "r"(a), "r"(a), "r"(a), "r"(a));
}
"""
_RUST = r"""
#[cfg(target_arch = "nvptx64")] // ptx-lsp: target sm_90a
unsafe fn f(mut d: u32, a: u32, b: u64) {
    asm!("{{ .reg .pred p; setp.ne.b32 p, {a}, {};", /* one */ "@p bra L; ld.global.b32 {d}, [{b}]; L: }}", const 4,
         a = in(reg32) a, b = in(reg64) b, d = inout(reg32) d, options(nostack));
    asm!(r#"mov.b32 {0}, %laneid;"#, out(reg32) d);
    core::arch::asm!(concat!("add.s32 {0}, ", "{0}, 1", ";"), inout(reg32) d => _);
}
"""
_MOJO = """
from sys import is_nvidia_gpu
fn f(a: UInt32) -> UInt32:
    inlined_assembly["{ .reg .pred p; setp.ne.b32 p, $0, $1;"  # ptx-lsp: target sm_90a
        " @p st.shared.b32 [$0], $1; }", NoneType, constraints="r,n,~{memory}"](a, 4)
    return inlined_assembly[kind + ".b32 $0, $1;", UInt32, constraints="=r,r", has_side_effect=False](a)
"""
_MLIR = """
func.func @f(%a : i32, %p : !llvm.ptr<3>) { // ptx-lsp: target sm_90a
  %c = arith.constant 4 : i32
  nvvm.inline_ptx "{ .reg .pred p; setp.ne.b32 p, {$r0}, {$r1}; @p st.shared.b32 [$2], $0; }"
    ro (%a, %c, %p : i32, i32, !llvm.ptr<3>), predicate = %q
  %0 = nvvm.inline_ptx "add.s32 {$w0}, {$rw0}, %2;" rw (%a : i32) ro (%c : i32) -> i32
}
"""
_SOURCES = {"cuda-cpp": _SOURCE, "rust": _RUST, "mojo": _MOJO, "mlir": _MLIR}
_BITS = [
    '"',
    "%",
    "%%",
    "%9",
    "%r1",
    "%[",
    "{",
    "}",
    ";",
    ":",
    "\\",
    "\n",
    "(",
    ")",
    "asm(",
    "/*",
    "*/",
    "//",
    "$",
    "é",
    "\0",
    "n",
    "<",
    "=r",
]


def check_places(text: str, host: str = "cuda-cpp") -> None:
    """Fail if a check raises (conftest.py), or if a place is not in the text."""
    checker = HostChecker(HostText(text, host), find_sites(text, host), Settings())
    for one in checker.findings():
        spans = [one.span, *(related.span for related in one.related)]
        spans += [edit.span for fix in one.fixes for edit in fix.edits]
        assert all(0 <= span.start <= span.end <= len(text) for span in spans), one
        assert "hole_" not in one.message, one


@pytest.mark.parametrize("host", _SOURCES)
@pytest.mark.parametrize("seed", range(60))
def test_random_changes(seed: int, host: str) -> None:
    chance = random.Random(seed)
    text = _SOURCES[host]
    for _ in range(chance.randrange(1, 8)):
        start = chance.randrange(len(text))
        end = min(len(text), start + chance.choice((0, 0, 1, 3, 30)))
        text = text[:start] + chance.choice([*_BITS, ""]) + text[end:]
    check_places(text, host)


@pytest.mark.parametrize(
    ("host", "length"), [(host, length) for host, text in _SOURCES.items() for length in range(0, len(text), 17)]
)
def test_cut_off(host: str, length: int) -> None:
    check_places(_SOURCES[host][:length], host)


def seconds(text: str, host: str = "cuda-cpp") -> float:
    """The processor time for a source."""
    return cpu_seconds(lambda: check_places(text, host))


@pytest.mark.parametrize("part", ["add.s32 {x}, {x}, 1; ", "{} ", "{{ ", "{x", "$0 ", "%", "\\n", "\\", "/* ", '", "'])
@pytest.mark.parametrize(
    ("host", "call"),
    [
        ("rust", 'unsafe {{ asm!("{}", x = inout(reg32) x); }}'),
        ("mojo", 'is_nvidia_gpu(); inlined_assembly["{}", UInt32, constraints="=r,r"](x)'),
        ("mlir", 'nvvm.inline_ptx "{}" ro (%x : i32) -> i32'),
    ],
    ids=["rust", "mojo", "mlir"],
)
def test_the_time_for_a_long_template_is_linear(host: str, call: str, part: str) -> None:
    """Eight times the text takes far less than 64 times as long."""
    short, long = (part * (length // len(part)) for length in (1500, 12_000))
    seconds(call.format(short), host)  # tables are read, and shapes parsed
    once = seconds(call.format(" " + short), host)  # another text: the verdict on the first one is known
    assert seconds(call.format(long), host) < 24 * once + 0.3


@pytest.mark.parametrize(
    "body",
    [
        'asm("{}" : "+r"(d));'.format("add.s32 %0, %0, 1; " * 300),
        'asm("{}" : "+r"(d) : "n"(1));'.format("mov.b32 %0, %1*4; " * 300),
        'asm("{}" : "+r"(d));'.format("{ " * 2000),
        'asm("{}" : "+r"(d));'.format("%" * 4000),
        'asm("{}" : "+r"(d));'.format('" "' * 2000),
        'asm("{");' * 200,
        'asm("mov.b32 %0, q;" : "=r"(d));' * 200,
    ],
    ids=["long", "constants", "braces", "percents", "literals", "open", "undeclared"],
)
def test_time_is_linear(body: str) -> None:
    """Eight times the text takes less than 24 times as long: a quadratic step would take 64 times."""
    seconds(f"__device__ void f(int d) {{ {body} }}")  # tables are read, and shapes parsed
    another = body.replace('asm("', 'asm(" ')  # the verdicts on the first text are known
    once = seconds(f"__device__ void f(int d) {{ {another} }}")
    parts = body.split('"', 1)[1].rsplit('"', 5) if body.count("asm") == 1 else None
    many = body * 8 if parts is None else body.replace(body.split('"')[1], body.split('"')[1] * 8, 1)
    assert seconds(f"__device__ void f(int d) {{ {many} }}") < 24 * once + 0.3
