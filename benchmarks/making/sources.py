"""The sources of the corpus, CUDA and LLVM's, and the ways in which each is compiled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent.parent / "corpus"

MODES = {"plain": (), "lineinfo": ("-lineinfo",), "unoptimised": ("-Xcicc", "-O0"), "debug": ("-G",)}
"""Ways to compile, with nvcc's options: optimised, with ``.loc`` lines, unoptimised, with debug sections too."""

LLVM = "llvm"
"""The one way to compile LLVM's own language: as its NVPTX backend does."""

_TARGETS = re.compile(r"^(?://|;) targets: (.+)$", re.MULTILINE)


class Job(NamedTuple):
    """One compilation: a source, a target ("sm_90a") and a mode out of :data:`MODES`, or :data:`LLVM`."""

    source: Path
    target: str
    mode: str

    @property
    def file_name(self) -> str:
        """Name of the PTX file that comes out."""
        return f"{self.source.stem}.{self.target}.{self.mode}.ptx"


def sources() -> list[Path]:
    """All CUDA sources, by name."""
    return sorted(FOLDER.glob("*.cu"))


def llvm_sources() -> list[Path]:
    """All sources in LLVM's own language, by name."""
    return sorted(FOLDER.glob("*.ll"))


def targets_of(source: Path) -> list[str]:
    """The targets for which a source is legal: its comment ``// targets: sm_75 …`` says so."""
    found = _TARGETS.search(source.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{source.name}: a comment '// targets: …' is missing")
    return found[1].split()


def jobs() -> Iterator[Job]:
    """All compilations, the slow ones last: unoptimised CUB makes hundreds of thousands of lines."""
    for source in llvm_sources():
        for target in targets_of(source):
            yield Job(source, target, LLVM)
    for mode in MODES:
        for source in sources():
            for target in targets_of(source):
                yield Job(source, target, mode)
