"""Versions, targets, and the gates made of them."""

from __future__ import annotations

import pytest

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.gate import AcceptancePolicy, Gate
from ptx_lsp.isa.model.target import FAMILIES, Target
from ptx_lsp.isa.model.version import RELEASES, Version


def test_versions_are_ordered_by_number():
    assert Version.parse("8.10") > Version.parse("8.9")
    assert str(Version.parse("8.10")) == "8.10"
    assert Version.parse("7.0").previous == (6, 5)


@pytest.mark.parametrize("text", ["8", "8.", ".8", "8.x", ""])
def test_what_is_no_version(text):
    with pytest.raises(ValueError, match="not a PTX version"):
        Version.parse(text)


def test_the_vocabulary_lists_the_released_versions():
    assert tuple(catalogue().vocabulary.versions) == RELEASES


@pytest.mark.parametrize(
    ("target", "other", "expected"),
    [
        ("sm_90", "sm_80", True),  # a plain target is implied by every later one
        ("sm_80", "sm_90", False),
        ("sm_90a", "sm_90", True),
        ("sm_100", "sm_90a", False),  # an 'a' target by itself alone
        ("sm_90", "sm_90a", False),
        ("sm_103a", "sm_100f", True),  # an 'f' target by its family's later 'a' and 'f' targets
        ("sm_103", "sm_100f", False),
        ("sm_100f", "sm_103f", False),
        ("sm_110f", "sm_100f", False),
        ("sm_101a", "sm_110a", True),  # two names of one architecture
        ("sm_110a", "sm_101a", True),
        ("sm_121f", "sm_120f", True),
    ],
)
def test_what_a_target_implies(target, other, expected):
    assert Target.parse(target).implies(Target.parse(other)) is expected


def test_a_target_can_be_written_in_two_ways():
    assert Target.parse("compute_90a") == Target.parse("sm_90a")
    with pytest.raises(ValueError, match="not a target"):
        Target.parse("sm_90b")


def test_the_vocabulary_lists_the_families():
    for word in catalogue().vocabulary.targets.values():
        family = word.target.family
        assert word.family == ("" if family is None else f"{family}x")
    assert set(FAMILIES) == {10, 11, 12}


@pytest.mark.parametrize(
    ("gate", "words"),
    [
        ("7.4 sm_70", "PTX 7.4, sm_70 or newer"),
        ("8.0 sm_90a", "PTX 8.0, sm_90a only"),
        ("8.6 sm_100a or 8.8 sm_100f", "PTX 8.6 on sm_100a, PTX 8.8 on the sm_100f family"),
        ("8.6 sm_100a sm_101a or 9.0 sm_110a", "PTX 8.6 on sm_100a, sm_101a; PTX 9.0 on sm_110a"),
        ("1.0 until 6.4 sm_70", "up to PTX 6.3 on sm_70 or newer"),
        ("sm_13", "sm_13 or newer"),
        ("1.4", "PTX 1.4"),
        ("8.6 sm_90 ptxas 13.4", "PTX 8.6, sm_90 or newer; ptxas of CUDA 13.4 or newer"),
        ("6.0 ptxas until 13.1", "PTX 6.0; ptxas before CUDA 13.1"),
        ("6.0 ptxas", "PTX 6.0; ptxas, contrary to the manual"),
        ("6.0 ptxas 13.1 until 13.4", "PTX 6.0; ptxas of CUDA 13.1 or newer, before 13.4"),
    ],
)
def test_gates_in_words(gate, words):
    assert Gate.parse(gate).describe() == words
    assert str(Gate.parse(gate)) == gate


@pytest.mark.parametrize(
    ("gate", "version", "target", "need"),
    [
        ("7.4 sm_70", "7.4", "sm_70", None),
        ("7.4 sm_70", "7.3", "sm_70", "PTX 7.4"),
        ("7.4 sm_70", "7.4", "sm_60", "sm_70 or newer"),
        ("7.4 sm_70", "7.3", "sm_60", "PTX 7.4 and sm_70 or newer"),
        ("8.6 sm_100a or 8.8 sm_100f", "8.6", "sm_100f", "PTX 8.8"),  # a newer version is enough
        ("8.6 sm_100a or 8.8 sm_100f", "8.8", "sm_90a", "sm_100a or the sm_100f family"),
        ("7.8 sm_90 or 8.1 sm_89", "8.1", "sm_80", "sm_89 or newer"),
        ("8.6 sm_100a or 8.8 sm_100f", "8.6", "sm_90a", "sm_100a"),  # what is open at this version already
        ("1.0 until 6.4 sm_70", "6.3", "sm_70", None),
        ("1.0 until 6.4 sm_70", "6.4", "sm_60", None),
        ("1.0 until 6.4 sm_70", "6.4", "sm_70", "PTX 6.3 or older or a target before sm_70"),
    ],
)
def test_what_a_module_lacks(gate, version, target, need):
    found = Gate.parse(gate).why_not(Version.parse(version), Target.parse(target))
    assert (found and found.describe()) == need
    assert Gate.parse(gate).allows(Version.parse(version), Target.parse(target)) is (need is None)


@pytest.mark.parametrize(
    ("gate", "takers"),
    [
        ("6.0", "any all latest 12.9 13.5"),
        ("6.0 ptxas 13.4", "any latest 13.5"),
        ("6.0 ptxas until 13.4", "any 12.9"),
        ("6.0 ptxas 13.0 until 13.4", "any"),
        ("6.0 ptxas", "any 12.9 13.5"),
    ],
)
def test_releases_of_ptxas_differ(gate, takers):
    judges = {judge.value: judge for judge in AcceptancePolicy} | {"12.9": Version(12, 9), "13.5": Version(13, 5)}
    module = (Version(6, 0), Target.parse("sm_70"))
    assert " ".join(name for name, judge in judges.items() if Gate.parse(gate).allows(*module, judge)) == takers


def test_what_only_old_releases_take_ends_with_the_versions_that_they_read():
    gate, target = Gate.parse("6.0 ptxas until 13.1"), Target.parse("sm_70")
    assert gate.allows(Version(9, 0), target)  # CUDA 13.0 reads PTX 9.0
    assert not gate.allows(Version(9, 1), target)


def test_another_ptxas_is_enough():
    """Of two ways to pass that are shut, the one that only another release keeps shut is named."""
    gate = Gate.parse("8.6 sm_90").either(Gate.parse("6.0 ptxas until 13.1"))
    assert gate.allows(Version(8, 0), Target.parse("sm_90"))
    need = gate.why_not(Version(8, 0), Target.parse("sm_90"), AcceptancePolicy.ALL)
    assert need is not None
    assert need.describe() == "ptxas before CUDA 13.1"
