"""``python -m editors.generate`` writes every generated file; ``--check`` says which are not as they would be made."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from editors.generate import (
    emacs,
    kate,
    language_configuration,
    manifest,
    snippets,
    sublime,
    textmate,
    vim,
)

MODULES = (
    emacs,
    kate,
    language_configuration,
    manifest,
    snippets,
    sublime,
    textmate,
    vim,
)
"""Each offers ``files()``: texts by their paths, from the folder ``editors`` on."""

EDITORS = Path(__file__).parent.parent


def files() -> dict[Path, str]:
    """All generated files: their texts by their paths.

    Raises:
        ValueError: if two modules make the same file.
    """
    made: dict[Path, str] = {}
    for module in MODULES:
        for path, text in module.files().items():
            if path in made:
                raise ValueError(f"{path} is made twice")
            made[path] = text
    return made


def stale() -> list[Path]:
    """The files that are missing, or differ from what is made now."""
    return [path for path, text in files().items() if _read(EDITORS / path) != text.encode()]


def main(arguments: list[str] | None = None) -> int:
    """Write the files that differ, or only name them."""
    parser = argparse.ArgumentParser(prog="python -m editors.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 if a file differs")
    only_check = parser.parse_args(arguments).check
    found = stale()
    made = files()
    for path in found:
        place = EDITORS / path
        if not only_check:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(made[path].encode())
        print(f"editors/{path.as_posix()} {'differs' if only_check else 'written'}")
    return 1 if only_check and found else 0


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


if __name__ == "__main__":
    sys.exit(main())
