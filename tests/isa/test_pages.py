"""All pages: that they say nothing impossible, and that what is compiled is what they say."""

from __future__ import annotations

import json
import random
from itertools import islice

import pytest

from ptx_lsp.grammar_files import page_paths, read_grammar
from ptx_lsp.isa.build.compiled import compile_pages
from ptx_lsp.isa.build.samples import samples
from ptx_lsp.isa.build.strict import check_page
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.match import match
from ptx_lsp.isa.model.form import PlaceKind, flatten
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.isa.pages.load import load_page
from ptx_lsp.isa.store.format import COMPILED, compiled_text, read_compiled

MODULES = [(Version(9, 4), Target.parse(name)) for name in ("sm_100a", "sm_90a", "sm_120a", "sm_60")]
ALL = catalogue().instructions


@pytest.mark.parametrize("path", page_paths())
def test_a_page_says_nothing_impossible(path):
    assert [str(error) for error in check_page(load_page(path))] == []


def test_the_compiled_form_is_what_the_pages_say():
    stored = json.loads(read_grammar(COMPILED))
    pages = json.loads(json.dumps(compile_pages()))
    changed = [path for path in pages["page"] if stored["sources"].get(path) != pages["sources"][path]]
    assert stored == pages, f"run 'python -m ptx_lsp.isa.build'; changed since: {changed}"


def test_of_the_compiled_form_only_the_names_of_each_page_are_read():
    text = read_grammar(COMPILED)
    whole, read = json.loads(text), read_compiled(text)
    pages = {path: [names, json.loads(page)] for path, (names, page) in read.pop("page").items()}
    assert pages == {path: [page[0], page] for path, page in whole["page"].items()}
    assert {**read, "page": whole["page"]} == whole
    assert compiled_text(whole) == text


@pytest.mark.parametrize("text", ["", "{}", '{"format":8}', '{"page":{\n}}', '{"page":{\n"isa/a.md":}}'])
def test_a_broken_compiled_form_is_an_error(text):
    with pytest.raises(ValueError, match=r"."):
        read_compiled(text)


@pytest.mark.parametrize("instruction", ALL, ids=str)
def test_samples_fit_the_form_they_are_made_from(instruction):
    chance = random.Random(1)
    for forms in instruction.prepared.values():
        for form in forms:
            for version, target in MODULES:
                for sample in islice(samples(form, version, target, chance), 3):
                    found = match(sample.opcode, sample.operands, version, target)
                    assert found is not None
                    assert found.mismatches == (), ("".join(sample.opcode), form.form.syntax)
                    assert found.form is form.form


@pytest.mark.parametrize("instruction", ALL, ids=str)
def test_every_part_has_words(instruction):
    """A bullet for each operand and each placeholder; a qualifier may be told by the vocabulary."""
    bullets = {bullet.name for bullet in instruction.words.bullets}
    vocabulary = catalogue().vocabulary
    silent = set()
    for form in instruction.forms:
        silent |= {operand.name for operand in flatten(form.operands) if operand.kind == "name"}
        for slot in form.slots:
            words = {word.removesuffix("*") for group in slot.groups for word in group.words} - {"-"}
            if slot.kind is PlaceKind.QUALIFIER and not words <= bullets:
                silent.add(slot.name)
    told = {*bullets, *vocabulary.qualifiers, *vocabulary.types, *vocabulary.spaces}
    assert silent - told == set()


@pytest.mark.parametrize("instruction", ALL, ids=str)
def test_a_page_links_to_the_manual(instruction):
    assert instruction.words.manual
