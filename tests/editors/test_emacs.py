"""A real Emacs runs the tests of ``emacs/``: a process for each file of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from tests.editors.programs import ROOT, needed

TESTS = Path(__file__).parent / "emacs"
LIBRARY = ROOT / "editors" / "emacs"

PATIENCE = 180
"""Seconds that one file of tests may take."""


def run(topic: str, folder: Path, **environment: str) -> str:
    """What Emacs says while it runs the tests of one file, in a home folder of its own."""
    home = folder / "home"
    home.mkdir()
    scripts = sysconfig.get_path("scripts")
    done = subprocess.run(
        [
            needed("emacs"), "--batch", "-l", TESTS / "support.el", "-l", TESTS / f"{topic}.el",
            "-f", "ert-run-tests-batch-and-exit",
        ],
        env={
            **os.environ, "HOME": str(home), "TMPDIR": str(folder), "PATH": os.pathsep.join([scripts, os.environ["PATH"]]),
            "PTX_MODE": str(LIBRARY), "PTX_EXAMPLES": str(ROOT / "examples"), **environment,
        },
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout
    assert "Ran " in done.stdout, done.stdout
    return done.stdout


@pytest.mark.parametrize("topic", ["editing", "colours", "indentation", "eglot"])
def test_mode(topic, tmp_path):
    assert ", 0 unexpected" in run(topic, tmp_path)
