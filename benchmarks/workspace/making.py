"""A large workspace: copies of all kept files, with other names of functions and variables in each."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks import kept
from benchmarks.making.joining import join

LARGE = "large.ptx"
"""The file that is larger than all others."""
_COPIES_IN_LARGE = 3
_FOLDERS = 40
_NAME = re.compile(
    r"^\.(?:[\w. ]+ )?\.?(?:entry|func)\s+(?:\([^)]*\)\s*)?([\w$]{6,})|"
    r"^\.(?:visible|weak) \.(?:global|const)\b(?: \.(?:align \d+|\w+))* ([\w$]{6,})",
    re.MULTILINE,
)
"""A function or variable that a file defines. Shorter names may be those of instructions."""


def make(folder: Path, megabytes: int) -> int:
    """Write files of this total size into a folder, unless they are there already; the number of files."""
    folder.mkdir(parents=True, exist_ok=True)
    done = folder / "complete.txt"
    if done.exists() and done.read_text() == str(megabytes):
        return sum(1 for _ in folder.rglob("*.ptx"))
    names = kept.names()
    texts = [(name, text, _defined(text)) for name in names for text in [kept.read(name)]]
    large = join([kept.read("f100k.ptx")] * _COPIES_IN_LARGE)
    (folder / LARGE).write_text(large, encoding="utf-8")
    size, count, copy = len(large), 1, 0
    while size < megabytes * 1_000_000:
        for name, text, defined in texts:
            renamed = text
            for one in defined:
                renamed = renamed.replace(one, f"{one}_{copy}")
            target = folder / f"module{count % _FOLDERS}" / f"copy{copy}.{name}"
            target.parent.mkdir(exist_ok=True)
            target.write_text(renamed, encoding="utf-8")
            size += len(renamed)
            count += 1
            if size >= megabytes * 1_000_000:
                break
        copy += 1
    done.write_text(str(megabytes))
    return count


def _defined(text: str) -> list[str]:
    """The names that a file defines, none of which contains another one: so each is replaced once."""
    found = sorted({match[1] or match[2] for match in _NAME.finditer(text)}, key=len)
    shortest: list[str] = []
    for name in found:
        if not any(other in name for other in shortest):
            shortest.append(name)
    return shortest
