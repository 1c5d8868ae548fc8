"""What encloses an ``asm`` statement: functions, device code, conditions on the target."""

from __future__ import annotations

import pytest
from host_texts import cuda, template

from ptx_lsp.hosts.site import Certainty, Site


def only(text: str) -> Site:
    (site,) = cuda(text)
    return site


def targets(site: Site) -> set[str] | None:
    """The targets that all guards allow; None for all."""
    sets = [guard.targets for guard in site.guards if guard.targets is not None]
    return set(frozenset.intersection(*sets)) if sets else None


# ---------------------------------------------------------------- functions


@pytest.mark.parametrize(
    "text",
    [
        '__global__ void k(int n) ^{ if (n) { asm(""); } }',
        'namespace a { namespace b::c { void f() ^{ asm(""); } } }',
        'struct S : T<int> { int f() const noexcept ^{ asm(""); } };',
        'template <class T, class U = A<B<int>>> struct S { template <typename V> V f(V v) ^{ asm(""); } };',
        'struct alignas(16) S { void f() ^{ asm(""); } };',
        'struct S f(struct T t) ^{ asm(""); }',
        'enum class E { A, B };\nvoid f() ^{ asm(""); }',
        'int a[] = { 1, 2 }; S::S(int a) : b(a) ^{ asm(""); }',
        'extern "C" { void f() ^{ auto g = [&](int a) { asm(""); }; } }',
        'extern "C" __global__ void f()\n// a { comment;\n^{ asm(""); }',
        '#if A\nvoid f(int a) {\n#else\nvoid f() ^{\n#endif\nasm(""); }',
    ],
)  # fmt: skip
def test_the_outermost_function_is_the_block(text: str):
    assert only(text.replace("^", "")).block == text.index("^")


def test_statements_of_two_functions_are_in_two_blocks():
    first, second, third = cuda('void f() { asm("{"); if (a) { asm("}"); } } void g() { asm("{"); }')
    assert first.block == second.block != third.block


@pytest.mark.parametrize(
    "head",
    [
        "__device__ void f()",
        "__global__ void __launch_bounds__(128) f()",
        "template <int N> CUTE_HOST_DEVICE static void f(int (&a)[N])",
        "CUTLASS_DEVICE\nvoid f()",
        "TL_DEVICE void f()",
        "__host__ __device__ void f()",
        "void g() { auto f = [=] __device__ (int i)",
    ],
)
def test_device_code_is_recognised_by_the_head_of_the_function(head: str):
    assert only(f'{head} {{ asm("exit;"); }}').certainty == Certainty.DEVICE


def test_other_functions_are_in_doubt():
    assert only('inline void f() { asm("exit;"); }').certainty == Certainty.UNKNOWN
    assert only('__host__ void f() { asm("exit;"); }').certainty == Certainty.HOST


@pytest.mark.parametrize(
    "statement",
    [
        'asm volatile("pause" ::: "memory");',
        'asm volatile("rdtsc" : "=a"(lo), "=d"(hi));',
        'asm("mov %0, %1" : "=r"(a) : "r"(b) : "cc");',
        'asm("dmb ish" ::: "memory");',
        'asm volatile("s_waitcnt vmcnt(0)");',
        'asm("lock; xaddl %0, %1" : "+r"(a), "+m"(b));',
    ],
)
def test_assembly_of_other_processors_is_recognised(statement: str):
    assert only(f"void f() {{ {statement} }}").certainty == Certainty.HOST


# ---------------------------------------------------------------- conditions


def test_a_branch_of_if_restricts_the_targets():
    text = """
    #if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
      asm("a");
    #elif __CUDA_ARCH__ >= 800
      asm("b");
    #else
      asm("c");
    #endif
      asm("d");
    """
    first, second, third, last = cuda(text)
    assert {"sm_90", "sm_90a", "sm_100f"} <= targets(first)
    assert "sm_89" not in targets(first)
    assert {"sm_80", "sm_89"} <= targets(second)
    assert not {"sm_75", "sm_90"} & targets(second)
    assert "sm_75" in targets(third)
    assert "sm_80" not in targets(third)
    assert targets(last) is None


def test_code_without_a_target_is_host_code():
    assert only('#ifndef __CUDA_ARCH__\nasm("x");\n#endif').certainty == Certainty.HOST
    assert only('#ifdef __CUDA_ARCH__\n#else\nasm("x");\n#endif').certainty == Certainty.HOST
    assert only('#ifdef __CUDA_ARCH__\nasm("x");\n#endif').certainty == Certainty.DEVICE
    assert only('#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900\nasm("x");\n#endif').certainty == Certainty.DEVICE


def test_conditions_that_do_not_concern_the_target_are_no_guards():
    assert only('#ifndef FILE_H\n#define FILE_H\n#if A > 1\nasm("x");\n#endif\n#endif').guards == ()


def test_a_project_macro_of_the_table():
    site = only('#if defined(CUTE_ARCH_MMA_SM90A_ENABLED)\nasm("x");\n#endif')
    assert targets(site) == {"sm_90a"}
    assert [(guard.kind, guard.text) for guard in site.guards] == [("macro", "defined(CUTE_ARCH_MMA_SM90A_ENABLED)")]


def test_arguments_of_nv_target():
    text = """__device__ void f() {
      NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90, (asm("a"); g(1, 2); asm("b");), (asm("c");))
      NV_DISPATCH_TARGET(NV_PROVIDES_SM_80, (asm("d");), NV_IS_DEVICE, (h(asm("e")));, NV_IS_HOST, (asm("f");))
      asm("g");
    }"""
    sites = {template(site): site for site in cuda(text)}
    assert list(sites) == list("abcdefg")
    assert "sm_89" not in targets(sites["a"]) == targets(sites["b"])
    assert "sm_90" not in targets(sites["c"])
    assert "sm_80" in targets(sites["d"])
    assert targets(sites["e"]) == {one for one in targets(sites["c"]) if int(one[3:].rstrip("af")) < 80}
    assert sites["f"].certainty == Certainty.HOST
    assert sites["g"].guards == ()


def test_if_constexpr_and_its_else():
    first, second, third = cuda('if constexpr (__CUDA_ARCH__ >= 800) { asm("a"); } else { asm("b"); } asm("c");')
    assert "sm_75" not in targets(first)
    assert "sm_75" in targets(second)
    assert "sm_80" not in targets(second)
    assert targets(third) is None


def test_braces_of_the_other_branch_do_not_count():
    text = '__device__ void f() {\n#if A\nif (a) {\n#else\nif (b) {\n#endif\n} }\nvoid g() { asm("x"); }'
    assert only(text).block == text.index("{ asm")
