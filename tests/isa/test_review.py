"""Every instruction page stands in the lists of what was read beside the manual: docs/review."""

from __future__ import annotations

import re
from pathlib import Path

from ptx_lsp.grammar_files import page_paths

REVIEW = Path(__file__).parents[2] / "docs" / "review"


def read_pages() -> set[str]:
    """The pages that the tables name with a date."""
    found: set[str] = set()
    for table in REVIEW.glob("*.md"):
        for row in re.findall(r"^\| \d{4}-\d\d-\d\d \| ([^|]+) \|", table.read_text("utf-8"), re.MULTILINE):
            found |= {name.strip(" `") for name in row.split(",")}
    return found


def test_every_page_was_read() -> None:
    names = {Path(path).stem for path in page_paths()}
    assert names - read_pages() == set()
