"""Options and fixtures for all tests."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write what comes out into the expectations; read the diff")


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
