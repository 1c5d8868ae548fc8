"""Reader for Markdown tables, the format of the vocabulary lists."""

from __future__ import annotations

import re

from ptx_lsp.grammar_files import read_grammar

_RULE_MARKS = " \t|:-"


def read_tables(text: str) -> list[list[dict[str, str]]]:
    r"""The tables of a text; each row maps the heading of a column to the cell without its code marks.

    A cell may contain ``\|`` for a bar.
    """
    tables: list[list[dict[str, str]]] = []
    heading: list[str] = []
    for line in text.splitlines():
        if not line.startswith("|"):
            heading = []
        elif not heading:
            heading = [cell.lower() for cell in _cells(line)]
            tables.append([])
        elif not _is_rule(line):
            tables[-1].append(dict(zip(heading, _cells(line), strict=True)))
    return tables


def vocabulary_table(name: str) -> list[dict[str, str]]:
    """The rows of the only table of a vocabulary file: ``directives`` for ``vocabulary/directives.md``."""
    (table,) = read_tables(read_grammar(f"vocabulary/{name}.md"))
    return table


def or_empty(cell: str) -> str:
    """The text of a cell; empty for ``-``."""
    return "" if cell == "-" else cell


def _is_rule(line: str) -> bool:
    """Whether a line separates the heading from the rows."""
    return not line.strip(_RULE_MARKS)


def _cells(line: str) -> list[str]:
    if "\\" in line:
        cells = [cell.replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip())]
    else:
        cells = line.strip().split("|")
    return [_plain(cell.strip()) for cell in cells[1:-1]]


def _plain(cell: str) -> str:
    """The text of a cell without the backquotes around a single code span."""
    return cell[1:-1] if cell.count("`") == 2 and cell[0] == cell[-1] == "`" else cell
