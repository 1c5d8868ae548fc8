"""A text without line markers and block comments is split by a shorter pattern, in equal parts."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks import kept
from ptx_lsp.syntax import split

_PIECES = [
    ";",
    "{",
    "}",
    "\n",
    "\n\n",
    ":",
    ",",
    "@",
    "@%p1 ",
    "@@",
    '"',
    "\\",
    "/",
    "*/",
    "//",
    "(",
    "[",
    "=",
    ".",
    "%",
]
_PIECES += [
    ".loc 1 2 3",
    ".loc\t1 2",
    ".file 1",
    ".b8 1,",
    ".section .debug",
    ".reg",
    ".target sm_90,",
    ".entry f(",
    "L:",
]
_PIECES += [
    ".visible ",
    "ld.global.u32 %r1, [%rd1]",
    "{1, 2}",
    ".source_end",
    ", function_name $L, inlined_at 1 2 3",
    "é",
    "`",
]


@pytest.mark.parametrize("seed", range(20))
def test_the_shorter_pattern_finds_the_same(seed):
    random = Random(seed)
    text = kept.read("f1k.ptx")
    at = random.randrange(len(text))
    text = text[at : at + 3000]
    for _ in range(30):
        at = random.randrange(len(text) + 1)
        text = text[:at] + random.choice(_PIECES) + text[at + random.choice([0, 0, 1, 3, 30]) :]
        plain = text.replace("#", "").replace("/*", "")
        assert split.short_pattern().findall(plain) == split.long_pattern().findall(plain)


@pytest.mark.parametrize("mark", ["/* ; */", '# 12 "a;b"\n', '#line 12 "a;b"\n'])
def test_what_is_rare_is_found_by_the_longer_pattern(mark):
    assert split.split(f"{mark}ret;add;") == [f"{mark}ret;", "add;"]
