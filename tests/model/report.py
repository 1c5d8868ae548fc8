"""``docs/reliability.md``: promises with the tests that hold them, and the figures of the last runs.

Each command writes its own section with ``--write``; the others stay.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ptx_lsp.markdown_tables import read_tables

from .forks import ROOT

DOCUMENT = ROOT / "docs" / "reliability.md"
_TITLE = "# Reliability\n"
_INTRODUCTION = (
    "Each section names the command that writes it, with `--write`. Do not edit: the words of the promises are in\n"
    "`tests/model/report.py`.\n"
)
_PRODUCT = ("ptx_lsp", "grammar")
"""What the figures are of: a commit that changes nothing there leaves them true."""


class RunTable(NamedTuple):
    """A section with a row for each run on the present product, and their sums."""

    section: str
    command: str
    arguments: tuple[str, ...]
    """Columns: what tells runs apart."""
    counts: tuple[str, ...]
    """Columns: what is added up."""

    @property
    def columns(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.arguments, "commit", *self.counts)


MODEL = RunTable(
    "Model-checked fuzz",
    "python -m tests.model --steps STEPS --jobs JOBS --seed SEED",
    ("seed", "jobs"),
    ("sessions", "steps", "requests", "comparisons with a fresh server", "failures"),
)
PROGRAMS = RunTable(
    "Structure-aware fuzz",
    "python -m tests.load.fuzz --bytes BYTES --seed SEED",
    ("seed",),
    ("programs", "bytes", "differences"),
)


class Promise(NamedTuple):
    """A promise of the server."""

    words: str
    tests: tuple[str, ...]
    """Files that check it."""


PROMISES = (
    Promise(
        "Each request gets exactly one answer, a result or an error; no answer is an internal error.",
        ("tests/model/client.py", "tests/server/test_answers.py"),
    ),
    Promise(
        "After any edits and requests, and in any order of messages around the start, all views (findings pushed and"
        " pulled, semantic tokens, symbols, folds, hints, lenses, links, actions, formatting) equal those of a fresh"
        " server with the same texts: PTX, and sources with inline assembly.",
        ("tests/model/comparison.py", "tests/server/test_hand_over.py", "tests/checks/test_incremental.py"),
    ),
    Promise(
        "No answer depends on where the chunks of a text end, so none on former edits: the fresh server has chunks of"
        " 2 to 256 statements.",
        (
            "tests/model/comparison.py",
            "tests/model/borders.py",
            "tests/checks/test_chunk_borders.py",
            "tests/features/test_after_edits.py",
        ),
    ),
    Promise(
        "The memory of text that is replaced or closed, and of analyses that an edit gives up, is free at once.",
        ("tests/server/test_free_memory.py", "tests/model/test_soak.py", "tests/model/soak.py"),
    ),
    Promise(
        "The time that a text takes is proportional to its length: each search has a bound, beyond which warnings are"
        " left out, but no errors.",
        ("tests/load", "tests/checks/test_growth.py", "tests/server/test_listing.py"),
    ),
    Promise(
        "A number, however large, takes no more time or memory than a small one: counts of registers, threads and"
        " bytes, places of a shift.",
        ("tests/load/numbers.py",),
    ),
    Promise(
        "Deltas of semantic tokens, applied one after the other, give all tokens.",
        ("tests/model/comparison.py", "tests/server/test_semantic_tokens.py"),
    ),
    Promise(
        "Each place in an answer exists in the document, in UTF-8, UTF-16 and UTF-32, with any line ends.",
        ("tests/model/answers.py", "tests/server/test_lines.py"),
    ),
    Promise(
        "Edits of an answer do not overlap.",
        ("tests/model/answers.py", "tests/checks/test_fixes.py"),
    ),
    Promise(
        "Formatted text is not changed by formatting.",
        ("tests/model/comparison.py", "tests/features/formatting/test_properties.py"),
    ),
    Promise(
        "A preferred fix leaves no more lines with syntax errors than before.",
        ("tests/model/comparison.py", "tests/features/test_code_actions.py"),
    ),
    Promise(
        "Nothing is written to standard error but the messages that the protocol's misuse explains, never a traceback.",
        ("tests/model/client.py", "tests/server/test_lifecycle.py"),
    ),
    Promise(
        "`shutdown` and `exit` end the server with status 0 at any time.",
        ("tests/model/client.py", "tests/server/test_lifecycle.py"),
    ),
)


def promises() -> str:
    """The table of promises."""
    rows = [f"| {one.words} | {', '.join(f'`{test}`' for test in one.tests)} |" for one in PROMISES]
    return "\n".join(["| promise | checked by |", "|---|---|", *rows, ""])


def machine() -> str:
    """The commit, Python and machine of a measurement."""
    load = os.getloadavg()[0]
    return f"commit {_commit()}, Python {platform.python_version()}, {os.cpu_count()} processors, load {load:.1f}"


def _commit() -> str:
    return _git("rev-parse", "--short=8", "HEAD").stdout.strip()


def _git(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def is_of_this_product(commit: str) -> bool:
    """Whether the product of a commit is the one that is here now."""
    return _git("diff", "--quiet", commit, "--", *_PRODUCT).returncode == 0


def write_run(
    table: RunTable,
    arguments: tuple[str, ...],
    counts: tuple[int, ...],
    is_current: Callable[[str], bool] = is_of_this_product,
    path: Path = DOCUMENT,
) -> None:
    """Write the counts of a run, and the sums with those of earlier runs of the same product."""
    first = len(table.arguments) + 1
    kept = [
        [*row.values()]
        for known in read_tables(_sections(path).get(table.section, ""))
        for row in known
        if (*row,) == table.columns and row["commit"] and is_current(row["commit"])
        if tuple(row[name] for name in table.arguments) != arguments
    ]
    runs = [*kept, [*arguments, _commit(), *(f"{one:,}" for one in counts)]]
    sums = (sum(int(run[column].replace(",", "")) for run in runs) for column in range(first, len(table.columns)))
    together = ["together", *[""] * (first - 1), *(f"{one:,}" for one in sums)]
    rows = [table.columns, ["---"] * first + ["---:"] * len(table.counts), *runs, together]
    write_section(
        table.section,
        f"`{table.command}`, with the figures of a row. The last run: {machine()}.\n\n"
        + "\n".join(f"| {' | '.join(row)} |" for row in rows),
        path,
    )


def _sections(path: Path) -> dict[str, str]:
    known = path.read_text("utf-8") if path.exists() else ""
    return {found[1]: found[2].strip("\n") for found in re.finditer(r"^## (.*)\n((?:(?!^## ).*\n)*)", known, re.M)}


def write_section(name: str, text: str, path: Path = DOCUMENT) -> None:
    """Write a section of the document; the promises are written anew, other sections stay."""
    sections = {"Promises": promises().strip("\n"), **_sections(path)} | {"Promises": promises().strip("\n")}
    sections[name] = text.strip("\n")
    parts = [_TITLE, _INTRODUCTION, *(f"## {title}\n\n{body}\n" for title, body in sections.items())]
    path.write_text("\n".join(parts), "utf-8")
