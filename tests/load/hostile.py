"""Fifty kinds of hostile files, each made to a length in characters: many mistakes, many names, deep or long pieces.

A generator returns a text of about ``size`` characters; what it makes depends on nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

HEADER = ".version 8.0\n.target sm_90\n.address_size 64\n"
REGISTERS = ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>; .reg .f32 %f<9>;\n"


def repeated(size: int, piece: Callable[[int], str]) -> str:
    """Pieces, numbered from 0, until they have ``size`` characters."""
    pieces: list[str] = []
    length = 0
    while length < size:
        pieces.append(piece(len(pieces)))
        length += len(pieces[-1])
    return "".join(pieces)


def body(piece: Callable[[int], str], size: int, before: str = "") -> str:
    """A kernel with these statements."""
    return f"{HEADER}.visible .entry k(.param .u64 p)\n{{\n{REGISTERS}{before}{repeated(size, piece)}ret;\n}}\n"


def module(piece: Callable[[int], str], size: int) -> str:
    """These pieces outside of functions."""
    return HEADER + repeated(size, piece)


def half(first: Callable[[int], str], second: Callable[[int], str], size: int) -> str:
    """A kernel with statements of one kind and then of another."""
    return body(second, size // 2, before=repeated(size // 2, first))


def word(number: int) -> str:
    """A word of seven letters that looks random."""
    return "".join(random.Random(number).choices("abcdefghijklmnopqrstuvwxyz", k=7))


STATEMENTS: dict[str, Callable[[int], str]] = {
    "guards of undeclared predicates": lambda n: f"@%q{n} bra END;\n",
    "undeclared vectors": lambda n: f"ld.global.v4.u32 {{{word(n)}, %r1, %r2, %r3}}, [%rd1];\n",
    "labels and jumps to similar ones": lambda n: f"LABEL_{n}: bra LABEL_{n}x;\n",
    "jumps back": lambda n: f"B{n}: add.s32 %r1, %r1, 1; @%p1 bra B{n // 2};\n",
    "jumps on": lambda n: f"@%p1 bra F{n + 7}; F{n}:\n",
    "overlapping loops": lambda n: f"O{n}: add.s32 %r{n % 9}, %r1, 1; @%p1 bra O{max(n - 20, 0)};\n",
    "conditional writes": lambda n: f"@%p{n % 9} mov.b32 %r{n % 8}, %r{n % 7};\n",
    "nested blocks with names": lambda n: "{ .reg .b32 inner; mov.b32 inner, 1; }\n",
    "hidden names": lambda n: f"{{ .reg .b32 h{n % 50}; {{ .reg .b32 h{n % 50}; mov.b32 h{n % 50}, %r1; }} }}\n",
    "unused groups": lambda n: f".reg .b32 g{word(n)}<3>;\n",
    "large groups": lambda n: f".reg .b32 big{n}_<100000>; mov.b32 big{n}_{n}, 1;\n",
    "members beyond their group": lambda n: f"mov.b32 %r{n + 9}, 1;\n",
    "wrong types of results": lambda n: f"add.f64 %r{n % 9}, %f{n % 9}, %rd{n % 9};\n",
    "one operand too many": lambda n: f"mul.lo.s32 %r1, %r2, %r3, {n};\n",
    "an operand left out": lambda n: f"mul.lo.s32 %r{n % 9}, %r2;\n",
    "qualifiers in a wrong order": lambda n: f"ld.u32.global %r1, [%rd{n % 9}+{4 * n}];\n",
    "misspelt types": lambda n: f"add.s{n} %r1, %r2, %r3;\n",
    "misspelt parts of names": lambda n: f"cp.async.{word(n)}.group 0;\n",
    "numbers out of range": lambda n: f"bar.sync {n};\n",
    "masks of any kind": lambda n: f"lop3.b32 %r1, %r2, %r3, %r4, {n};\n",
    "constant expressions": lambda n: f"mov.u32 %r1, ({n} + 3) * (7 - {n}) / ({n} % 5);\n",
    "missing semicolons": lambda n: f"mov.b32 %r1, {n}\n",
    "missing commas": lambda n: f"add.s32 %r1 %r2, {n};\n",
    "open brackets": lambda n: f"ld.global.u32 %r1, [%rd1+{n};\n",
    "lonely words": lambda n: f"{word(n)};\n",
    "lonely marks": lambda n: ";,:"[n % 3] + "\n",
    "misspelt declarations": lambda n: f".regg .b32 {word(n)};\n",
    "declarations without a type": lambda n: f".reg {word(n)};\n",
    "comments": lambda n: f"/* {word(n)} */ // {n}\n",
    "pragmas": lambda n: f'.pragma "{word(n)} {n}";\n',
    "calls of unknown functions": lambda n: f"call (%r1), {word(n)}, (%r2);\n",
    "indirect calls": lambda n: f"P{n}: .callprototype _ (.param .b32 _); call %rd1, (%r1), P{n};\n",
    "tables of jumps": lambda n: f"T{n}: .branchtargets A{n}, A{n}; A{n}: brx.idx %r1, T{n};\n",
    "barriers and shared memory": lambda n: f"st.shared.u32 [%r1+{n}], %r2; bar.sync {n % 16};\n",
    "copies that nothing awaits": lambda n: "cp.async.ca.shared.global [%r1], [%rd1], 16;\n",
    "copies in groups": lambda n: f"cp.async.commit_group; cp.async.wait_group {n % 8};\n",
    "matrix work without a fence": lambda n: "wgmma.commit_group.sync.aligned; wgmma.fence.sync.aligned;\n",
    "wait loops": lambda n: f"W{n}: mbarrier.try_wait.shared.b64 %p1, [%r1], %rd1; @!%p1 bra W{n};\n",
    "locations": lambda n: f".loc 1 {n} {n % 99}\n",
}
"""Statements of a kernel, by what is hostile in them."""

PIECES: dict[str, Callable[[int], str]] = {
    "functions that call each other": lambda n: f".func f{n}() {{ call f{n + 1}, (); ret; }}\n",
    "functions with long heads": lambda n: f".func g{n}(.param .b32 a, .param .b64 b, .reg .f32 c) {{ ret; }}\n",
    "declarations of one function": lambda n: f".extern .func same (.param .b{8 << n % 4} x);\n",
    "variables with initial values": lambda n: f".global .u32 v{n}[4] = {{ {n}, {n + 1}, 0x{n:x}, -1 }};\n",
    "variables that name others": lambda n: f".global .u64 w{n} = w{n + 1};\n",
    "aliases": lambda n: f".alias a{n}, a{n + 1};\n",
    "files": lambda n: f'.file {n} "/{word(n)}/{n}.cu"\n',
    "sections": lambda n: f".section .debug_{word(n)} {{ .b32 {n} }}\n",
    "headers": lambda n: f".version {n % 9}.{n % 7}\n.target sm_{n % 130}\n",
    "kernels that are not closed": lambda n: f".entry open{n}()\n{{\nret;\n",
    "braces that nothing opened": lambda n: "}\n" * (n % 3),
}
"""What stands outside of functions."""

GENERATORS: dict[str, Callable[[int], str]] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    **{name: partial(module, piece) for name, piece in PIECES.items()},
    "declared names and similar ones": partial(
        half, lambda n: f".reg .b32 name{n}a;\n", lambda n: f"mov.b32 %r1, name{n}b;\n"
    ),
    "labels and misspelt ones": partial(half, lambda n: f"{word(n)}:\n", lambda n: f"bra {word(n)[:-1]};\n"),
    "one long line": lambda size: body(lambda n: f"add.s32 %r1, %q{n}, {n}; ", size),
    "one long statement": lambda size: f"{HEADER}.global .b32 t[] = {{{repeated(size, lambda n: f'{n}, ')}}};\n",
    "one deep nest": lambda size: body(lambda n: "{ " if n < size // 4 else "} ", size),
}
"""All generators by what is hostile in their texts."""
