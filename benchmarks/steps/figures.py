"""The kept figures: what each measurement counted when they were written last, and with which Python."""

from __future__ import annotations

import json
import sys
from pathlib import Path

FILE = Path(__file__).parent / "figures.json"

PYTHON = f"{sys.version_info[0]}.{sys.version_info[1]}"
"""Releases of Python differ in what is a line that runs: figures of one say nothing about another."""

ALLOWED = 1.1
"""A count may exceed its kept figure by that factor."""

RENEW = "python -m benchmarks.steps --write"


def read() -> dict[str, int]:
    """The kept figures by name; none if they were counted with another release of Python."""
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    figures: dict[str, int] = kept["figures"]
    return figures if kept["python"] == PYTHON else {}


def write(figures: dict[str, int]) -> None:
    """Keep these figures from now on."""
    FILE.write_text(json.dumps({"python": PYTHON, "figures": figures}, indent=2) + "\n", encoding="utf-8")


def exceeded(counted: dict[str, int], kept: dict[str, int]) -> list[str]:
    """A sentence for each count that is too high.

    >>> exceeded({"check": 120, "start": 100}, {"check": 100, "start": 100})
    ['check: 120 steps, 20 % more than the 100 that are kept']
    """
    return [
        f"{name}: {count:,} steps, {count / kept[name] - 1:.0%} more than the {kept[name]:,} that are kept".replace(
            "%", " %"
        )
        for name, count in counted.items()
        if name in kept and count > ALLOWED * kept[name]
    ]
