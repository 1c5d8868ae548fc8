"""Reads the machine code of the kernels in a cubin, which is an ELF file of 64 bits."""

from __future__ import annotations

import struct
from collections import defaultdict
from typing import NamedTuple

_SECTION_TABLE = struct.Struct("<40xQ10xHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_SYMTAB, _RELA, _NOBITS, _REL = 2, 4, 8, 9
_CODE = (".text", ".nv.constant")
"""The sections of a kernel that count: instructions, and the constants that they read."""


class _Section(NamedTuple):
    name: str
    type: int
    data: bytes
    link: int


def machine_code(cubin: bytes) -> dict[str, bytes]:
    """For each kernel its instructions, constants and relocations; equal code has equal bytes.

    The name of the kernel does not count, wherever it is part of a symbol.
    """
    sections = _sections(cubin)
    kernels = {one.name.removeprefix(".text.") for one in sections if one.name.startswith(".text.")}
    found: defaultdict[str, bytearray] = defaultdict(bytearray)
    for section in sections:
        prefix, _, kernel = section.name.rpartition(".")
        if kernel not in kernels:
            continue
        if prefix.startswith(_CODE):
            found[kernel] += f"{prefix}:{len(section.data)}:".encode() + section.data
        elif section.type in (_REL, _RELA) and prefix.removeprefix(".rela").removeprefix(".rel").startswith(_CODE):
            found[kernel] += b"".join(_relocations(section, sections, kernel))
    return {kernel: bytes(code) for kernel, code in found.items()}


def _sections(cubin: bytes) -> list[_Section]:
    start, size, count, names = _SECTION_TABLE.unpack_from(cubin)
    headers = [_SECTION.unpack_from(cubin, start + size * at) for at in range(count)]
    texts = headers[names][4]
    return [
        _Section(_text(cubin, texts + name), kind, b"" if kind == _NOBITS else cubin[offset : offset + length], link)
        for name, kind, _, _, offset, length, link, *_ in headers
    ]


def _relocations(section: _Section, sections: list[_Section], kernel: str) -> list[bytes]:
    """Each with the name of its symbol instead of the number; sorted, since their order says nothing."""
    symbols = sections[section.link]
    texts = sections[symbols.link].data
    shape = struct.Struct("<QQq" if section.type == _RELA else "<QQ")
    found = []
    for offset, info, *addend in shape.iter_unpack(section.data):
        name, *_ = _SYMBOL.unpack_from(symbols.data, _SYMBOL.size * (info >> 32))
        symbol = _text(texts, name).replace(kernel, "")
        found.append(f"{offset}:{info & 0xFFFFFFFF}:{symbol}:{addend};".encode())
    return sorted(found)


def _text(data: bytes, start: int) -> str:
    return data[start : data.index(b"\0", start)].decode()
