"""The document of the certification keeps the tables that were not made again."""

from __future__ import annotations

from benchmarks.certification.document import written

FORMER = """
# Agreement

## With ptxas 13.5, PTX up to 9.4

### Gates

| old |

### Completions

| kept |

## With ptxas 12.9, PTX up to 8.8

### Gates

| kept too |
"""


def test_new_tables_replace_their_own_kind_only():
    tables = "## With ptxas 13.5, PTX up to 9.4\n\n### Gates\n\n| new |\n\n### Meaningless\n\n| added |\n"
    found = written(tables, FORMER)
    assert "| old |" not in found
    assert [line for line in found.splitlines() if line.startswith(("##", "|"))] == [
        "## With ptxas 13.5, PTX up to 9.4",
        "### Gates",
        "| new |",
        "### Completions",
        "| kept |",
        "### Meaningless",
        "| added |",
        "## With ptxas 12.9, PTX up to 8.8",
        "### Gates",
        "| kept too |",
    ]


def test_what_is_written_again_stays_the_same():
    once = written("", FORMER)
    assert written("", once) == once
