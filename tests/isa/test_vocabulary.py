"""The words of the language outside the pages."""

from __future__ import annotations

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.target import Target
from ptx_lsp.isa.version import Version

WORDS = catalogue().vocabulary


def test_types_and_where_they_live():
    assert WORDS.types[".bf16x2"].bits == 32
    assert WORDS.types[".bf16x2"].holder == ".b32"
    assert WORDS.types[".s32"].holder == ""


def test_packed_types_live_where_the_forms_say():
    for name, holder in catalogue().shared.holders.items():
        assert WORDS.types[name].holder == holder


def test_special_registers():
    assert WORDS.special_registers["%tid"].vector == 4
    assert WORDS.special_registers["%clock64"].type == ".u64"
    assert WORDS.special_registers["%envreg31"].words
    assert not WORDS.special_registers["%pm7"].gate.allows(Version(2, 3), Target(20))


def test_versions_and_targets():
    assert WORDS.versions[Version(8, 6)] == "12.7"
    assert WORDS.targets["sm_90a"].version == (8, 0)
    assert WORDS.targets["sm_88"].version == (9, 0)
    assert WORDS.newest_version == (9, 5)


def test_directives_have_words():
    assert WORDS.directives[".maxntid"].place == "entry"
    assert all(word.words for word in WORDS.directives.values())


def test_all_instructions_of_the_manual_are_listed():
    assert {"add", "wgmma.mma_async", "tcgen05.mma", "clmad"} <= set(WORDS.mnemonics)
    assert len(WORDS.mnemonics) > 200
