"""The stored parser tables are what Lark makes of the grammar today."""

from __future__ import annotations

from ptx_lsp.syntax.automaton import tables


def test_stored_tables_equal_a_fresh_build() -> None:
    """If this fails: ``python -m ptx_lsp.syntax.automaton.tables``."""
    fresh = tables.build(tables.read_grammar())
    assert tables.load() == fresh
    with open(tables.STORED, encoding="utf-8") as file:
        assert file.read() == tables.to_json(fresh)
