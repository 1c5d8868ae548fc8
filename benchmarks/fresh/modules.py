"""Modules of a wanted length: fresh sources are compiled, in several ways and for several targets, and joined."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.fresh.sources import Source, sources
from benchmarks.making import compiling
from benchmarks.making.joining import join
from benchmarks.making.sources import MODES

LENGTHS = {"1k": 1_000, "10k": 10_000, "100k": 100_000, "1m": 1_000_000}

_TARGETS = ("sm_90a", "sm_100a", "sm_120a")
"""Targets of whole modules."""

_OLDER = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120")
"""Targets of parts: code for an older target is legal for every newer one."""

_WAYS = {"plain": 12, "lineinfo": 6, "unoptimised": 3, "debug": 2}
"""Modes of compilation and how often each is chosen, of 23."""

_LINES_OF_A_USE = 8_000
"""One instantiation for that many missing lines is compiled at once, so that a short module has parts of many kinds."""

_MOST_USES = 30
_TOGETHER = 8
"""Compilations planned at once. Not the number of processors: the same seed has to give the same module everywhere."""

_DEBUG_SECTION = "\t.section\t.debug_info"
_TARGET_LINE = re.compile(r"^\.target .*$", re.MULTILINE)


class Part(NamedTuple):
    """A compilation: text of the source, its name, target and mode."""

    name: str
    text: str
    target: str
    mode: str


def make(length: str, seed: int, nvcc: str, report: Callable[[str], None]) -> str:
    """A module of about that many lines (a key of :data:`LENGTHS`); the same for the same seed and compiler."""
    random = Random(f"{seed} {length}")
    target = random.choice(_TARGETS)
    wanted, lines = LENGTHS[length], 0
    parts: list[str] = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        while lines < 0.97 * wanted:
            planned = list(_plan(random, target, wanted - lines))
            for text in pool.map(lambda part: _compile(part, nvcc), planned):
                count = text.count("\n")
                if lines + count <= 1.02 * wanted:
                    parts.append(text)
                    lines += count
            report(f"{length}: {lines:,} of {wanted:,} lines for {target}")
    debug = ", debug" if any(_DEBUG_SECTION in part for part in parts) else ""
    return _TARGET_LINE.sub(f".target {target}{debug}", join(parts), count=1)


def _plan(random: Random, target: str, missing: int) -> Iterator[Part]:
    """Some compilations; sources that are legal for the target alone are chosen twice as often."""
    own = _number(target)
    choices: list[Source] = [one for one in sources() if one.compiles_for(target)]
    choices += [one for one in choices if one.exactly]
    uses = min(math.ceil(missing / _LINES_OF_A_USE), _MOST_USES)
    for _ in range(_TOGETHER):
        source = random.choice(choices)
        fitting = [older for older in _OLDER if _number(older) <= own and source.compiles_for(older)] or [target]
        mode = random.choices(list(_WAYS), list(_WAYS.values()))[0]
        yield Part(source.name, source.instantiated(random, uses), random.choice(fitting), mode)


def _number(target: str) -> int:
    return int(re.sub(r"\D", "", target))


def _compile(part: Part, nvcc: str) -> str:
    """The PTX of a part."""
    options = ["-ptx", "-std=c++17", f"-arch={part.target}", "-w", *MODES[part.mode]]
    return compiling.compile_text(part.text, f"{part.name}.cu", [nvcc, *options])


def write(length: str, seed: int, nvcc: str, folder: Path, report: Callable[[str], None]) -> Path:
    """Put a module into a folder as ``1k.ptx`` …; the path."""
    path = folder / f"{length}.ptx"
    path.write_text(make(length, seed, nvcc, report), encoding="utf-8")
    return path
