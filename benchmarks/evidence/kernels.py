"""The kernels of ``kernels/``: each text has a mistake and its correction.

A line that ends in ``//bug`` is only in the kernel with the mistake, one that ends in ``//right`` only in the right
kernel. The first line has the code of the rule and the mistake. Thread ``i`` of a right kernel stores the word
``FIRST + i``, which the source has at that place.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "kernels"
FIRST = 1000
"""The first word of the source."""

_ONLY = re.compile(r" //(bug|right)$")
_TITLE = re.compile(r"// (?P<code>W\d+): (?P<mistake>.+)")
_THREADS = re.compile(r"\.reqntid (\d+)")
_CLUSTER = re.compile(r"\.reqnctapercluster (\d+)")


class Kernel(NamedTuple):
    """A kernel with a mistake, and the right one."""

    name: str
    code: str
    """The rule that reports the mistake."""
    mistake: str
    text: str

    @property
    def wrong(self) -> str:
        """The kernel with the mistake."""
        return _only(self.text, "bug")

    @property
    def right(self) -> str:
        """The kernel without it."""
        return _only(self.text, "right")

    @property
    def threads(self) -> int:
        """The threads of a CTA."""
        return _number(_THREADS, self.text)

    @property
    def ctas(self) -> int:
        """The CTAs of the grid: those of one cluster."""
        return _number(_CLUSTER, self.text)


def kernels() -> list[Kernel]:
    """All kernels, by name."""
    return [_read(path) for path in sorted(FOLDER.glob("*.ptx"))]


def _read(path: Path) -> Kernel:
    text = path.read_text("utf-8")
    title = _TITLE.match(text)
    assert title is not None, path
    return Kernel(path.stem, title["code"], title["mistake"], text)


def _only(text: str, which: str) -> str:
    lines = []
    for line in text.split("\n"):
        only = _ONLY.search(line)
        if only is None or only[1] == which:
            lines.append(_ONLY.sub("", line))
    return "\n".join(lines)


def _number(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.search(text)
    return int(found[1]) if found else 1
