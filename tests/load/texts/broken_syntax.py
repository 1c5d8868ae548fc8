"""Statements that are cut, joined or damaged, and brackets and marks that nothing closes or opens."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from .shapes import (
    CLOSED,
    HEADER_8_6,
    OPENED,
    USUAL,
    Generator,
    Piece,
    body,
    cycle,
    file_of,
    kernel_of,
    module,
    repeated,
    word,
)

CUT = "ld.global.nc.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1+16];"


def mangled(statements: str, mistakes: Callable[[random.Random, str], str]) -> Piece:
    """A kernel of right statements, each damaged by chance."""
    lines = statements.splitlines(keepends=True)

    def generate(size: int) -> str:
        chance = random.Random(size)
        return HEADER_8_6 + OPENED + repeated(size, lambda n: mistakes(chance, lines[n % len(lines)])) + CLOSED

    return generate


def without_a_mark(chance: random.Random, line: str) -> str:
    """A line that has lost one of its marks."""
    places = [place for place, mark in enumerate(line) if mark in ",;[]{}%.|+:"] or [0]
    place = chance.choice(places)
    return line[:place] + line[place + 1 :]


def doubled_word(chance: random.Random, line: str) -> str:
    """A line with a word twice."""
    words = line.split(" ")
    place = chance.randrange(len(words))
    return " ".join([*words[:place], words[place], *words[place:]])


def with_foreign_bytes(chance: random.Random, line: str) -> str:
    """A line with unprintable, accented or wide characters in it."""
    place = chance.randrange(len(line))
    return line[:place] + chance.choice("\x00\x01\x7f\x80\xff\u2028\ufeff\U0001f600é\x1b\r\f\v\\`$#?") + line[place:]


def half_a_line(chance: random.Random, line: str) -> str:
    """The beginning of a line."""
    return line[: chance.randrange(1, len(line))] + chance.choice(["", "\n"])


def swapped_words(chance: random.Random, line: str) -> str:
    """A line with its words in another order."""
    words = line.split()
    chance.shuffle(words)
    return " ".join(words) + "\n"


STATEMENTS: dict[str, Piece] = {
    "missing semicolons": lambda n: f"mov.b32 %r1, {n}\n",
    "missing commas": lambda n: f"add.s32 %r1 %r2, {n};\n",
    "open brackets": lambda n: f"ld.global.u32 %r1, [%rd1+{n};\n",
    "lonely words": lambda n: f"{word(n)};\n",
    "lonely marks": lambda n: ";,:"[n % 3] + "\n",
    "statements broken at each token": lambda n: f"add\n.s32\n%r{n % 9}\n,\n%r1\n,\n{n}\n;\n",
    "statements that end in the middle": lambda n: f"{CUT[: 1 + n % len(CUT)]}\n",
    "brackets that nothing closes, each row deeper": lambda n: (
        f"ld.global.u32 {'{' * (n % 30)}%r1, {'[' * (n % 60)}%rd1+{n}; call {'(' * (n % 50)}%r1, f{n};\n"
    ),
    "words made of registers, qualifiers and numbers": lambda n: (
        f"mov.b32%r{n}%r2.x:y,0x{n:x}.5e3.u32%p1@!%q{n}|_;{n}.v4{{%r{n}%rd1[%r2]}}.xyz;\n"
    ),
}
"""Statements of a kernel."""

PIECES: dict[str, Piece] = {
    "braces that nothing opened": lambda n: "}\n" * (n % 3),
    "instructions outside": lambda n: f"add.s32 %r1, %r2, {n};\n",
}
"""Pieces that stand outside of functions."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    **{name: partial(module, piece) for name, piece in PIECES.items()},
    "one long line": lambda size: body(lambda n: f"add.s32 %r1, %q{n}, {n}; ", size),
    "one kernel of empty statements": lambda size: body(lambda n: ";" * (1 + n % 7) + "\n", size),
    "one line without spaces": lambda size: body(
        lambda n: f"add.s32%r{n % 9},%r1,{n};ld.global.u32%r1,[%rd1+{n}];$_{n}:st.global.u32[%rd1],%r1;", size
    ),
    "right statements without one of their marks": mangled(USUAL, without_a_mark),
    "right statements with a word twice": mangled(USUAL, doubled_word),
    "right statements with foreign bytes": mangled(USUAL, with_foreign_bytes),
    "the beginnings of right statements": mangled(USUAL, half_a_line),
    "right statements, the words in another order": mangled(USUAL, swapped_words),
    "kernels that end early": file_of(
        lambda n: (OPENED + USUAL).replace(" k(", f" k{n}(")[: 200 + n * 37 % 800] + "\n"
    ),
    "opening brackets of every kind": file_of(lambda n: "([{<"[n * n % 4] + "\n" * (n % 5 == 0), OPENED),
    "statements between closing brackets": kernel_of(
        cycle("} add.s32 %r1, %r2, #; \n", ") ret ] ;\n", "> { } } .func f#( ;\n")
    ),
    "statements without white space, all in one line": kernel_of(
        lambda n: f"L{n}:@%p1add.s32%r1,%r2,{n};{{mov.b32%r1,%r2;}};;"
    ),
}
