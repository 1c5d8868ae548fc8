"""The releases of ptxas that are asked."""

from __future__ import annotations

from typing import NamedTuple

from benchmarks import assembler
from ptx_lsp.isa.model.version import Version

_NEWEST = {Version(12, 9): Version(8, 8), Version(13, 0): Version(9, 0), Version(13, 5): Version(9, 4)}
"""The last version of PTX to ask each release about; 9.5 has no text yet."""


class Release(NamedTuple):
    """A ptxas."""

    path: str
    name: Version
    """That of its CUDA toolkit, which gates name: ``ptxas 13.4``."""
    newest: Version
    """The newest PTX to ask it about."""


def release_of(path: str) -> Release:
    """Which release a program is."""
    name = Version.parse(assembler.release(path))
    known = [newest for toolkit, newest in _NEWEST.items() if toolkit <= name]
    return Release(path, name, max(known, default=min(_NEWEST.values())))
