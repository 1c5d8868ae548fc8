"""Fresh files for measuring: what can be tested without a CUDA toolkit."""

from __future__ import annotations

import re
from random import Random

import pytest

from benchmarks.fresh.modules import _plan
from benchmarks.fresh.sources import sources
from benchmarks.making.joining import join

SOURCES = sources()
FUNCTION = ".func {name}()\n{{\n\tmin.s32 \t%r1, %r1, %r2;\n\tcall {name}, ();\n}}\n"
HEADER = ".version 9.0\n.target sm_90a\n.address_size 64\n"


@pytest.mark.parametrize("source", SOURCES, ids=lambda one: one.name)
def test_instantiations_have_a_value_for_each_parameter(source):
    assert source.least or source.exactly
    used = set(re.findall(r"\{(\w+)\}", "".join(source.uses)))
    assert used == set(source.parameters)


def test_a_seed_repeats_a_plan():
    assert list(_plan(Random("7 10k"), "sm_90a", 10_000)) == list(_plan(Random("7 10k"), "sm_90a", 10_000))
    assert list(_plan(Random("7 10k"), "sm_90a", 10_000)) != list(_plan(Random("8 10k"), "sm_90a", 10_000))


def test_only_sources_that_are_legal_for_the_target_are_planned():
    planned = {part.name for seed in range(40) for part in _plan(Random(seed), "sm_120a", 1000)}
    assert planned == {source.name for source in SOURCES if source.compiles_for("sm_120a")}
    assert "hopper" not in planned


def test_names_that_clash_are_renamed_and_opcodes_are_not():
    joined = join([HEADER + FUNCTION.format(name="min")] * 2)
    assert joined.count("min.s32") == 2
    assert joined.count("call min, ()") == joined.count("call min_1, ()") == 1


def test_labels_of_debug_sections_stay_apart():
    section = "\t.section\t.debug_loc\n\t{\n$L__debug_loc0:\n.b8 0\n\t}\n"
    assert join([HEADER + section] * 2).count("$L__debug_loc0_") == 2
