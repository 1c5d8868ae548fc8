"""Mangled names as they stand in the source: complete, shortened, made different."""

from __future__ import annotations

import random
import shutil
import subprocess
import time

import pytest

from ptx_lsp.names.demangle import MOST_CHARACTERS, brief_names, demangled, parameter_name

INTERNAL = "_INTERNAL_0a1b2c3d_4_a_cu_8d5e6f70"


def check_name(mangled: str, text: str, brief: str = "") -> None:
    """A name means ``text``; ``brief`` is shown where room is small."""
    found = demangled(mangled)
    assert found is not None, mangled
    assert found.text == text
    if brief:
        assert found.brief == brief


# ---------------------------------------------------------------------- C++


def test_functions() -> None:
    check_name("_Z4axpyfPKfPf", "axpy(float, float const*, float*)", "axpy")
    check_name("_Z4initv", "init()")
    check_name("_Z1fPFvifEz", "f(void (*)(int, float), ...)")
    check_name("_Z1fRA4_KfM1SKFivE", "f(float const (&) [4], int (S::*)() const)")


def test_templates() -> None:
    check_name(
        "_Z12softmax_rowsIfLi4EEvPKT_PS0_i",
        "void softmax_rows<float, 4>(float const*, float*, int)",
        "softmax_rows<float, 4>",
    )
    check_name(
        "_Z5mergeIabcdefhijlmstEvT_T0_T9_T10_T11_",
        "void merge<signed char, bool, char, double, long double, float, unsigned char, int, unsigned int, long, "
        "unsigned long, short, unsigned short>(signed char, bool, unsigned long, short, unsigned short)",
    )
    check_name("_Z4packIJifdEEvDpT_", "void pack<int, float, double>(int, float, double)")
    check_name("_Z3oneILb1ELj7ELln5ELc99EEvv", "void one<true, 7u, -5l, (char)99>()")


def test_members_and_operators() -> None:
    check_name("_ZN5shape3boxC2Ev", "shape::box::box()")
    check_name("_ZN5shape3boxD1Ev", "shape::box::~box()")
    check_name("_ZNK5shape3boxltERKS0_", "shape::box::operator<(shape::box const&) const")
    check_name("_ZN5shape3boxcviEv", "shape::box::operator int()")


def test_lambdas_and_local_names() -> None:
    check_name("_ZZ4initvENKUliE_clEi", "init()::{lambda(int)#1}::operator()(int) const")
    check_name("_ZZ4initvE5cache_0", "init()::cache")


def test_namespaces_of_the_compiler_are_dropped_where_room_is_small() -> None:
    check_name(f"_ZN{len(INTERNAL)}{INTERNAL}5applyEPf", f"{INTERNAL}::apply(float*)", "apply")
    check_name("_ZN12_GLOBAL__N_15applyEPf", "(anonymous namespace)::apply(float*)", "apply")


def test_long_arguments_are_elided() -> None:
    name = "_ZN7cutlass6kernelINS_4gemm9UniversalIN4cute5tupleIJNS3_1CILi128EEENS5_ILi64EEEEEENS_6half_tEEEEEvT_"
    found = demangled(name)
    assert found is not None
    assert found.brief == "cutlass::kernel<Universal<…>>"
    assert "cute::tuple<cute::C<128>, cute::C<64>>" in found.text


def test_parameters_of_kernels() -> None:
    name = "_Z12softmax_rowsIfLi4EEvPKT_PS0_i_param_2"
    assert parameter_name(name) == "param_2"
    check_name(name, "param_2 of void softmax_rows<float, 4>(float const*, float*, int)", "param_2")
    assert parameter_name("kernel_param_2") == ""


# ---------------------------------------------------------------------- Rust


def test_rust() -> None:
    check_name("_RNvCs2OpA4fNwd7R_6kernel5scale", "kernel::scale")
    check_name("_RINvCs2OpA4fNwd7R_1r2ccKb0_Kce9_Ka5_EB2_", "r::cc::<false, '\\u{e9}', 5>")
    check_name("_RNCNvCs2OpA4fNwd7R_1r3alls0_0B3_", "r::all::{closure#2}")
    check_name("_ZN4core3fmt9Formatter3pad17h9b2b3a0e5b4d1b31E", "core::fmt::Formatter::pad", "Formatter::pad")
    check_name("_ZN9$LT$T$GT$4from17h9b2b3a0e5b4d1b31E", "<T>::from")


# ---------------------------------------------------------------------- several names


def test_different_functions_have_different_names() -> None:
    kernel = "_ZN7cutlass6kernelINS_4gemm9UniversalIN4cute5tupleIJNS3_1CILi{}EEENS5_ILi64EEEEEENS_6half_tEEEEEvT_"
    names = [kernel.format(rows) for rows in (64, 128, 256)]
    assert list(brief_names(names).values()) == [
        "cutlass::kernel<Universal<…>> [C<64]",
        "cutlass::kernel<Universal<…>> [C<128]",
        "cutlass::kernel<Universal<…>> [C<256]",
    ]


def test_overloads_differ_by_their_parameters() -> None:
    assert list(brief_names(["_Z3sumPfi", "_Z3sumPdi", "plain"]).values()) == ["sum [float]", "sum [double]"]


# ---------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    "name", ["kernel", "_Z", "_ZN", "_Z1", "_Z99f", "_ZN1aE_rest", "_Z1fT_", "_Z1fS9_", "_R", "_RX"]
)
def test_what_is_no_mangled_name(name: str) -> None:
    assert demangled(name) is None


NESTED = {
    "pointers": "_Z1f" + "P" * 5000 + "i",
    "templates": "_Z1fI" * 3000,
    "doubling": "_Z1f" + "".join(f"1aIS{one}_S{one}_E" for one in "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    "namespaces": "_ZN" + "1a" * 8000 + "Ev",
    "Rust": "_RINvC1a1f" + "TB_B_E" * 2000,
    "too long": "_Z1f" + "i" * 100_000,
}


@pytest.mark.parametrize("name", NESTED.values(), ids=NESTED)
def test_deep_and_long_names_take_no_time(name: str) -> None:
    before = time.process_time()
    demangled(name)
    assert time.process_time() - before < 2, "hours if text is copied without a bound"


def test_names_with_mistakes_never_raise() -> None:
    chooser = random.Random(7)
    names = ["_Z12softmax_rowsIfLi4EEvPKT_PS0_i", "_ZZ4initvENKUliE_clEi", "_RINvCs2OpA4fNwd7R_1r2ccKb0_Kce9_Ka5_EB2_"]
    for _ in range(5000):
        name = list(chooser.choice(names))
        for _ in range(chooser.randint(1, 4)):
            at = chooser.randrange(2, len(name))
            name[at : at + chooser.randint(0, 2)] = chooser.choice(["", "S_", "T_", "I", "E", "J", "N", "Z", "X", "99"])
        demangled("".join(name))
    assert demangled("_Z1f" + "i" * (MOST_CHARACTERS - 4)) is not None


_FILTER = shutil.which("c++filt")


@pytest.mark.skipif(_FILTER is None, reason="c++filt is not installed")
def test_the_demangler_of_binutils_agrees() -> None:
    names = [
        "_Z12softmax_rowsIfLi4EEvPKT_PS0_i",
        "_ZNK4cuda3std3__44plusIvEclIRKiRiEEDaOT_OT0_",
        "_ZN3cub6detail6reduce18DeviceReduceKernelINS1_10policy_hubIfjE10Policy1000EPfEEvT0_",
        "_ZN18cooperative_groups4__v117thread_block_tileILj8ENS1_ILj32EvEEEC2ERKS2_",
        "_Z1fIJiPKfEEvDpRKT_",
        "_ZNSt6vectorIiSaIiEE9push_backEOi",
        "_ZTVN5shape3boxE",
        "_ZGVZ4initvE5cache",
        "_Z5mergeIabcdefhijlmstEvT_T0_T9_T10_T11_",
    ]
    assert _FILTER is not None
    said = subprocess.run([_FILTER], input="\n".join(names), text=True, capture_output=True, check=True).stdout
    for name, text in zip(names, said.splitlines(), strict=True):
        found = demangled(name)
        assert found is not None
        assert found.text == text.replace("> >", ">>"), name
