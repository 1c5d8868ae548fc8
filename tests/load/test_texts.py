"""Each hostile text stands in one file, under a name that no other has."""

from __future__ import annotations

from pathlib import Path

from . import sources, texts


def test_no_name_occurs_twice() -> None:
    names = [
        *(name for part in texts.PARTS for name in part.GENERATORS),
        *(name for part in sources.PARTS for name in part.HOSTS),
    ]
    assert len(names) == len(set(names)) == len(texts.GENERATORS) + len(sources.HOSTS)


def test_each_file_takes_part() -> None:
    for package in (texts, sources):
        files = {path.stem for path in Path(package.__path__[0]).glob("*.py")} - {"__init__", "shapes"}
        assert {part.__name__.rpartition(".")[2] for part in package.PARTS} == files
