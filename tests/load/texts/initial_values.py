"""Initial values of variables: long lists, nested braces, and addresses of other variables."""

from __future__ import annotations

from functools import partial

from .shapes import HEADER, Generator, Piece, between, file_of, module, repeated

PIECES: dict[str, Piece] = {
    "variables with initial values": lambda n: f".global .u32 v{n}[4] = {{ {n}, {n + 1}, 0x{n:x}, -1 }};\n",
    "variables that name others": lambda n: f".global .u64 w{n} = w{n + 1};\n",
    "tables of functions": lambda n: f".global .u64 t{n}[2] = {{ f{n}, t{n // 2} }};\n",
    "tables that are too long": lambda n: f".const .u8 t{n}[2] = {{ {n}, 256, -1, 1.5, t{n + 1} }};\n",
    "arrays of many dimensions": lambda n: (
        f".global .b32 d{n}{'[1]' * (n % 99)}[{n}] = {'{' * (n % 98)}{n}, {n}.5{'}' * (n % 97)};\n"
    ),
}
"""Pieces that stand outside of functions."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(module, piece) for name, piece in PIECES.items()},
    "initializers with braces that nothing closes": partial(module, lambda n: f".global .b32 x{n}[] = {'{1,' * 99};\n"),
    "one long statement": lambda size: f"{HEADER}.global .b32 t[] = {{{repeated(size, lambda n: f'{n}, ')}}};\n",
    "initial values, a long list": file_of(lambda n: f"{n}, 0x{n:x}, -1, ", ".global .align 4 .b32 v[] = {", "0};\n"),
    "initial values, nested braces": file_of(
        lambda n: "{{1, 2}, {3}, {}}, ", ".const .s32 v[1000000][3][2] = { ", "{} };\n"
    ),
    "variables that hold the addresses of each other": file_of(
        lambda n: f".global .u64 v{n}[3] = {{ v{n // 2}, generic(v{max(0, n - 1)})+{n}, 0xff(v{n}) }};\n"
    ),
    "signs in an initializer": between(f"{HEADER}.global .u32 x = ", lambda n: "-~"[n % 2] + " ", "1;\n"),
    "choices in an initializer": between(f"{HEADER}.global .u32 x = ", lambda n: "1 ? 1 : ", "1;\n"),
    "one declaration of many initial values": between(f"{HEADER}.global .b32 a", lambda n: f", b{n} = 1", ";\n"),
}
