"""Hovers of every page fit every editor: a sampled spelling of each form, each of its qualifiers and operands."""

from __future__ import annotations

import random
import re
from itertools import islice

import pytest

from benchmarks.certification.writing import Writer
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.hover import hover
from ptx_lsp.isa.build.samples import samples
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version

from .hovering import check_both

NEWEST = catalogue().vocabulary.newest_version
TARGETS = [
    catalogue().vocabulary.newest_target,
    *map(Target.parse, "sm_100a sm_103a sm_107a sm_110a sm_120a sm_90a sm_60".split()),
]
TOKEN = re.compile(r"\.?[%\w:]+|\S")
MODULES = [(NEWEST, target) for target in TARGETS]


def statements(page: InstructionPage) -> list[tuple[str, Version, Target]]:
    """A statement of each form, for the first of the modules that has it."""
    found = []
    chance = random.Random(1)
    for forms in page.prepared.values():
        for form in forms:
            for version, target in MODULES:
                sample = next(islice(samples(form, version, target, chance), 1), None)
                if sample is not None:
                    found.append((Writer().statement(sample.opcode, sample.operands), version, target))
                    break
    return found


@pytest.mark.parametrize("page", catalogue().instructions, ids=str)
def test_every_part_of_a_spelling(page: InstructionPage) -> None:
    spellings = statements(page)
    assert spellings
    for text, version, target in spellings:
        source = f".version {version}\n.target {target}\n.entry k() {{\n@%p {text}\n}}\n"
        semantics = Checker(source).semantics
        seen = set()
        for token in TOKEN.finditer(source, source.index("@"), source.index("\n}")):
            info = hover(semantics, token.start())
            if info is not None and info.span not in seen:
                seen.add(info.span)
                check_both(info)
        opcode = text.partition(" ")[0].rstrip(";")
        info = hover(semantics, source.index(text))
        assert info is not None
        assert info.code, text
        assert info.lead, text
        assert info.link is not None, text
        assert len(seen) >= 1 + opcode.count(".") // 2


@pytest.mark.parametrize("page", catalogue().instructions, ids=str)
def test_what_no_module_of_this_target_has(page: InstructionPage) -> None:
    """An old module: what does not fit says why, within the same limits."""
    for text, _, _ in statements(page)[:3]:
        source = f".version 1.0\n.target sm_10\n.entry k() {{\n{text}\n}}\n"
        info = hover(Checker(source).semantics, source.index(text))
        assert info is not None
        check_both(info)
