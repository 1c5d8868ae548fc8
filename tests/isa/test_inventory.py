"""The manual's instructions: which of them have a page.

``manual_mnemonics.txt`` lists the names under which the PTX ISA manual, up to 9.4, tells about instructions.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ptx_lsp.isa.catalogue import Catalogue, catalogue
from ptx_lsp.isa.model.form import literals
from ptx_lsp.isa.store.stored import open_library

NAMES = (Path(__file__).parent / "manual_mnemonics.txt").read_text(encoding="utf-8").split()

WITHOUT_A_PAGE: set[str] = set()
"""Known by name alone: what they are written with is not checked. Whoever writes a page takes its names out."""


def test_names_stand_once_and_in_order():
    assert sorted(set(NAMES)) == NAMES
    assert set(NAMES) >= WITHOUT_A_PAGE


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_known_and_has_a_page(name):
    assert name in catalogue().vocabulary.mnemonics
    assert _has_a_page(name) is (name not in WITHOUT_A_PAGE)


@pytest.mark.parametrize("name", catalogue().vocabulary.mnemonics)
def test_a_listed_name_is_never_unknown(name):
    opcode = _opcode(name)
    assert catalogue().status(opcode) != "unknown"
    assert catalogue().candidates(opcode) or catalogue().is_listed_only(opcode) or catalogue().beginning_with(opcode)


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("async", "applypriority.async.bulk"),  # 'applypriority' has a page
        ("matrix", "tcgen05.ld.spcompress"),  # 'tcgen05.ld' has one
        ("async", "multimem.cp.async.bulk"),  # names that begin with the same word have one
        ("data", "spcompress"),
    ],
)
def test_no_page_tells_about_a_longer_listed_name(folder, name):
    """If its own page were missing, the instruction would be known and unchecked, not one of the shorter name."""
    library = open_library()
    del library.names[f"isa/{folder}/{name}.md"]
    lacking, opcode = Catalogue(library), (*_opcode(name), ".x")
    assert catalogue().status(opcode) == "page"
    assert not catalogue().is_listed_only(opcode)
    assert lacking.candidates(opcode) == ()
    assert lacking.status(opcode) == "known"
    assert lacking.is_listed_only(opcode)


def test_a_longer_name_on_the_page_of_a_shorter_one_is_told_there():
    for name, page in (("add.cc", "add"), ("ld.global.nc", "ld"), ("rcp.approx.ftz.f64", "rcp")):
        instruction = catalogue().instruction(_opcode(name))
        assert instruction is not None
        assert page in instruction.names


def _opcode(name: str) -> tuple[str, ...]:
    mnemonic, *rest = name.split(".")
    return (mnemonic, *("." + part for part in rest))


def _has_a_page(name: str) -> bool:
    """Whether a form of some page spells the name, perhaps among further qualifiers."""
    opcode = _opcode(name)
    wanted = set(opcode[1:])
    for instruction in catalogue().beginning_with(opcode):
        for form in instruction.forms:
            words = {"." + part for part in form.mnemonic.split(".")[1:]}
            for slot in form.slots:
                words |= {word for group in slot.groups for word in literals(group.words) if word is not None}
            if wanted <= words:
                return True
    return False
