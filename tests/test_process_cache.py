"""Tables of answers are bounded, also where one answer is about a long text."""

from __future__ import annotations

import pytest

from ptx_lsp.analysis.statements.matcher import Matcher
from ptx_lsp.checks.engine.checker import check_text
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.process_cache import Bound, RecentlyUsed, TextCache
from ptx_lsp.syntax import errors, parse_statement


def test_texts_are_few_and_at_most_one_is_long() -> None:
    answers: TextCache[int] = TextCache(3, 100)
    for number, text in enumerate(["a" * 40, "b" * 100, "c"]):
        answers[text] = number
    assert list(answers.values()) == [0, 1, 2]
    answers["d"] = 3  # a fourth answer
    assert list(answers.values()) == [3]
    for number in (4, 5):
        answers["long" * 100 * number] = number
    answers["e"] = 6
    assert list(answers.values()) == [5, 6]


def test_tables_with_one_bound_hold_no_more_than_one_of_them_would() -> None:
    bound = Bound(10)
    tables: list[RecentlyUsed[int, int]] = [RecentlyUsed(bound) for _ in range(16)]
    tables[0][0] = 0
    for answer in range(1, 1000):
        tables[answer % 16][answer] = answer
        assert tables[0].find(0) == 0, "what is asked for again and again stays"
        assert sum(len(table) + len(table._former) for table in tables) <= 20


def test_what_matchers_know_does_not_grow_with_the_number_of_targets() -> None:
    def bounds(target: str) -> set[Bound]:
        tables = vars(Matcher(Version(9, 0), Target.parse(target))).values()
        return {table._bound for table in tables if isinstance(table, RecentlyUsed)}

    assert bounds("sm_90") == bounds("sm_100a")


@pytest.mark.parametrize("end", [") ;\n", "] $ ;\n"])
def test_long_statements_with_errors_are_not_kept(end: str) -> None:
    for number in range(24):  # 4.8 million characters
        check_text(f".entry k() {{\nadd{number} {'%r1, ' * 40_000}{end}ret;\n}}\n")
    for table in (errors._NOTED, errors._ERRORS, parse_statement._FAULTY):
        assert sum(map(len, table)) <= 4_000_000
