"""Claims about hardware behavior name their source: the manual's section, or an experiment that shows them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.hardware.experiments import EXPERIMENTS
from ptx_lsp.grammar_files import grammar_file

ROOT = Path(__file__).parents[2]
TABLE = (ROOT / "docs" / "hardware.md").read_text("utf-8")
PAGES = sorted(Path(grammar_file(".")).rglob("*.md"))
SEEN = re.compile(r"\b(?:an? )?H[12]00\b")
SOURCES = ("benchmarks.hardware ", "benchmarks.packed.observe", "benchmarks.fragments")
"""The commands that show something on a GPU."""


def paragraphs(path: Path) -> list[str]:
    """The paragraphs of a page, each in one line."""
    return [" ".join(one.split()) for one in path.read_text("utf-8").split("\n\n")]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_claim_seen_on_a_gpu_names_the_command_that_shows_it(path: Path) -> None:
    unsourced = [one for one in paragraphs(path) if SEEN.search(one) and not any(name in one for name in SOURCES)]
    assert unsourced == []


def test_pages_name_experiments_that_exist_and_were_run() -> None:
    lines = [line for path in PAGES for line in paragraphs(path)]
    named = {name for line in lines for name in re.findall(r"benchmarks\.hardware ([\w-]+)", line)}
    assert named == {one.name for one in EXPERIMENTS}
    assert all(f"| `{name}` |" in TABLE for name in named)
