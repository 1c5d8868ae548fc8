"""What can come next in an opcode."""

from __future__ import annotations

import random
import re
from itertools import islice

import pytest

from benchmarks import kept
from ptx_lsp.isa.build.samples import samples
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.completion.offers import endings, is_complete, offers, readings
from ptx_lsp.isa.model.language_level import language_level
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from tests.isa.statements import read

HEADER = re.compile(r"^\.version (\S+)\n\.target (\w+)", re.MULTILINE)
OPCODE = re.compile(r"^\s*(?:@!?%\w+ )?([a-z]\w*(?:\.[\w:]+)*)\s[^:]*;", re.MULTILINE)


def offered(text, target="sm_90a", version="8.6"):
    return offers(read(text)[0], Version.parse(version), Target.parse(target))


def complete(text, target="sm_90a", version="8.6"):
    return is_complete(read(text)[0], Version.parse(version), Target.parse(target))


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


def test_any_order_but_for_types_and_the_like():
    assert ".rn" in offered("cvt.f16.f32")
    assert ".f16" in offered("cvt.rn")
    assert ".row" in offered("wmma.mma.sync.aligned")
    assert ".row" not in offered("wmma.mma.sync.aligned.col.col")


def test_whole_spellings():
    assert complete("add.s32")
    assert complete("cvt.f16.f32.rn")
    assert not complete("add")
    assert not complete("cvt.f16.f32"), "wants a rounding"


def test_endings_keep_what_is_written():
    module = language_level(Version(8, 6), Target.parse("sm_90a"))
    found = readings(("cvt", ".f16", ".f32"), module)
    rests = {reading.rest(values) for reading in found for values in endings(reading, module)}
    assert (".rn",) in rests
    assert (".rn", ".relu", ".satfinite") in rests
    assert () not in rests


@pytest.mark.parametrize("instruction", catalogue().instructions, ids=str)
def test_nothing_legal_is_missing(instruction):
    """Every qualifier of a sample is offered behind those before it."""
    version, target = Version(9, 4), Target.parse("sm_100a")
    for forms in instruction.prepared.values():
        for form in forms[:4]:
            for sample in islice(samples(form, version, target, random.Random(1)), 2):
                for end in range(1, len(sample.opcode)):
                    assert sample.opcode[end] in offers(sample.opcode[:end], version, target)
                assert is_complete(sample.opcode, version, target)


@pytest.mark.parametrize("name", kept.names())
def test_nothing_that_nvcc_writes_is_missing(name):
    text = kept.read(name)
    version, target = HEADER.search(text).groups()
    opcodes = {words for words in (read(opcode)[0] for opcode in OPCODE.findall(text)) if catalogue().candidates(words)}
    assert opcodes
    for opcode in opcodes:
        for end in range(1, len(opcode)):
            assert opcode[end] in offered("".join(opcode[:end]), target, version), opcode
        assert complete("".join(opcode), target, version), opcode
