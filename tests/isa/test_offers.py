"""What can come next in an opcode."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.offers import is_complete, offers
from ptx_lsp.isa.samples import samples
from ptx_lsp.isa.target import Target
from ptx_lsp.isa.version import Version
from tests.isa.statements import read


def offered(text, target="sm_90a", version="8.6"):
    return offers(read(text)[0], Version.parse(version), Target.parse(target))


def test_parts_of_names_come_first():
    assert set(offered("wgmma")) == {".commit_group", ".fence", ".mma_async", ".wait_group"}


def test_only_what_the_module_may_use():
    assert ".f32x2" not in offered("add")
    assert ".f32x2" in offered("add", "sm_100", "8.6")
    assert offered("tcgen05") == ()


def test_only_what_goes_with_what_is_written():
    assert ".sat" in offered("add.s32")
    assert ".rn" not in offered("add.s32")
    assert ".u32" not in offered("add.s32")


def test_whole_spellings():
    assert is_complete(("add", ".s32"), Version(8, 6), Target.parse("sm_90"))
    assert not is_complete(("add",), Version(8, 6), Target.parse("sm_90"))


@pytest.mark.parametrize("instruction", catalogue().instructions, ids=str)
def test_nothing_legal_is_missing(instruction):
    """Every qualifier of a sample is offered behind those before it."""
    version, target = Version(9, 4), Target.parse("sm_100a")
    for forms in instruction.prepared.values():
        for form in forms[:4]:
            for sample in islice(samples(form, version, target, random.Random(1)), 2):
                for end in range(1, len(sample.opcode)):
                    assert sample.opcode[end] in offers(sample.opcode[:end], version, target)
