"""The manual's instructions: which of them have a page.

``manual_mnemonics.txt`` lists the names under which the PTX ISA manual, up to 9.4, tells about instructions.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.form import literals

NAMES = (Path(__file__).parent / "manual_mnemonics.txt").read_text(encoding="utf-8").split()

WITHOUT_A_PAGE = set(
    "applypriority.async.bulk applypriority.async.bulk.tensor clmad fabric.submit fabric.try_get fabric.try_pullred"
    " fabric.try_put fabric.try_red fabric.wait multimem.cp.async.bulk multimem.cp.reduce.async.bulk spcompress"
    " spdecompress tcgen05.ld.spcompress vabsdiff2 vadd2 vavrg2 vmad vmax2 vmin2 vset vset2 vset4 vshl vshr"
    " vsub2".split()
)
"""Known by name alone: what they are written with is not checked. Whoever writes a page takes its names out."""


def test_names_stand_once_and_in_order():
    assert sorted(set(NAMES)) == NAMES
    assert set(NAMES) >= WITHOUT_A_PAGE


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_known_and_has_a_page(name):
    assert name in catalogue().vocabulary.mnemonics
    assert _has_a_page(name) is (name not in WITHOUT_A_PAGE)


def _has_a_page(name: str) -> bool:
    """Whether a form of some page spells the name, perhaps among further qualifiers."""
    mnemonic, *rest = name.split(".")
    wanted = {"." + part for part in rest}
    opcode = (mnemonic, *("." + part for part in rest))
    for instruction in catalogue().beginning_with(opcode):
        for form in instruction.forms:
            words = {"." + part for part in form.mnemonic.split(".")[1:]}
            for slot in form.slots:
                words |= {word for group in slot.groups for word in literals(group.words) if word is not None}
            if wanted <= words:
                return True
    return False
