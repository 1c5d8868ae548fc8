"""The examples on the pages of languages in ``grammar/hosts``: what we find in them."""

from __future__ import annotations

import re

import pytest

from ptx_lsp.grammar_files import read_grammar

from .annotated_host import check_source, expected

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", ["rust", "mojo", "inline_ptx"])
def test_examples(page: str) -> None:
    fences = _FENCE.findall(read_grammar(f"hosts/{page}.md"))
    assert fences
    for host, text in fences:
        assert expected(text)
        check_source(text, host=host)
