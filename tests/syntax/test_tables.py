"""The stored parser tables are what Lark makes of the grammar today."""

from __future__ import annotations

from ptx_lsp.syntax import parser


def test_stored_tables_equal_a_fresh_build() -> None:
    """If this fails: ``python -m ptx_lsp.syntax.parser``."""
    fresh = parser.build(parser.read_grammar())
    assert parser.load() == fresh
    with open(parser.STORED, encoding="utf-8") as file:
        assert file.read() == parser.to_json(fresh)
