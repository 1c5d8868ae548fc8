"""What newer versions and other targets have."""

from __future__ import annotations

import pytest

from ptx_lsp.isa.completion.newer import newer_offers, opcode_names, opcode_of, short_need
from ptx_lsp.isa.completion.offers import offers
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version

MODULES = [("6.0", "sm_50"), ("7.0", "sm_80"), ("8.6", "sm_90a"), ("9.4", "sm_100a")]


def newer(opcode, target="sm_80", version="7.0"):
    found = newer_offers(opcode_of(opcode), Version.parse(version), Target.parse(target))
    return {word: short_need(need) for word, need in found.items()}


def names(target="sm_80", version="7.0"):
    found = opcode_names(Version.parse(version), Target.parse(target))
    return {name: short_need(need) if need else "" for name, need in found.items()}


def test_a_newer_version_is_asked_for_before_another_target():
    assert newer("ld", "sm_90", "7.8")[".param::entry"] == "PTX 8.3"
    assert names()["szext"] == "PTX 7.6"


def test_another_target_alone():
    assert newer("add", "sm_90", "8.6")[".f32x2"] == "sm_100"


def test_both():
    assert newer("ld")[".shared::cluster"] == "PTX 7.8 sm_90"
    assert names()["wgmma.fence"] == "PTX 8.0 sm_90a"


def test_the_version_is_one_that_knows_the_target():
    assert names()["tcgen05.alloc"] == "PTX 8.6 sm_100a"


def test_nothing_that_the_module_has():
    assert names()["cp.async"] == ""
    assert ".global" not in newer("ld")


def test_nothing_that_newer_modules_have_lost():
    assert ".bulk" not in newer("vote")
    assert newer("wgmma.fence", "sm_90a", "8.0") == {}


@pytest.mark.parametrize(("version", "target"), MODULES)
def test_with_what_is_lacking_an_instruction_exists(version, target):
    here = Version.parse(version), Target.parse(target)
    for name, need in opcode_names(*here).items():
        if need is not None:
            there = need.version or here[0], need.targets[0] if need.targets else here[1]
            assert opcode_names(*there)[name] is None, name


@pytest.mark.parametrize("mnemonic", ["ld", "cvt", "add", "tcgen05", "mbarrier", "fence", "atom", "mma", "redux"])
@pytest.mark.parametrize(("version", "target"), MODULES)
def test_with_what_is_lacking_a_qualifier_is_offered(version, target, mnemonic):
    here = Version.parse(version), Target.parse(target)
    for word, need in newer_offers((mnemonic,), *here).items():
        there = need.version or here[0], need.targets[0] if need.targets else here[1]
        assert word in offers((mnemonic,), *there)
        assert word not in offers((mnemonic,), *here)
