"""Options and fixtures for all tests."""

from __future__ import annotations

import gc
import logging
import os
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest
from slow import FILES, TESTS
from xdist.remote import Producer
from xdist.scheduler.loadgroup import LoadGroupScheduling

ROOT = Path(__file__).parent.parent

WHOLE = frozenset(
    {
        "tests/embedded/test_hostile_sources.py",
        "tests/isa/test_own_words.py",
        "tests/isa/test_words.py",
        "tests/server/test_listing.py",
        "tests/test_steps.py",
    }
)
"""Slow files that one process runs: their tests share what takes long, or are short and hundreds."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write what comes out into the expectations; read the diff")
    parser.addoption("--fast", action="store_true", help="leave out what tests/slow.py lists")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With ``--fast``: leave out files that take long. None: pytest decides as usual."""
    return True if config.getoption("fast") and collection_path in FILES else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With ``--fast``: leave out tests that take long, whatever their parameters."""
    if config.getoption("fast"):
        left_out = [item for item in items if item.nodeid.partition("[")[0] in TESTS]
        items[:] = [item for item in items if item.nodeid.partition("[")[0] not in TESTS]
        config.hook.pytest_deselected(items=left_out)


def pytest_collection_finish() -> None:
    """Tens of thousands of tests stay until the end: no collection of garbage has to look at them."""
    gc.freeze()


class _Scheduling(LoadGroupScheduling):
    """Distributes slow tests one by one and others by files: what it does for each of them takes as long as many tests.

    The marker ``xdist_group`` would do the same, but pytest-xdist 3.8 changes names of tests in a way that pytest 9.2
    overlooks.
    """

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith("tests/editors/test_vscode_"):  # one VS Code runs at a time
            return "vscode"
        file = nodeid.partition("::")[0]
        path = ROOT / file
        return file if file in WHOLE or FILES.isdisjoint((path, *path.parents)) else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> _Scheduling:
    return _Scheduling(config, log)


@pytest.fixture(autouse=True)
def _nothing_fails_quietly(request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail a test if a check raises: in use that is only logged, and costs the findings of that check."""
    yield
    if request.node.get_closest_marker("logs_errors") is None:
        records = (record for record in caplog.get_records("call") if record.name.startswith("ptx_lsp"))
        failed = [record.exc_text or record.getMessage() for record in records if record.levelno >= logging.ERROR]
        assert not failed, failed[0]


@pytest.fixture(scope="session")
def update(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be rewritten."""
    return bool(request.config.getoption("--update"))


@pytest.fixture(scope="session")
def examples() -> Path:
    return ROOT / "examples"


@pytest.fixture(scope="session")
def ptxas_13() -> Path:
    """ptxas of CUDA 13.5."""
    return _assembler("nvidia/cu13/bin/ptxas")


@pytest.fixture(scope="session")
def ptxas_12() -> Path:
    """ptxas of CUDA 12.9."""
    return _assembler("nvidia/cuda_nvcc/bin/ptxas")


def _assembler(path: str) -> Path:
    """An assembler out of the packages of the extra ``test``; without it a test is skipped, but not in CI."""
    found = Path(sysconfig.get_path("purelib")) / path
    if not found.exists():
        if os.environ.get("CI"):
            pytest.fail(f"{path} is missing: pip install -e '.[test]'")
        pytest.skip(f"{path} is not installed")
    return found
