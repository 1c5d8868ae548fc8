"""Tables of answers are bounded, also where one answer is about a long text."""

from __future__ import annotations

import pytest

from ptx_lsp.checks.engine.checker import check_text
from ptx_lsp.process_cache import TextCache
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


@pytest.mark.parametrize("end", [") ;\n", "] $ ;\n"])
def test_long_statements_with_errors_are_not_kept(end: str) -> None:
    for number in range(40):
        check_text(f".entry k() {{\nadd{number} {'%r1, ' * 40_000}{end}ret;\n}}\n")
    for table in (errors._NOTED, errors._ERRORS, parse_statement._FAULTY):
        assert sum(map(len, table)) <= 4_000_000
