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


def valid_statements(text: str) -> set[str]:
    """The instructions, declarations and heads of functions of a text, without comments."""
    found = (part.strip() for part in split(text))
    return {one for one in found if re.fullmatch(r'[^"/]*;|\.(?:entry|func|visible|extern|weak|common)\b[^"/]*', one)}


def with_other_gaps(statement: str, choose: random.Random) -> str:
    """A statement with one or two of its gaps replaced; before a qualifier there may be one."""
    tokens = tokenize(statement)
    gaps = [
        before.end for before, after in pairwise(tokens) if before.end < after.start or statement[before.end] == "."
    ]
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
            assert [part.strip() for part in split(other) if part.strip()] == [other]


@pytest.mark.parametrize("gap", [*GAPS, "\n\n// c\n", "\n/* c */\n", '\n# 12 "f.cu"\n'])
@pytest.mark.parametrize(
    "statement", ["bra done ;", "@p bra.uni done;", "call f;", "call f, (x);", "brx.idx i , list;"]
)
def test_a_word_alone_on_a_line_belongs_to_the_opcode_above(statement: str, gap: str) -> None:
    opcode, _, rest = statement.replace("@p ", "@p_").partition(" ")
    other = opcode.replace("@p_", "@p ") + gap + rest
    assert split(other) == [other]
    assert split(other.replace(" ;", gap + ";")) == [other.replace(" ;", gap + ";")]


@pytest.mark.parametrize("gap", GAPS)
def test_a_colon_belongs_to_the_name_before_it(gap: str) -> None:
    assert split(f"name{gap}:\nret;") == [f"name{gap}:", "\nret;"]


def test_a_word_after_an_operand_begins_a_statement() -> None:
    assert split("bar.sync 0\nret;") == ["bar.sync 0", "\nret;"]
    assert split("membar.gl\nbra done;") == ["membar.gl", "\nbra done;"]
