"""Possessive groups on Pythons that get them wrong."""

from __future__ import annotations

import re

import pytest

from ptx_lsp.patterns import compile_pattern, with_atomic_groups


@pytest.mark.parametrize(
    ("pattern", "atomic"),
    [
        (r"(?:a|b)*+", r"(?>(?:a|b)*)"),
        (r"(?:a(?:b|c)?+)++d", r"(?>(?:a(?>(?:b|c)?))+)d"),
        (r"(x){0,3}+y", r"(?>(x){0,3})y"),
        (r"\(*+[)*+]\)*+", r"\(*+[)*+]\)*+"),
        (r"[])*+](?:a)*[^]\]]*+", r"[])*+](?:a)*[^]\]]*+"),
        (r"\w++(?:a)+?", r"\w++(?:a)+?"),
    ],
)
def test_only_groups_are_rewritten(pattern, atomic):
    assert with_atomic_groups(pattern) == atomic
    re.compile(atomic)


def test_a_round_that_fails_gives_back_what_it_took():
    comment = compile_pattern(r"/\*(?:[^*]++|\*(?!/))*+\*/")
    assert comment.match("/* a ** b */ c")[0] == "/* a ** b */"
