"""A real Emacs runs the tests of ``emacs/``: a process for each file of them."""

from __future__ import annotations

import os
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

from tests.editors.programs import ROOT, needed

TESTS = Path(__file__).parent / "emacs"
LIBRARY = ROOT / "editors" / "emacs"

PATIENCE = 180
"""Seconds that one file of tests may take."""


def run(topic: str, folder: Path, **environment: str) -> None:
    """Have Emacs run the tests of one file, in a home folder of its own."""
    home = folder / "home"
    home.mkdir()
    scripts = sysconfig.get_path("scripts")
    done = subprocess.run(
        [
            needed("emacs"),
            "--batch",
            "-l",
            TESTS / "support.el",
            "-l",
            TESTS / f"{topic}.el",
            "-f",
            "ert-run-tests-batch-and-exit",
        ],
        env={
            **os.environ,
            "HOME": str(home),
            "TMPDIR": str(folder),
            "PATH": os.pathsep.join([scripts, os.environ["PATH"]]),
            "PTX_MODE": str(LIBRARY),
            "PTX_EXAMPLES": str(ROOT / "examples"),
            **environment,
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
        check=False,
        restore_signals=False,  # with SIGPIPE ignored, as in a window: a dead server would end an Emacs in batch mode
    )
    assert done.returncode == 0, done.stdout
    if re.search(r"Ran (\d+) tests?.*\b\1 skipped", done.stdout):
        pytest.skip(re.search(r".* is needed .*", done.stdout)[0])
    assert ", 0 unexpected" in done.stdout, done.stdout


@pytest.mark.parametrize("topic", ["editing", "colours", "indentation", "pages"])
def test_the_mode(topic, tmp_path):
    run(topic, tmp_path)


@pytest.mark.parametrize("topic", ["eglot", "faults", "lsp", "markdown"])
def test_the_language_server(topic, tmp_path):
    run(topic, tmp_path)


def test_the_package(tmp_path):
    run("package", tmp_path, PTX_PACKAGE="1")


def test_every_file_of_tests_is_run():
    run_above = {"editing", "colours", "indentation", "pages", "eglot", "faults", "lsp", "markdown", "package"}
    assert {path.stem for path in TESTS.glob("*.el")} == {*run_above, "support"}
