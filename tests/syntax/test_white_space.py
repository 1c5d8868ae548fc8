"""Between two tokens with white space between them there may be any white space, and comments."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import pytest

from benchmarks.mutations.bases import handwritten
from ptx_lsp.syntax.split import split
from ptx_lsp.syntax.tokens import tokenize

GAPS = ("\n", " // c\n", "\n  // (c)\n ", " /* x */ ", "\r\n", " // c) \r\n\t", "\n\n")
_IS_WORD_ALONE = re.compile(r"(?:bra|call)(?:\.uni)?\s[^,;]*;\Z").search
"""Where a word stands alone on the line after an opcode, a statement is taken to begin: ``ret`` is more likely there
than a label."""


def valid_statements(text: str) -> set[str]:
    """The instructions, declarations and heads of functions of a text, without comments."""
    found = (part.strip() for part in split(text))
    return {one for one in found if re.fullmatch(r'[^"/]*;|\.(?:entry|func|visible|extern|weak|common)\b[^"/]*', one)}


def with_other_gaps(statement: str, choose: random.Random) -> str:
    """A statement with one or two of its gaps replaced."""
    tokens = tokenize(statement)
    gaps = [before.end for before, after in pairwise(tokens) if before.end < after.start]
    ends = {token.start for token in tokens}
    for start in sorted(choose.sample(gaps, min(len(gaps), choose.choice((1, 1, 2)))), reverse=True):
        end = next(at for at in range(start, len(statement)) if at in ends)
        statement = statement[:start] + choose.choice(GAPS) + statement[end:]
    return statement


@pytest.mark.parametrize("name", sorted(handwritten()))
def test_a_statement_stays_one(name: str) -> None:
    choose = random.Random(name)
    for statement in sorted(valid_statements(handwritten()[name])):
        for _ in range(8):
            other = with_other_gaps(statement, choose)
            if not _IS_WORD_ALONE(other):
                assert [part.strip() for part in split(other) if part.strip()] == [other]
