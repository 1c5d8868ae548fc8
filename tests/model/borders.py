"""Chunk borders: an edited document in small chunks answers as one that is read anew in chunks of the usual size.

    python -m tests.model.borders [--seconds N] [--seed S]

In one process and without a server: hundreds of texts a minute, where the model-checked fuzz compares a few. Where
chunks end is a matter of former edits: no finding, no feature and no formatting may depend on it. Prints the seed of
each difference.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.formatting import Options, format_ranges
from ptx_lsp.features.formatting.on_type import format_on_type
from ptx_lsp.preferences import Format
from ptx_lsp.syntax import chunk
from ptx_lsp.text import Span

from ..features.test_after_edits import answers
from . import texts

_SIZES = (2, 3, 4, 6, 9, 17)
_LONGEST = 6000
_CHARACTERS = '{};\n\r,.:%[]()<>"/*ab01 @'
_STYLES = (Options.of(Format(style="nvcc")), Options.of(Format()))


@contextmanager
def chunks_of(size: int) -> Iterator[None]:
    """Documents get chunks of about so many statements."""
    usual = chunk.CHUNK_SIZE
    chunk.CHUNK_SIZE = size
    try:
        yield
    finally:
        chunk.CHUNK_SIZE = usual


def differences(seed: int) -> list[str]:
    """The names of the answers that differ for the text, edits and place of a seed."""
    draw = random.Random(seed)
    text = texts.document(draw)[:_LONGEST]
    with chunks_of(draw.choice(_SIZES)):
        checker = Checker(text)
        for _ in range(draw.randrange(5)):
            start = draw.randrange(len(text) + 1)
            span = Span(start, min(len(text), start + draw.choice((0, 0, 1, 3, 30))))
            new = _typed(draw)
            checker.edit(span, new)
            text = text[: span.start] + new + text[span.end :]
        offset, start = draw.randrange(len(text) + 1), draw.randrange(len(text) + 1)
        lines = Span(start, min(len(text), start + draw.randrange(400)))
        found = _all_answers(checker, text, offset, lines)
    fresh = _all_answers(Checker(text), text, offset, lines)
    return [name for name, answer in fresh.items() if found[name] != answer]


def _typed(draw: random.Random) -> str:
    kind = draw.random()
    if kind < 0.4:
        return texts.piece(draw)
    return texts.garbage(draw, 12) if kind < 0.6 else draw.choice(_CHARACTERS)


def _all_answers(checker: Checker, text: str, offset: int, lines: Span) -> dict[str, Any]:
    found = answers(checker, text, offset)
    found["findings"] = checker.diagnostics()
    for number, style in enumerate(_STYLES):
        found[f"formatting of lines {number}"] = format_ranges(checker.document, [lines], style)
        found[f"formatting on type {number}"] = format_on_type(checker.document, offset, ";", style)
    return found


def main() -> int:
    """Run the command; the exit status is 1 if something differed."""
    parser = argparse.ArgumentParser(prog="python -m tests.model.borders", description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    options = parser.parse_args()
    end, seed, wrong = monotonic() + options.seconds, options.seed, 0
    while monotonic() < end:
        for name in differences(seed):
            wrong += 1
            print(f"seed {seed}: {name} differs", flush=True)
        seed += 1
    print(f"seeds {options.seed} to {seed - 1}: {wrong} differences")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
