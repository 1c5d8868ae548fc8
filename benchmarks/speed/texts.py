"""The texts that are measured: the kept ones, and bigger ones made of them."""

from __future__ import annotations

import re
from itertools import cycle, islice
from pathlib import Path

from benchmarks import kept
from benchmarks.making.joining import join

_SIMPLE = re.compile(
    r"^\t(?!bra|ret|call|setp\S*\s+%p\d+\|)[a-z][\w.:]*\s+%[a-z]+\d+(?:, (?:%[a-z]+\d+|-?\d+))*;$", re.MULTILINE
)
_REGISTER = re.compile(r"%([a-z]+)(\d+)")
_TYPES = {"p": ".pred", "rs": ".b16", "r": ".b32", "rd": ".b64", "f": ".f32", "fd": ".f64"}


def write(name: str, folder: Path) -> Path:
    """Put a kept file into a folder, or ``f1M.ptx`` (ten times the biggest), or ``giant.ptx`` (one kernel)."""
    path = folder / name
    if not path.exists():
        biggest = "f100k.ptx"
        makers = {"f1M.ptx": lambda: join([kept.read(biggest)] * 10), "giant.ptx": lambda: _giant(kept.read(biggest))}
        text = makers[name]() if name in makers else kept.read(name)
        path.write_text(text, encoding="utf-8")
    return path


def _giant(text: str) -> str:
    """One kernel made of the arithmetic of a text."""
    simple = [line for line in _SIMPLE.findall(text) if all(prefix in _TYPES for prefix, _ in _REGISTER.findall(line))]
    counts: dict[str, int] = {}
    for prefix, number in _REGISTER.findall("\n".join(simple)):
        counts[prefix] = max(counts.get(prefix, 0), int(number) + 1)
    registers = [f"\t.reg {_TYPES[prefix]} \t%{prefix}<{count}>;" for prefix, count in sorted(counts.items())]
    header = ".version 9.0\n.target sm_90a\n.address_size 64\n\n.visible .entry giant()\n{"
    return "\n".join([header, *registers, *islice(cycle(simple), 100_000), "\tret;\n}\n"])
