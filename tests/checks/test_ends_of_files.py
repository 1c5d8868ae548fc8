"""What stands behind the last brace of a file is no part of the structure."""

from __future__ import annotations

import pytest

from ptx_lsp.checks.engine.checker import check_text

KERNEL = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry kernel()\n{\n    ret;\n}"


@pytest.mark.parametrize("end", ["", "\n", " // done", " // done\n", " /* done */", "\r\n\r\n", "\t"])
def test_nothing_is_wrong_with(end: str) -> None:
    assert check_text(KERNEL + end) == []


@pytest.mark.parametrize("end", [" // é", " // é\n", " /* é */", "\n// é"])
def test_of_a_comment_only_its_letters_are_told(end: str) -> None:
    assert [one.code for one in check_text(KERNEL + end)] == ["W603"]
