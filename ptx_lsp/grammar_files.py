"""Access to the language data: the folder ``grammar`` in the package, or next to the package in a checkout."""

from __future__ import annotations

import os
from functools import cache

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


@cache
def grammar_folder() -> str:
    """The folder with the pages, the vocabulary and the compiled forms."""
    installed = os.path.join(_PACKAGE, "grammar")
    return installed if os.path.isdir(installed) else os.path.join(os.path.dirname(_PACKAGE), "grammar")


@cache
def is_checkout() -> bool:
    """Whether the pages are part of a checkout, where they can be newer than the compiled forms."""
    return os.path.exists(os.path.join(os.path.dirname(grammar_folder()), "pyproject.toml"))


def grammar_file(path: str) -> str:
    """The file system path of a file in the grammar folder, given relative and with ``/``: ``isa/memory/ld.md``."""
    return os.path.join(grammar_folder(), *path.split("/"))


def read_grammar(path: str) -> str:
    """The text of a file of the grammar folder."""
    with open(grammar_file(path), encoding="utf-8") as stream:
        return stream.read()


def page_paths() -> list[str]:
    """The paths of all instruction pages: ``isa/memory/ld.md``."""
    return sorted(
        f"isa/{chapter.name}/{page.name}"
        for chapter in os.scandir(grammar_file("isa"))
        if chapter.is_dir()
        for page in os.scandir(chapter.path)
        if page.name.endswith(".md")
    )
