"""Where the accepted item stands in completion lists: ``python -m benchmarks.completion_ranks FILE.ptx …``.

At random places of the files the rest of the statement is deleted and a list is requested; what stood there is the item
that a user would accept. Printed are how often it is the first, among the first five and ten, in the list at all, and
the mean of 1/rank; for instructions, qualifiers and operands.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from pathlib import Path

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.completion import completion
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Instruction
from ptx_lsp.text import Span

_LARGEST = 12_000
"""Lines of a file; a longer one is cut at the end of a function."""


def main(arguments: list[str] | None = None) -> int:
    """Print a table of the ranks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--places", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    chooser = random.Random(options.seed)
    ranks: dict[str, list[int]] = defaultdict(list)
    share = max(options.places // len(options.files), 1)
    for path in options.files:
        _measure(_part(path.read_text("utf-8", errors="replace")), share, chooser, ranks)
    print("what          places  first   top 5  top 10  listed  mean 1/rank")
    for kind, found in sorted(ranks.items()):
        count = len(found)
        shares = [sum(1 for rank in found if 0 < rank <= most) / count for most in (1, 5, 10, 10**6)]
        mean = sum(1 / rank for rank in found if rank) / count
        print(f"{kind:12} {count:7,} " + " ".join(f"{one:6.1%} " for one in shares) + f"   {mean:.3f}")
    return 0


def _part(text: str) -> str:
    lines = text.splitlines(keepends=True)
    if len(lines) <= _LARGEST:
        return text
    end = next((at for at in range(_LARGEST, len(lines)) if lines[at].startswith("}")), len(lines) - 1)
    return "".join(lines[: end + 1])


def _measure(text: str, places: int, chooser: random.Random, ranks: dict[str, list[int]]) -> None:
    checker = Checker(text)
    document = checker.document
    wanted = [
        (document.chunk_start(number) + chunk.starts()[index], chunk, index)
        for number, chunk in enumerate(document.chunks)
        for index, shape in enumerate(chunk.shapes)
        if SHAPES[shape].kind == Kind.INSTRUCTION and not SHAPES[shape].errors
    ]
    for _ in range(places if wanted else 0):
        start, chunk, index = chooser.choice(wanted)
        statement = chunk.statement(index)
        tree = statement.shape.tree
        assert isinstance(tree, Instruction)
        kind, at, accepted = _place(tree, statement.text, [span[1:] for span in statement.tokens], chooser)
        rest = statement.text[at:]
        checker.edit(Span(start + at, start + len(statement.text)), "")
        try:
            items = completion(checker.semantics, start + at)
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            print(f"{statement.text[:at].strip()}: {error!r}", file=sys.stderr)
            items = []
        checker.edit(Span(start + at, start + at), rest)
        typed = statement.text[:at].split()[-1:] if kind == "instruction" else []
        texts = [
            item.insert or item.label for item in items if (item.match or item.label).startswith(tuple(typed) or "")
        ]
        ranks[kind].append(texts.index(accepted) + 1 if accepted in texts else 0)


def _place(tree: Instruction, text: str, tokens: list[tuple[int, int]], chooser: random.Random) -> tuple[str, int, str]:
    """The kind of a random place in an instruction, its offset, and the text that stands there."""
    words = list(tree.opcode_tokens)
    choices: list[tuple[str, int, str]] = []
    for token in words:
        start, end = tokens[token]
        # The first letter of an instruction is typed, and the dot of a qualifier.
        choices.append(("instruction" if token == words[0] else "qualifier", start + 1, text[start:end]))
    for operand in tree.operands:
        start, end = tokens[operand.first][0], tokens[operand.last - 1][1]
        choices.append(("operand", start, " ".join(text[start:end].split())))
    kinds = sorted({kind for kind, *_ in choices})
    kind = chooser.choice(kinds)
    return chooser.choice([one for one in choices if one[0] == kind])


if __name__ == "__main__":
    sys.exit(main())
