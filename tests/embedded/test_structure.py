"""The structure of a text is read without most of its instructions, and is that of the whole text."""

from __future__ import annotations

import random

import pytest

from ptx_lsp.checks.embedded import structure
from ptx_lsp.embedded.fragment import fragments_of
from ptx_lsp.hosts.find import find_sites
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.split import split
from tests.load.sources import HOSTS

MARKS = "{};,:%. \n[]@r0+"


def read(text: str) -> structure.Structure:
    structure._KNOWN.clear()
    return run_to_completion(structure.structuring(text))


@pytest.mark.parametrize("name", [*HOSTS][::3])
def test_it_is_that_of_all_statements(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    host, generator = HOSTS[name]
    chance = random.Random(name)
    texts = [fragment.text[:1000] for site in find_sites(generator(2000), host) for fragment in fragments_of(site)]
    for text in texts[:20]:
        characters = list(text)
        for _ in range(chance.randrange(3) if text else 0):
            characters[chance.randrange(len(characters))] = chance.choice(MARKS)
        changed = "".join(characters)
        found = read(changed)
        with monkeypatch.context() as patch:
            patch.setattr(structure, "_shaping_parts", split)
            assert read(changed) == found


def test_simple_instructions_are_left_out() -> None:
    text = "{ .reg .b32 t; @%p1 add.s32 t, %0, 1; mov.b64 %rd1, {t, t};\nL: st.global.u32 [%rd1+4], t; }"
    assert [part.strip() for part in structure._shaping_parts(text)] == ["{", ".reg .b32 t;", "L:", "}"]
