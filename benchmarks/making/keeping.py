"""Which PTX files the repository holds, and writing them.

A file of about a thousand, ten thousand and a hundred thousand lines, for the measurements of speed, and a choice of
single files of all targets and modes. Compressed, since together they are more than 250,000 lines.
"""

from __future__ import annotations

import lzma
import sys
from pathlib import Path

from benchmarks import assembler
from benchmarks.making.joining import join
from benchmarks.making.sources import FOLDER, LLVM, MODES, sources, targets_of

CUB = ("reduce_select", "sort_scan")
"""The sources whose PTX is long."""

_MUCH_INLINED = (*CUB, "atomics")
"""The sources of which ``.loc`` lines would make a third."""

_HAND_WRITTEN = ("scoped_asm", "tensor_cores")
_MIDDLE = ("atomics", "bulk_copies", "gemm", "integers", "small_floats", "tensor_cores", "warpgroups")
_JOINED_TARGET = "sm_90a"
_TARGETS = {
    "lineinfo": ("sm_80", "sm_86", "sm_89", "sm_120"),
    "unoptimised": ("sm_75", "sm_89", "sm_90", "sm_120a"),
    "debug": ("sm_100a", "sm_86", "sm_90", "sm_103a", "sm_120"),
}
"""The targets of which a mode is kept; other modes are kept for all."""

_ALL_WAYS = {"descriptor_iterators": ("plain", "unoptimised", "debug")}
"""The sources that are there for the ways they can be compiled in: of those all targets are kept."""

_LARGEST_UNOPTIMISED = 20_000
"""Lines; unoptimised code is long and says little new, with debug sections even less."""


def keep(folder: Path, ptxas: str) -> int:
    """Write the selection out of the compiled files in ``folder``; the number of files that ptxas refuses."""
    for old in FOLDER.glob("*.ptx.xz"):
        old.unlink()
    texts = _joined(folder) | _singles(folder)
    refused = 0
    for name, text in sorted(texts.items()):
        verdict = assembler.judge(text, ptxas)
        if not verdict.accepted:
            refused += 1
            print(f"{name}: ptxas refuses it: {verdict.errors[:1]}", file=sys.stderr)
        packed = lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)
        (FOLDER / f"{name}.xz").write_bytes(packed)
    lines, size = sum(text.count("\n") for text in texts.values()), sum(f.stat().st_size for f in FOLDER.glob("*.xz"))
    print(f"kept {len(texts)} files, {lines:,} lines, {size / 1e6:.2f} MB compressed")
    return refused


def _joined(folder: Path) -> dict[str, str]:
    """The files of round sizes: in the biggest, what does not grow too much has ``.loc`` lines."""

    def read(name: str, mode: str) -> str:
        return (folder / f"{name}.{_JOINED_TARGET}.{mode}.ptx").read_text(encoding="utf-8")

    everything = [source.stem for source in sources() if _JOINED_TARGET in targets_of(source)]
    return {
        "f1k.ptx": join(read(name, "plain") for name in _HAND_WRITTEN),
        "f10k.ptx": join(read(name, "plain") for name in _MIDDLE),
        "f100k.ptx": join(read(name, "plain" if name in _MUCH_INLINED else "lineinfo") for name in everything),
    }


def _singles(folder: Path) -> dict[str, str]:
    """Single files: all but CUB plain for each target, the other modes for some."""
    chosen: dict[str, str] = {}
    for path in sorted(folder.glob("*.sm_*.ptx")):
        source, target, mode, _ = path.name.split(".")
        if source in _ALL_WAYS:
            if mode in _ALL_WAYS[source]:
                chosen[path.name] = path.read_text(encoding="utf-8")
            continue
        if source in CUB or mode not in (*MODES, LLVM) or target not in _TARGETS.get(mode, (target,)):
            continue
        text = path.read_text(encoding="utf-8")
        if mode in ("plain", "lineinfo") or text.count("\n") <= _LARGEST_UNOPTIMISED:
            chosen[path.name] = text
    for name in ("sort_scan.sm_75.plain.ptx", "reduce_select.sm_100a.plain.ptx"):
        chosen[name] = (folder / name).read_text(encoding="utf-8")
    return chosen
