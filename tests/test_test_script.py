"""The commands that ./test starts for each kind of arguments; stand-ins print how they are called."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from slow import FILES, TESTS

ROOT = Path(__file__).parents[1]
CHECKS = ["ruff check --quiet .", "ruff format --diff --quiet .", "mypy --no-error-summary"]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with ./test and nothing real beside it."""
    shutil.copy(ROOT / "test", tmp_path / "test")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    for name in ("setup", ".venv/bin/ruff", ".venv/bin/mypy", ".venv/bin/pytest"):
        path = tmp_path / name
        path.write_text('#!/bin/sh\necho "${0##*/}" "$@"\n')
        path.chmod(0o755)
    return tmp_path


def started(checkout: Path, *arguments: str) -> list[str]:
    """The commands that ``./test`` with these arguments starts."""
    done = subprocess.run([checkout / "test", *arguments], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.splitlines()


def test_without_arguments_everything(checkout):
    first, *between, last = started(checkout)
    assert (first, last) == ("setup test", "pytest -n 3 --durations=30")
    assert sorted(between) == sorted(["setup editors", *CHECKS])  # the editors are installed meanwhile


def test_a_selection_starts_pytest_at_once(checkout):
    assert started(checkout, "tests/isa", "-k", "gate") == ["setup test", "pytest tests/isa -k gate"]
    assert started(checkout, "--lf") == ["setup test", "pytest --lf"]


def test_editors_are_installed_only_for_their_tests(checkout):
    for path in ("tests/editors", "./tests/editors/test_vim.py::test_a_mistake", f"{checkout}/tests/editors"):
        assert started(checkout, path)[0] == "setup editors"
    assert started(checkout, "--ignore=tests/editors")[0] == "setup test"


def test_the_fast_run_needs_no_editors(checkout):
    assert started(checkout, "--fast", "-x") == ["setup test", *CHECKS, "pytest -n 2 --fast -x"]


def test_nothing_is_tested_after_a_check_that_fails(checkout):
    (checkout / ".venv" / "bin" / "mypy").write_text("#!/bin/sh\nexit 1\n")
    done = subprocess.run([checkout / "test"], stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert "pytest" not in done.stdout


def test_help_starts_nothing(checkout):
    text = "\n".join(started(checkout, "--help"))
    assert text.startswith("./test ")
    assert "setup test" not in text


def test_what_the_fast_run_leaves_out_exists():
    assert [str(path) for path in FILES if not path.exists()] == []
    for test in TESTS:
        path, _, name = test.partition("::")
        assert f"\ndef {name}(" in (ROOT / path).read_text("utf-8"), test


def test_the_fast_run_leaves_out_what_is_listed():
    folders = [ROOT / "tests" / "cli", ROOT / "tests" / "syntax"]
    command = [sys.executable, "-m", "pytest", "--fast", "--collect-only", "-q", "-p", "no:cacheprovider", *folders]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    collected = set(re.findall(r"^([\w/]+\.py)::(\w+)", done.stdout, re.MULTILINE))
    everything = {path for folder in folders for path in folder.glob("test_*.py")}
    assert {ROOT / path for path, _ in collected} == everything - FILES
    assert everything & FILES
    assert not {"::".join(one) for one in collected} & TESTS
    assert ("tests/syntax/test_hostile.py", "test_repetitions_are_linear") not in collected
    assert "tests/syntax/test_hostile.py" in {path for path, _ in collected}
