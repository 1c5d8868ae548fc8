"""What is counted; each in a process of its own: ``python -m benchmarks.steps.measurements NAME`` prints JSON.

Texts are those of the corpus. A text of ten times the lines is ten copies in one module, so that only the length
differs.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from random import Random

from benchmarks import kept
from benchmarks.making.joining import join
from benchmarks.steps.counting import steps

ROOT = Path(__file__).parent.parent.parent
COPIES = 10
CHECK_AGAIN, CHECK_OF_COPIES = "check of 10,000 lines again", "check of ten copies of them again"
EDITS, EDITS_IN_COPIES = "edits in 10,000 lines", "the same edits in ten copies"
KEYS, KEYS_IN_COPIES = "keystrokes in 10,000 lines until their findings are JSON", "the same keystrokes in ten copies"
_EDITS = 6
_KEYS = 12
_SHORT, _LONG = "f1k.ptx", "f10k.ptx"


def start() -> dict[str, int]:
    """``ptx-lsp check`` of 1,000 lines with all its imports, and how many modules of ptx-lsp it has loaded."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, _SHORT)
        path.write_text(kept.read(_SHORT), encoding="utf-8")

        def command() -> None:
            from ptx_lsp.cli.entry import main

            with redirect_stdout(io.StringIO()):
                main(["check", "--jobs", "1", "--format", "json", str(path)])

        count = steps(command)
    loaded = sum(name.partition(".")[0] == "ptx_lsp" for name in sys.modules)
    return {"command that checks 1,000 lines, with its imports": count, "modules of ptx-lsp loaded for it": loaded}


def check() -> dict[str, int]:
    """A check of 10,000 lines, everything imported, no shape known."""
    from ptx_lsp.checks.engine.checker import check_text

    check_text("")
    text = kept.read(_LONG)
    return {"check of 10,000 lines": steps(lambda: check_text(text))}


def check_of_copies() -> dict[str, int]:
    """A check of 10,000 lines and of ten copies of them, all shapes known."""
    from ptx_lsp.checks.engine.checker import check_text

    text = kept.read(_LONG)
    copies = join([text] * COPIES)
    check_text(text)
    return {
        CHECK_AGAIN: steps(lambda: check_text(text)),
        CHECK_OF_COPIES: steps(lambda: check_text(copies)),
    }


def keystroke() -> dict[str, int]:
    """Edits in a text of 10,000 lines until the findings are there, and the same edits in ten copies of it."""
    text = kept.read(_LONG)
    return {
        EDITS: _edits(text, len(text)),
        EDITS_IN_COPIES: _edits(join([text] * COPIES), len(text)),
    }


def _edits(text: str, within: int) -> int:
    """Steps of some random edits among the first characters; what only the first edit of a text does is left out."""
    from benchmarks.speed import edits
    from ptx_lsp.checks.engine.checker import Checker

    checker = Checker(text)
    checker.diagnostics(edits.LIMIT)
    edits.random_edit(checker, Random(0), within)
    random = Random(1)
    return steps(lambda: [edits.random_edit(checker, random, within) for _ in range(_EDITS)])


def keys() -> dict[str, int]:
    """Blanks typed before and deleted from lines, as the server sees them, in 10,000 lines and in ten copies."""
    text = kept.read(_LONG)
    return {KEYS: _keys(text, text.count("\n")), KEYS_IN_COPIES: _keys(join([text] * COPIES), text.count("\n"))}


def _keys(text: str, within: int) -> int:
    """Steps of some keystrokes in the first lines; what only the first edit of a text does is left out."""
    from ptx_lsp.server.client.columns import Encoding
    from ptx_lsp.server.documents.document import OpenDocument, TextChange
    from ptx_lsp.server.documents.lines import Position
    from ptx_lsp.settings import Settings

    document = OpenDocument("file:///a.ptx", 1, text, Settings(), Encoding.UTF_16)
    while not document.work(10) or not document.follow(10):
        pass
    random = Random(1)
    lines = [random.randrange(within) for _ in range(_KEYS)]

    def type_blanks() -> None:
        for line in lines:
            for new, end in ((" ", 0), ("", 1)):
                document.change(TextChange(new, Position(line, 0), Position(line, end)))
                _ = document.findings

    type_blanks()
    return steps(type_blanks)


MEASUREMENTS: tuple[Callable[[], dict[str, int]], ...] = (start, check, check_of_copies, keystroke, keys)


def measure(name: str) -> dict[str, int]:
    """What a measurement counts in a fresh process, in which strings have the same hashes each time."""
    finished = subprocess.run(
        [sys.executable, "-m", "benchmarks.steps.measurements", name],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    if finished.returncode:
        raise RuntimeError(f"{name} failed:\n{finished.stderr[-2000:]}")
    counted: dict[str, int] = json.loads(finished.stdout)
    return counted


if __name__ == "__main__":
    json.dump(next(one for one in MEASUREMENTS if one.__name__ == sys.argv[1])(), sys.stdout)
