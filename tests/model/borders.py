"""Chunk borders: an edited document in small chunks answers as one that is read anew in chunks of the usual size.

    python -m tests.model.borders [--seconds N] [--seed S]

In one process and without a server: hundreds of texts a minute, where the model-checked fuzz compares a few. Where
chunks end is a matter of former edits: no finding, no feature and no formatting may depend on it. Prints the seed of
each difference.
"""

from __future__ import annotations

import argparse
import random
import re
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
_PLACES = 6
_REPEATING = 0.4
_REPEATED = 20_000
"""Characters, at most."""
_TYPED = re.compile(r"@!?|[\[{,.%:<(]|\.loc|[;\n]\s*|\b[a-z][\w.]*+\s")
"""After these an editor asks for completion, or the answer depends on the statements around."""
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
    """The names of the answers that differ for the text, edits and places of a seed."""
    draw = random.Random(seed)
    text = _text(draw)
    with chunks_of(draw.choice(_SIZES)):
        checker = Checker(text)
        for _ in range(draw.randrange(5)):
            start = draw.randrange(len(text) + 1)
            span = Span(start, min(len(text), start + draw.choice((0, 0, 1, 3, 30))))
            new = _typed(draw)
            checker.edit(span, new)
            text = text[: span.start] + new + text[span.end :]
        start = draw.randrange(len(text) + 1)
        lines = Span(start, min(len(text), start + draw.randrange(400)))
        places = _places(draw, text)
        found = _all_answers(checker, text, places, lines)
    fresh = _all_answers(Checker(text), text, places, lines)
    return [name for name, answer in fresh.items() if found[name] != answer]


def _text(draw: random.Random) -> str:
    """A document; some have lines in them so often that what is around them is beyond all bounds of a search."""
    text = texts.document(draw)[:_LONGEST]
    if draw.random() < _REPEATING:
        lines = text.splitlines(keepends=True)
        at = draw.randrange(len(lines) + 1)
        some = "".join(lines[at : at + draw.choice((1, 1, 2, 5))]) or "ret;\n"
        lines.insert(
            draw.choice((at, draw.randrange(len(lines) + 1))), some * (1 + draw.randrange(_REPEATED) // len(some))
        )
        text = "".join(lines)
    return text


def _places(draw: random.Random, text: str) -> list[int]:
    """Some offsets: half of them where something is typed."""
    typed = [found.end() for found in _TYPED.finditer(text)] or [0]
    return [draw.choice((draw.randrange(len(text) + 1), draw.choice(typed))) for _ in range(_PLACES)]


def _typed(draw: random.Random) -> str:
    kind = draw.random()
    if kind < 0.4:
        return texts.piece(draw)
    return texts.garbage(draw, 12) if kind < 0.6 else draw.choice(_CHARACTERS)


def _all_answers(checker: Checker, text: str, places: list[int], lines: Span) -> dict[str, Any]:
    found = {f"{name} at {place}": one for place in places for name, one in answers(checker, text, place).items()}
    found["findings"] = checker.diagnostics()
    for number, style in enumerate(_STYLES):
        found[f"formatting of lines in style {number}"] = format_ranges(checker.document, [lines], style)
        for place in places:
            name = f"formatting on type in style {number} at {place}"
            found[name] = format_on_type(checker.document, place, ";", style)
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
