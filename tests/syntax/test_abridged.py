"""Tables whose inner numbers are left out have the shapes that they have with all tokens."""

from __future__ import annotations

from random import Random

import pytest
from called import calls

from ptx_lsp.syntax.abridged import Abridged, abridged
from ptx_lsp.syntax.exact_keys import exact_key
from ptx_lsp.syntax.parse_statement import parse_statement
from ptx_lsp.syntax.token_columns import columns
from ptx_lsp.syntax.tokens import tokenize


def check_same(text: str) -> bool:
    """Fail unless key, tree and names are those of all tokens; whether some are left out."""
    short, tokens = abridged(text), tokenize(text)
    assert len(short) == len(tokens)
    assert exact_key(short.text, short.tokens, short.gaps) == exact_key(text, tokens)
    one, other = parse_statement(short.text, short), parse_statement(text, Abridged(text, columns(text), ()))
    assert (one.kind, one.tree, one.uses, bool(one.problems)) == (
        other.kind,
        other.tree,
        other.uses,
        bool(other.problems),
    )
    kept = short.words()
    for token in filter(kept.__contains__, one.uses):
        assert kept[token] == text[tokens[token].start : tokens[token].end]
    return bool(short.gaps)


@pytest.mark.parametrize("between", [",", ", ", " ,\n\t", ",\n"])
def test_plain_numbers_are_left_out(between: str) -> None:
    numbers = between.join(str(one) for one in range(300))
    assert check_same(f".global .b8 x[300] = {{{numbers}}};")
    assert check_same(f".b8 {numbers}\n")
    assert check_same(f".global .b32 x[2][300] = {{{{{numbers}}}, {{{numbers}}}}}, y = 7;")


def test_random_tables() -> None:
    random = Random(18)
    pieces = (*["1", "17", "0x1F", "0"] * 12, "08", "-1", "1.5", "0f3F800000", "name", "name+4", "{1, 2}", "7U", "")
    left_out = 0
    for _ in range(400):
        items = []
        for _ in range(random.randrange(1, 5)):
            items += [random.choice(["1", "0x2", "65535"]) for _ in range(random.randrange(300))]
            items += [random.choice(pieces) for _ in range(random.randrange(3))]
        between = random.choice([",", ", ", ",\n"])
        begin, end = random.choice(
            [(".global .u32 t[] = {", "};"), (".b8 ", "\n"), (".global .b64 t[2] = {{", "}, {1}};")]
        )
        left_out += check_same(begin + between.join(items) + end)
    assert left_out > 200


def test_random_lists_of_targets() -> None:
    random = Random(19)
    pieces = (*["L", "$x", "_a", "t$1"] * 6, "%r1", "%rd2", "N<5>", "_", "WARP_SZ", "inlined_at", "7", "a b", "b<", "")
    left_out = 0
    for _ in range(400):
        items = []
        for _ in range(random.randrange(1, 5)):
            items += [random.choice(["L", "M1", "$L2"]) for _ in range(random.randrange(300))]
            items += [random.choice(pieces) for _ in range(random.randrange(3))]
        between = random.choice([",", ", ", " ,\n"])
        left_out += check_same(f".{random.choice(['branch', 'call'])}targets {between.join(items)};")
    assert left_out > 200


@pytest.mark.parametrize("begin", [".branchtargets ", ".reg .b32 ", ".global .u64 t[] = {"])
def test_a_long_list_of_names_is_parsed_as_a_short_one(begin: str) -> None:
    def parsed(count: int) -> int:
        text = begin + ", ".join(f"n{one}" for one in range(count)) + ("};" if "{" in begin else ";")
        return calls(lambda: parse_statement(text, abridged(text)))

    parsed(1000)  # patterns and tables are compiled at their first use
    assert parsed(3000) - parsed(2000) < 15_000


def test_comments_and_strings_leave_nothing_out() -> None:
    numbers = ", ".join("1" * 300)
    assert not check_same(f".global .b8 x[300] = {{{numbers}, // one, 2\n 3}};")
    assert not check_same(f'.global .b8 x[300] = {{{numbers}, "1"}};')
