"""The meanings of prefixes of registers as one value: of a scope, equal only where all prefixes mean the same."""

from __future__ import annotations

import random
import tracemalloc

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.scopes import groups_key
from ptx_lsp.analysis.symbols.symbols import Scope
from ptx_lsp.syntax.document import Document
from tests.load.texts import GENERATORS
from tests.load.texts.shapes import HEADER

PREFIXES = ("%a", "%b", "c", "%d")


def scopes_of(text: str) -> list[Scope]:
    """The scopes of all statements, each once."""
    module = Module(Document(text))
    segments = (one for function in module.functions for some in function.segments.values() for one in some)
    return list(dict.fromkeys(segment.scope for segment in segments))


def nest(chance: random.Random, depth: int) -> str:
    """Statements that declare some registers, and blocks with others."""
    declared = [
        f".reg {chance.choice(['.b32', '.f32'])} {chance.choice(PREFIXES)}{chance.choice(['<5>', '<9>', '7'])};"
        for _ in range(chance.randrange(3))
    ]
    blocks = [f"{{ {nest(chance, depth - 1)} }}" for _ in range(chance.randrange(3) if depth else 0)]
    return " ".join([*declared, "mov.b32 %a1, 7;", *blocks])


def test_they_are_the_meanings_in_the_scope_and_equal_if_these_are():
    chance = random.Random(7)
    scopes = scopes_of(HEADER + "".join(f".func f{n}() {{ {nest(chance, 4)} }}\n" for n in range(20)))
    known: dict[object, list[int | None]] = {}
    for scope in scopes:
        codes = [scope.prefix_code(prefix) for prefix in PREFIXES]
        assert [groups_key(scope).code(prefix) for prefix in PREFIXES] == codes
        assert known.setdefault(groups_key(scope), codes) == codes
    assert len(known) < len(scopes)


def test_a_block_with_a_group_does_not_repeat_those_around_it():
    scopes = scopes_of(GENERATORS["groups of registers, then blocks with groups"](60_000))
    tracemalloc.start()
    try:
        for scope in scopes:
            groups_key(scope)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(scopes) > 300
    assert most < 3000 * len(scopes)


def test_a_nest_of_thousands_of_blocks_is_compared_without_recursion():
    blocks = "".join(f"{{ .reg .b32 %g{number}_<3>; " for number in range(3000))
    first, second = (scopes_of(f"{HEADER}.func f() {{ {blocks}{'}' * 3001}\n")[-1] for _ in range(2))
    assert groups_key(first) == groups_key(second)
    assert groups_key(first).code("%g0_") is not None
