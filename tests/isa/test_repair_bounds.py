"""A repair is given up only if it costs more than it may."""

from __future__ import annotations

import random

import pytest

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.diagnosis.repair import Repairer
from ptx_lsp.isa.match import is_ever_spelled, match
from ptx_lsp.isa.model.language_level import DOCUMENTED
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version

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


@pytest.mark.parametrize("opcode", [*OPCODES, ("add", ".s32"), ("mul", ".s32", ".lo"), ("cp", ".async", ".wait_all")])
def test_a_spelling_is_what_needs_no_repair(opcode: tuple[str, ...]) -> None:
    for page in catalogue().candidates(opcode):
        for form in page.prepared[opcode[0]]:
            full = Repairer(form, opcode, (), DOCUMENTED).repair()
            assert full is not None
            is_right = not full.mismatches and full.changes[0].mismatch is None
            assert Repairer(form, opcode, (), DOCUMENTED).is_spelled() == is_right


def test_words_that_surely_lack_too_much_are_not_placed(monkeypatch: pytest.MonkeyPatch) -> None:
    placed = []
    place = Repairer._place
    monkeypatch.setattr(Repairer, "_place", lambda *args: placed.append(args) or place(*args))
    opcode = ("mma", ".sync", ".aligned", ".m16n8k8", ".row", ".col", ".f64", ".u8", ".bf16", ".b1")
    match(opcode, (), Version(8, 0), Target(90))
    forms = [form for page in catalogue().candidates(opcode) for form in page.prepared["mma"]]
    assert 0 < len(placed) < len(forms) / 2


def test_words_that_no_form_has() -> None:
    assert is_ever_spelled(("add", ".s32"))
    assert not is_ever_spelled(("add", ".s32", ".global"))
    assert not is_ever_spelled(("nothing", ".s32"))
