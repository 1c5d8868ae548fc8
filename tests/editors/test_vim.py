"""A real Vim runs the tests of ``vim/``: a process for each file of them; ALE speaks to the language server."""

from __future__ import annotations

import os
import subprocess
import sysconfig
from pathlib import Path

import pytest

from tests.editors.programs import ROOT, needed

TESTS = Path(__file__).parent / "vim"

PATIENCE = 180
"""Seconds that one file of tests may take."""


@pytest.mark.parametrize("topic", ["editing", "ale"])
def test_vim(topic, tmp_path):
    result = tmp_path / "result"
    (tmp_path / "home").mkdir()
    done = subprocess.run(
        [
            needed("vim"),
            "-N",
            "-i",
            "NONE",
            "-n",
            "-e",
            "-s",
            "-u",
            TESTS / "support.vim",
            "-S",
            TESTS / f"{topic}.vim",
            "-c",
            "call RunTests()",
        ],
        env={
            **os.environ,
            "HOME": str(tmp_path / "home"),
            "TMPDIR": str(tmp_path),
            "TERM": "dumb",
            "PATH": os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]]),
            "PTX_VIM": str(ROOT / "editors" / "vim"),
            "PTX_RESULT": str(result),
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert result.exists(), done.stdout
    said = result.read_text()
    if said == "missing\n":
        pytest.skip("ALE is needed (Debian: apt install vim-ale)")
    assert "passed" in said
    assert "failed" not in said, said
