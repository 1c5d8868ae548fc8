"""A repair is given up only if it costs more than it may."""

from __future__ import annotations

import random

import pytest

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.diagnosis.repair import Repairer
from ptx_lsp.isa.match import is_ever_spelled
from ptx_lsp.isa.model.language_level import DOCUMENTED

OPCODES = (
    ("ld", ".global", ".v4", ".u32", ".x"),
    ("st", ".async", ".weak", ".b32"),
    ("cp", ".async", ".bulk", ".shared::cluster", ".global"),
    ("mma", ".sync", ".m16n8k16", ".row", ".row", ".f16"),
    ("cvt", ".rn", ".f64", ".s32", ".sat", ".e4m3"),
)


@pytest.mark.parametrize("opcode", OPCODES, ids="".join)
def test_a_repair_within_its_bound_is_found(opcode: tuple[str, ...]) -> None:
    for page in catalogue().candidates(opcode):
        for form in random.Random(1).sample(page.prepared[opcode[0]], min(9, len(page.prepared[opcode[0]]))):
            full = Repairer(form, opcode, (), DOCUMENTED).repair()
            assert full is not None
            cost = full.cost + min(change.cost for change in full.changes)
            assert Repairer(form, opcode, (), DOCUMENTED).repair(cost) == full
            assert Repairer(form, opcode, (), DOCUMENTED).repair(-1) is None


def test_words_that_no_form_has() -> None:
    assert is_ever_spelled(("add", ".s32"))
    assert not is_ever_spelled(("add", ".s32", ".global"))
    assert not is_ever_spelled(("nothing", ".s32"))
