"""The PTX files that the repository holds compressed (``benchmarks/corpus/*.ptx.xz``)."""

from __future__ import annotations

import lzma
from pathlib import Path

FOLDER = Path(__file__).parent / "corpus"


def names() -> list[str]:
    """Names of all kept files, such as ``calls.sm_80.plain.ptx``."""
    return sorted(path.name.removesuffix(".xz") for path in FOLDER.glob("*.ptx.xz"))


def read(name: str) -> str:
    """The text of a kept file."""
    return lzma.decompress((FOLDER / f"{name}.xz").read_bytes()).decode()
