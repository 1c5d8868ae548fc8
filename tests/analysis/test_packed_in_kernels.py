"""Descriptors in compiled kernels, built as libraries do: every field that is constant is known."""

from __future__ import annotations

import pytest

from benchmarks.kept import read
from ptx_lsp.analysis.packed.faults import packed_instructions
from ptx_lsp.analysis.packed.operands import KnownOperand
from ptx_lsp.checks.checker import Checker

AT_RUN_TIME = {"start", "scale-a-id", "scale-b-id"}
"""Fields that the kernels themselves make from registers: addresses, and the places of scale factors."""


def operands(name: str) -> list[KnownOperand]:
    """What is known of all packed operands of a kept file."""
    module = Checker(read(f"{name}.ptx")).module
    return [
        known
        for function in module.functions
        for use in packed_instructions(module, function)
        for known in module.packed(function).operands(use)
    ]


@pytest.mark.parametrize(
    ("name", "count"),
    [("descriptors.sm_90a.plain", 168), ("descriptors.sm_100a.plain", 244), ("warpgroups.sm_90a.plain", 23)],
)
def test_every_constant_field_is_known(name: str, count: int) -> None:
    found = operands(name)
    assert len(found) == count
    for known in found:
        unknown = {one.field.key for one in known.reading.fields if one.meaning is None}
        assert unknown <= AT_RUN_TIME, known.reading.summary
        assert not known.proved.findings


def test_what_they_say() -> None:
    said = {known.reading.short for known in operands("descriptors.sm_90a.plain")}
    assert said == {"128B, SBO 1024", "64B, SBO 512", "32B, SBO 256", "none, SBO 128"}
    said = {known.reading.short for known in operands("descriptors.sm_100a.plain")}
    assert {"bf16→f32 M128 N128", "bf16→f32 M128 N64", "bf16→f32 M128 N256", "bf16→f32 M128 N8"} <= said
