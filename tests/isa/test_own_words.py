"""What is said here is said in our own words: no more than seven in a row stand so in NVIDIA's manual."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.isa.manual_prose import LENGTH, fingerprint, runs

ROOT = Path(__file__).parent.parent.parent
TEXTS = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("grammar/**/*.md", "ptx_lsp/**/*.py", "docs/*.md", "README.md")
    for path in ROOT.glob(pattern)
)
"""Pages, vocabulary, rule pages with their messages, and what is written about them."""

TITLE = "Asynchronous Warpgroup Level Multiply-and-Accumulate Operation using"
"""Eight words of a section's title, which is all that a page takes over: to link to it."""


SOURCE = re.compile(r"^(?:Source|Manual): [^.;:]*", re.MULTILINE)
"""Where a text names the section that it is about, by the section's own title."""


@pytest.mark.parametrize("path", TEXTS)
def test_no_long_run_of_words_is_the_manuals(path):
    shared = runs(SOURCE.sub("", (ROOT / path).read_text(encoding="utf-8")))
    assert not shared, "\n".join(["say it otherwise:", *(f"{path}:{run.line}: {run.words}" for run in shared)])


def test_a_run_of_the_manual_is_found_where_it_stands():
    broken = TITLE.replace(" Operation", "\noperation")
    text = f"# of our own\n\n```text\n{TITLE}\n```\n\nAs in `mma`: {broken} x.\n"
    (run,) = runs(text)
    assert (run.line, run.words) == (7, TITLE.lower().replace("-", " "))


def test_seven_words_and_others_between_are_no_run():
    words = TITLE.split()
    assert runs(" ".join(words[1:])) == []
    assert runs(" ".join([*words[:4], "own", *words[4:]])) == []


def test_the_fingerprint_is_that_of_a_whole_manual():
    assert len(fingerprint()) > 100_000
    assert LENGTH == 8
