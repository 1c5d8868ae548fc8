"""Conditions of the preprocessor as sets of targets."""

from __future__ import annotations

import pytest

from ptx_lsp.hosts.target_conditions import condition


@pytest.mark.parametrize(
    ("text", "within", "outside"),
    [
        ("__CUDA_ARCH__ >= 900", "sm_90 sm_90a sm_121f", "sm_89"),
        ("(__CUDA_ARCH__ == 1000) || (__CUDA_ARCH__ == 1030)", "sm_100 sm_100a sm_103f", "sm_90 sm_110"),
        ("__CUDA_ARCH__ / 100 == 8", "sm_80 sm_89", "sm_90 sm_75"),
        ("!defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 0x352", "sm_80", "sm_86"),
        ("defined __CUDA_ARCH_FEAT_SM90_ALL", "sm_90a", "sm_90 sm_100a"),
        ("__CUDA_ARCH_HAS_FEATURE__(SM90_ALL)", "sm_90a", "sm_90"),
        ("__CUDA_ARCH_SPECIFIC__ == 1000", "sm_100a", "sm_100 sm_100f"),
        ("__CUDA_ARCH_FAMILY_SPECIFIC__ == 1000", "sm_100a sm_100f", "sm_100 sm_103f"),
        ("NV_HAS_FEATURE_SM_100f", "sm_100f sm_103a", "sm_100 sm_110f"),
        ("NV_IS_EXACTLY_SM_80", "sm_80", "sm_86"),
        ("__CUDACC_VER_MAJOR__ >= 12 && __CUDA_ARCH__ >= 800", "sm_80", "sm_75"),
        ("CUTLASS_ARCH_MMA_SM100A_ENABLED || CUTLASS_ARCH_MMA_SM103A_ENABLED", "sm_100a sm_103a", "sm_100 sm_90a"),
        ("__CUDA_ARCH__ >= 800 ? 0 : 1", "sm_75", "sm_80"),
        ("not (__CUDA_ARCH__ >= 800 and 1'0 == 10)", "sm_75", "sm_80"),
    ],
)
def test_the_targets_for_which_a_condition_can_hold(text: str, within: str, outside: str):
    holds = condition(text).holds
    assert holds is not None
    assert set(within.split()) <= holds
    assert not set(outside.split()) & holds


@pytest.mark.parametrize(
    "text",
    ["", "(", ")", "A", "1 +", "A(", "A(B", "'x'", "((" * 5000, "!" * 5000, "1 / 0", "09"],
)
def test_what_is_unknown_restricts_nothing(text: str):
    assert condition(text).holds is None
    assert condition(text).fails is None


def test_what_depends_on_the_toolkit_can_also_be_false():
    assert condition("CUTE_ARCH_MMA_SM90A_ENABLED").fails is None
    assert "sm_90a" not in (condition("defined(__CUDA_ARCH_FEAT_SM90_ALL)").fails or ())


@pytest.mark.parametrize(
    ("text", "value"), [("0", False), ("1", True), ("0 && A", False), ("1 || A", True), ("A", None)]
)
def test_constant_conditions(text: str, value: bool | None):
    assert condition(text).is_constant is value


def test_names_that_say_nothing_of_the_target_make_no_difference() -> None:
    assert condition("__CUDA_ARCH__ >= 900 && C5") is condition("__CUDA_ARCH__ >= 900 && D7")
    assert condition("C5(SM90_ALL)") == condition("D7")
