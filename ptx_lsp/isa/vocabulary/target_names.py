"""The targets that exist, for checking the gates of pages."""

from __future__ import annotations

from functools import cache

from ptx_lsp.grammar_files import read_grammar
from ptx_lsp.markdown_tables import read_tables


@cache
def target_names() -> frozenset[str]:
    """Every name that may stand after ``.target``: ``sm_90a``."""
    (table,) = read_tables(read_grammar("vocabulary/targets.md"))
    return frozenset(row["target"] for row in table)
