"""What ptxas takes for the operands of texture instructions, measured."""

from __future__ import annotations

import pytest

from ptx_lsp.isa.match import match
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from tests.isa.statements import read

D = "{%r1, %r2, %r3, %r4}"


def fits(text, module="sm_80 8.8", release="13.5"):
    """Whether a release takes a statement in a module of this target and version."""
    target, version = module.split()
    found = match(*read(text), Version.parse(version), Target.parse(target), Version.parse(release))
    return found is not None and found.fits


@pytest.mark.parametrize(
    ("geometry", "coordinates", "good"),
    [
        ("2d", "{%f5, %f6}", True),
        ("2d", "{%s5, %s6}", True),  # one type stands for floats
        ("2d", "{%r5, %p6}", True),  # a predicate beside an untyped one
        ("2d", "{%s5, %f6}", False),
        ("2d", "{%f5, %f6, %r7, 5}", True),  # each goes with the one before it
        ("2d", "{%r5, %s6, 2.0, %s7}", False),
        ("2d", "%f5", True),
        ("2d", "2.0", False),
        ("a2d", "{%u5, %f6, %f7, %f8}", True),
        ("a2d", "{%u5, %p6, %p7, %p8}", True),  # behind a layer they only have to agree
        ("a2d", "{%f5, %f6, %f7, %f8}", False),
    ],
)
def test_coordinates(geometry, coordinates, good):
    assert fits(f"tex.{geometry}.v4.u32.f32 {D}, [%rd1, {coordinates}]") is good


def test_newer_releases_take_a_single_value_beside_a_sampler():
    text = f"tex.1d.v4.u32.f32 {D}, [%rd1, %rd2, %f5]"
    assert fits(text, release="13.3")
    assert not fits(text, release="13.2")


def test_gradients_that_are_expanded_are_checked_element_by_element():
    text = f"tex.grad.3d.v4.u32.f32 {D}, [%rd1, {{%s5, %s6, %s7, %s8}}], {{%f1, %f2, %f3, %f4}}, {{%f1, %f2, %f3, %f4}}"
    assert fits(text)
    assert fits(text, "sm_90 8.8", "12.9")
    assert not fits(text, "sm_90 8.8", "13.0")


@pytest.mark.parametrize("operands", ["%rd1, [%rd2, {%f5, %f6}]", "[%rd1, %rd2], {%f5, %f6}"])
def test_brackets_do_not_matter(operands):
    assert fits(f"tex.2d.v4.u32.f32 {D}, {operands}")


@pytest.mark.parametrize(
    ("address", "rest", "release", "good"),
    [
        ("[%rd1, %r5, {%s6, %s7}]", "", "12.9", True),  # coordinates and an offset
        ("[%rd1, %f5, {%s6, %s7}]", "", "12.9", True),
        ("[%rd1, %r5, {%s6, %s7}]", ", %f1", "12.9", True),  # and a depth
        ("[%rd1, %f5, %s6]", "", "13.5", True),
        ("[%rd1, %f5, %s6]", "", "12.9", False),
        ("[%rd1, %r5, {%f6, %f7}]", "", "13.5", False),  # neither an offset nor coordinates beside a sampler
        ("[%rd1, {%f5, %f6}, {%s6, %s7}]", "", "13.5", False),
        ("[%rd1, %f5, 1]", "", "13.5", False),
    ],
)
def test_what_follows_the_address_may_stand_in_its_brackets(address, rest, release, good):
    assert fits(f"tex.2d.v4.s32.f32 {D}, {address}{rest}", release=release) is good


def test_a_sampler_beside_a_handle_came_later():
    text = f"tex.2d.v4.u32.f32 {D}, [%rd1, %rd2, {{%f5, %f6}}]"
    assert fits(text, "sm_30 4.3")
    assert not fits(text, "sm_30 4.2")
