"""Descriptors in compiled kernels, built as libraries do: every field that is constant is known."""

from __future__ import annotations

import pytest

from benchmarks.kept import read
from ptx_lsp.analysis.descriptors.faults import packed_instructions
from ptx_lsp.analysis.descriptors.packed_operands import KnownOperand
from ptx_lsp.checks.engine.checker import Checker

AT_RUN_TIME = {"start", "scale-a-id", "scale-b-id"}
"""Fields that the kernels themselves make from registers: addresses, and the places of scale factors."""


def operands(name: str) -> list[KnownOperand]:
    """The known bits of all packed operands of a kept file."""
    semantics = Checker(read(f"{name}.ptx")).semantics
    module = semantics.module
    return [
        known
        for function in module.functions
        for context in packed_instructions(module, function)
        for known in semantics.packed(function).operands(context)
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


@pytest.mark.parametrize(
    ("name", "count", "given"),
    [
        ("descriptor_iterators.sm_90a.plain", 66, 0),
        ("descriptor_iterators.sm_90a.unoptimised", 12, 0),
        ("descriptor_iterators.sm_90a.debug", 12, 2),
        ("descriptor_iterators.sm_100a.plain", 99, 0),
        ("descriptor_iterators.sm_100a.unoptimised", 18, 0),
        ("descriptor_iterators.sm_100a.debug", 18, 2),
    ],
)
def test_what_functions_make_is_known_however_it_is_compiled(name: str, count: int, given: int) -> None:
    """Exceptions are a leading dimension that is a parameter, and an element that is selected at run time.

    In debug code a function that multiplies is visible to other modules, so that its arguments are unknown.
    """
    found = operands(name)
    assert len(found) == count
    unknown = [{one.field.key for one in known.reading.fields if one.meaning is None} - {"start"} for known in found]
    assert sum(one == {"leading"} for one in unknown) == 1
    assert sum("swizzle" in one for one in unknown) == 1 + given
    assert sum(not one for one in unknown) == count - 2 - given
    assert not any(known.proved.findings for known in found)


def test_what_they_say() -> None:
    said = {known.reading.short for known in operands("descriptors.sm_90a.plain")}
    assert said == {"128B, SBO 1024", "64B, SBO 512", "32B, SBO 256", "none, SBO 128"}
    said = {known.reading.short for known in operands("descriptors.sm_100a.plain")}
    assert {"bf16→f32 M128 N128", "bf16→f32 M128 N64", "bf16→f32 M128 N256", "bf16→f32 M128 N8"} <= said
