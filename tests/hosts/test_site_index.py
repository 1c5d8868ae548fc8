"""Sites of a document that is edited equal those of its text, and an edit reads a few lines."""

from __future__ import annotations

import random

import pytest
from host_texts import check_places, facts

from ptx_lsp.hosts import site_index
from ptx_lsp.hosts.find import find_sites
from ptx_lsp.hosts.site_index import SiteIndex

CUDA = """
#include <cuda.h>
#define HINT ".L2::128B"
namespace a {
template <class T> struct S {
  __device__ static void f(int &a, int b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("add.s32 %0, %0, %1;\\n" // the sum
                 "mul" HINT ".s32 %0, %0, %1;" : "+r"(a) : "r"(b) : "memory");
#else
    if (b) {
      asm("exit;");
    }
#endif
    NV_IF_TARGET(NV_PROVIDES_SM_80, (asm("trap;");), (asm("brkpt;");))
  }
};
}
"""

PYTHON = '''
import triton.language as tl

def f(x):
    """Calls inline_asm_elementwise."""
    return tl.inline_asm_elementwise(f"""
        add.{kind} $0, $1, $1;  # twice
    """, "=r,r", [x], dtype=tl.int32, is_pure=True, pack=1)

ASM = (  # one constant
    "add.s32 $0, "
    "$1, 1;")
y = tl.inline_asm_elementwise(ASM, "=r,r", [y])

SOURCE = r"""
__global__ void k() { asm("exit;"); }
"""
'''

LLVM = """
target triple = "nvptx64-nvidia-cuda" ; asm "comment"
define i32 @f(i32 %a, i32 %b) {
  %1 = tail call i32 asm sideeffect "add.s32 $0, $1, $2;\\0A", "=r,r,r,~{memory}"(i32 %a, i32 %b) #1, !srcloc !5
  ret i32 %1
}
"""

MLIR = """
// llvm.inline_asm "comment"
%0 = llvm.inline_asm has_side_effects asm_dialect = att operand_attrs = [] "ld.b32 $0, [$1];", "=r,l" %p : (i64) -> i32
%c0 = arith.constant 4 : i32
%1 = nvvm.inline_ptx "add.s32 {$w0}, {$r0}, {$r1};"
    ro (%0, %c0 : i32, i32), predicate = %p -> i32
"""

RUST = """
#[cfg(target_arch = "nvptx64")] // asm!("comment")
pub unsafe fn f(a: u32) -> u32 {
    let x: u32; let c = '"';
    core::arch::asm!(
        "{{ .reg .b32 t; /* one */", r#"add.s32 t, {0}, {a};"#,
        concat!("mov.b32 {x}, t", "; }}"), in(reg32) a, x = lateout(reg32) x, options(nostack));
    /* asm!("comment /* in */ one") */
    x
}
"""

MOJO = '''
from sys import is_nvidia_gpu

fn f(a: UInt32, b: Int) -> UInt32:
    """Calls inlined_assembly["x"]."""
    comptime letters = "=r,r"
    comptime move = "mov.u32"
    _ = inlined_assembly[move + " $0, $1;", UInt32, constraints=letters](a)
    alias letters = "=r,l"  # below
    return inlined_assembly[
        "add.s32 $0, $1, "  # twice
        "$1;", UInt32, constraints="=r,r", has_side_effect=False,
    ](a)
'''

TEXTS = {"cuda-cpp": CUDA, "python": PYTHON, "llvm": LLVM, "mlir": MLIR, "rust": RUST, "mojo": MOJO}
PARTS = {
    "llvm": [*'"();\\\n,%', 'asm "x", ""()', "asm ", "nvptx", " sideeffect "],
    "mlir": [
        *'"();\\\n,%',
        *('llvm.inline_asm "x", "" : ', "//", "nvvm.", "asm", " = ", 'nvvm.inline_ptx "a" ', "ro (", "-> i32"),
        "%c0 = arith.constant",
    ],
    "rust": [
        *"\"'()[]{}#\\\n,;!/*",
        *(
            "//",
            "/*",
            "*/",
            'r#"',
            "asm!(",
            'asm!("exit;")',
            "in(reg32) a",
            "out(reg) b",
            "nvptx",
            "options(raw)",
            "x86",
        ),
    ],
    "mojo": [
        *"\"'()[]#\\\n,",
        *('"""', "inlined_assembly[", 'constraints="=r",', "nvidia", "is_amd_gpu", "fn g():\n"),
        *("\nalias ", "    alias ", "letters", ' move = "x"\n', "\n"),
    ],
    "cuda-cpp": [
        *"{}()\"';\\,#",
        *("/*", "*/", "//", "\n", "\\\n", "#if 0\n", "#endif\n", "#else\n", 'R"(', ')"', "else {", "__device__ "),
        *(
            'asm("x" : "=r"(a));',
            '#define HINT "x"\n',
            "NV_IF_TARGET(NV_IS_HOST, (",
            "if constexpr (__CUDA_ARCH__ > 3) {",
        ),
    ],
    "python": [
        *"\"'()[]{}#\\\n+,",
        *(
            '"""',
            "'''",
            'f"',
            "inline_asm_elementwise(",
            'llvm.inline_asm(t, [], "x", "=r")',
            "def g():\n",
            "    ",
            "asm(",
            "\nASM = ",
            "ASM",
        ),
    ],
}


@pytest.mark.parametrize("host", TEXTS)
@pytest.mark.parametrize("seed", range(6))
def test_edited_equals_fresh(host: str, seed: int, monkeypatch: pytest.MonkeyPatch):
    choose = random.Random(seed)
    monkeypatch.setattr(site_index, "_LENGTH", choose.choice([20, 100, 500]))
    index = SiteIndex(TEXTS[host] * 3, host)
    for _ in range(60):
        start = choose.randrange(len(index.text) + 1)
        end = min(len(index.text), start + choose.choice([0, 0, 0, 1, 5, 60]))
        removed = index.text[start:end]
        new = choose.choice(PARTS[host])
        index.edit(start, end, new)
        check(index)
        if choose.random() < 0.8:
            index.edit(start, start + len(new), removed)
            check(index)


def check(index: SiteIndex) -> None:
    fresh = find_sites(index.text, index.host)
    assert [facts(site) for site in index.sites] == [facts(site) for site in fresh]
    check_places(index.text, index.sites)


def test_sites_that_an_edit_does_not_touch_remain_the_same_objects():
    index = SiteIndex(CUDA + "\n".join(f'void f{number}() {{ asm("exit;"); }}' for number in range(2000)), "cuda-cpp")
    before = index.sites
    change = index.edit(index.sites[1000].start + 5, index.sites[1000].start + 9, "trap")
    assert (len(change.removed), len(change.added)) == (len(before) - len(set(before) & set(index.sites)),) * 2
    assert 1 <= len(change.added) < 400
    assert before[0] is index.sites[0]
    assert before[-1] is index.sites[-1]


def test_a_changed_macro_changes_the_templates_that_use_it():
    index = SiteIndex('#define A "x"\n' + "int a;\n" * 2000 + 'asm(A "y");', "cuda-cpp")
    place = index.text.index('"x"') + 1
    index.edit(place, place + 1, "z")
    check(index)
    assert [piece.text for piece in index.sites[0].pieces] == ["z", "", "y"]


def test_an_edit_that_concerns_all_statements_takes_many_steps():
    index = SiteIndex('#define A "x"\n' + 'void f() { asm(A "y"); }\n' * 10_000, "cuda-cpp")
    place = index.text.index('"x"') + 1
    assert sum(1 for _ in index.editing(place, place + 1, "z")) > 3
    assert index.sites[-1].pieces[0].text == "z"


def test_a_document_that_gets_its_first_statement():
    index = SiteIndex("void f() { }", "cuda-cpp")
    assert index.sites == []
    index.edit(11, 11, 'asm("exit;");')
    check(index)
    assert index.site_at(13) is index.sites[0]
    assert index.site_at(5) is None
