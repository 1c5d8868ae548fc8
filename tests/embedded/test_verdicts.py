"""Verdicts on statements: sets of targets, readings of operands, statements that complete each other."""

# ruff: noqa: E501 - annotations quote messages

from __future__ import annotations

import pytest

from ptx_lsp.checks.embedded.host_checker import HostChecker, HostText
from ptx_lsp.checks.engine import log
from ptx_lsp.hosts.find import find_sites
from ptx_lsp.settings import Settings

from .annotated_host import check_source, findings


def test_any_target_may_take_it() -> None:
    check_source('asm volatile("wgmma.fence.sync.aligned;");')
    check_source('asm volatile("tcgen05.fence::before_thread_sync;");')
    check_source('asm volatile("tcgen05.fence::before_thread_sync; barrier.cluster.arrive;");')


def test_where_nothing_names_targets_none_is_missed() -> None:
    _, found = findings(
        'asm volatile("tcgen05.fence::before_thread_sync;"); asm volatile("wgmma.fence.sync.aligned;");'
    )
    assert not found


def test_no_target_has_both() -> None:
    check_source(
        """
        asm volatile("tcgen05.fence::before_thread_sync; wgmma.fence.sync.aligned;");
        //            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[E502]
        """
    )


def test_named_targets() -> None:
    check_source(
        """
        asm volatile("wgmma.fence.sync.aligned;");
        //            ^^^^^^^^^^^^^^^^^^^^^^^^ error[E502]: 'wgmma.fence.sync.aligned' requires sm_90a; this is compiled for sm_80, sm_90
        """,
        "sm_80",
        "sm_90",
    )


def test_one_of_the_named_targets_takes_it() -> None:
    check_source(
        """
        asm volatile("wgmma.fence.sync.aligned;");
        //            ^^^^^^^^^^^^^^^^^^^^^^^^ information[I901]: not for sm_80, sm_90, for which this is compiled too: 'wgmma.fence.sync.aligned' requires sm_90a
        """,
        "sm_80",
        "sm_90",
        "sm_90a",
    )


def test_a_comment_names_targets() -> None:
    check_source(
        """
        // ptx-lsp: target sm_80, compute_86
        asm volatile("wgmma.fence.sync.aligned;");
        //            ^^^^^^^^^^^^^^^^^^^^^^^^ error[E502]
        """
    )


def test_a_guard_restricts_the_targets() -> None:
    check_source(
        """
        __device__ void f() {
        #if __CUDA_ARCH__ >= 1000
        asm volatile("wgmma.fence.sync.aligned;");
        //            ^^^^^^^^^^^^^^^^^^^^^^^^ error[E502]
        #else
        asm volatile("wgmma.fence.sync.aligned;");
        #endif
        }
        """
    )


def test_a_statement_for_other_targets_than_those_of_the_build() -> None:
    check_source(
        """
        __device__ void f() {
        #if __CUDA_ARCH__ == 900
            asm volatile("wgmma.fence.sync.aligned;");
        #endif
        }
        """,
        "sm_80",
    )


def test_a_float_as_a_register_of_bits() -> None:
    """nvcc 13 can declare the registers of floats as ``.b32``; older ones declare ``.f32``."""
    check_source(
        """
        asm("add.s32 %0, %1, %1;" : "=f"(d) : "f"(a));
        //           ^^ warning[W904]: nvcc before sm_100, and older compilers, declare these operands with other types: '%0' is .f32; 'add.s32' expects .s32 here
        asm("add.s16 %0, %1, %1;" : "=f"(d) : "f"(a));
        //           ^^ error[E403]
        """
    )


def test_constants_of_unknown_value() -> None:
    check_source(
        """
        asm("shf.l.wrap.b32 %0, %1, %1, %2; mov.b32 %0, -%2; ld.shared.b32 %0, [%1+%2*4];" : "=r"(d) : "r"(a), "n"(9));
        asm("add.s32 %0, %1, %1;" : "=r"(d) : "n"(9));
        asm("add.f32 %0, %0, %1;" : "+f"(d) : "n"(9));
        //                   ^^ error[E402]
        """
    )


def test_braces_of_two_statements() -> None:
    check_source(
        """
        asm volatile("{ .reg .pred q; setp.ne.b32 q, %0, 0;" :: "r"(a));
        asm volatile("@q bra DONE; add.s32 %0, %0, 1; DONE: }" : "+r"(d));
        """
    )


def test_a_declaration_between_the_braces_of_other_statements() -> None:
    check_source(
        """
        asm volatile("{");
        asm volatile(".reg .u32 t; mov.u32 t, 1;");
        asm volatile("st.global.u32 [%0], t;" :: "l"(p));
        asm volatile("}");
        """
    )


def test_a_brace_that_nothing_closes() -> None:
    check_source(
        """
        asm volatile("{ .reg .pred q; setp.ne.b32 q, %0, 0;" :: "r"(a));
        //                                                 ^ error[E104]
        """
    )


def test_a_name_of_another_statement() -> None:
    check_source(
        """
        asm volatile(".reg .pred q;");
        //                       ^ warning[W903]
        asm volatile("setp.ne.b32 q, %0, 0;" :: "r"(a));
        asm volatile("setp.ne.b32 w, %0, 0;" :: "r"(a));
        //                        ^ error[E201]: 'w' is not declared
        """
    )


def test_another_statement_can_use_what_is_declared_outside_of_braces() -> None:
    check_source(
        """
        asm volatile(".reg .pred q; .reg .b32 t; mov.b32 t, %0;" :: "r"(a));
        //                       ^ warning[W903]
        //                                    ^ warning[W903]
        asm volatile("{ .reg .pred w; setp.ne.b32 q, %0, 0; }" :: "r"(a));
        //                         ^ hint[W623]
        """
    )


def test_a_variable_of_the_host() -> None:
    check_source(
        'extern "C" __device__ int count;\n__device__ void f(int d) { asm("ld.global.b32 %0, [count];" : "=r"(d)); }'
    )


def test_a_function_that_optix_declares() -> None:
    check_source(
        """
        asm("call (%0), _optix_get_launch_index_x, ();" : "=r"(d));
        asm("call (%0), get_launch_index_x, ();" : "=r"(d));
        //              ^^^^^^^^^^^^^^^^^^ error[E201]
        """
    )


def test_rules_about_whole_functions_are_not_asked() -> None:
    check_source('asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(p), "l"(q));')
    check_source('asm volatile("exit; mov.b32 %0, 1;" : "=r"(d));')


def test_a_comment_silences() -> None:
    check_source(
        """
        asm("foo;");  // ptx-lsp: ignore[E301]
        // ptx-lsp: ignore
        asm volatile("mov.b32 %0, 1;"
                     "foo;" : "=r"(d));
        asm("foo;");
        //   ^^^ error[E301]
        """
    )


def test_host_assembly_is_left_alone() -> None:
    check_source('static inline void pause() { asm volatile("pause" ::: "memory", "cc"); }\n// __')


def test_variants_report_what_all_have() -> None:
    check_source(
        """
        __device__ void f(int d) {
            asm volatile(
        #ifdef __A
                "foo.b32 %0, 1;"
        #else
                "mov.b32 %0, 1;"
        #endif
                : "=r"(d));
        }
        """
    )


def test_the_version_of_the_settings() -> None:
    check_source(
        """
        asm volatile("wgmma.fence.sync.aligned;");
        //            ^^^^^^^^^^^^^^^^^^^^^^^^ error[E501]
        """,
        "sm_90a",
        settings=Settings(ptx_version="7.8"),
    )


def test_a_long_template_is_judged_in_steps() -> None:
    lines = "".join(f' "add.s32 t{number % 9}, t{number * 7 % 9}, %0;\\n"\n' for number in range(1000))
    text = f'__device__ void f(int d) {{ asm("{{ .reg .b32 t<9>;\\n"\n{lines} "}}" : "+r"(d)); asm("trap;"); }}'
    known = HostChecker(HostText(text, "cuda-cpp"), find_sites(text, "cuda-cpp"), Settings(), is_at_once=False)
    steps = sum(1 for _ in known.judging())
    assert steps > 20
    assert not known.is_incomplete
    assert (
        known.findings() == HostChecker(HostText(text, "cuda-cpp"), find_sites(text, "cuda-cpp"), Settings()).findings()
    )


@pytest.mark.parametrize(
    ("template", "wanted"),
    [
        ("l: .branchtargets %1;", "'%1' is a constant; '.branchtargets' lists labels"),
        ("l: .calltargets %1;", "'%1' is a constant; '.calltargets' lists functions"),
        ("l: .branchtargets %2;", None),
        ("call (%0), %0, (%0), %1;", None),
        ("call (%0), %0, (%0), %2;", None),
    ],
)
def test_a_constant_is_no_name(template: str, wanted: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    failed: list[object] = []
    monkeypatch.setattr(log, "exception", lambda *arguments: failed.append(arguments))
    text = f'__device__ void f(int a) {{ asm("{{ {template} }}" : "+r"(a) : "n"(4), "C"(s)); }}'
    found = HostChecker(HostText(text, "cuda-cpp"), find_sites(text, "cuda-cpp"), Settings()).findings()
    assert [one.message for one in found if one.code == "E205"] == ([wanted] if wanted else [])
    assert not failed
