"""The valid files that mutants are made of."""

from __future__ import annotations

from pathlib import Path

from benchmarks import kept

HANDWRITTEN = Path(__file__).parent.parent / "handwritten"
_LONGEST = 2_500
"""Lines of a compiled file: what is broken in a long one is broken in a short one, and much faster to check."""


def bases() -> dict[str, str]:
    """Texts by name: all that people wrote, and the compiled ones that are short."""
    texts = handwritten()
    for name in kept.names():
        text = kept.read(name)
        if text.count("\n") <= _LONGEST:
            texts[name] = text
    return texts


def handwritten() -> dict[str, str]:
    """The files that people wrote, with named registers, blocks and what no compiler writes."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(HANDWRITTEN.glob("*.ptx"))}
