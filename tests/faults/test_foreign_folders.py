"""Commands in a folder from anywhere: none of its files is run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ptx_lsp.cli.worker_processes import workers
from tests.faults.conftest import function

ROOT = str(Path(__file__).parents[2])


@pytest.fixture
def trapped(tmp_path: Path) -> Path:
    """A file that exists when a module in the folder has been run."""
    trap = tmp_path / "trapped"
    for name in ("multiprocessing", "concurrent", "ptx_lsp", "lark", "rich", "tomllib", "sitecustomize", "pickle"):
        (tmp_path / f"{name}.py").write_text(f"open({str(trap)!r}, 'w')")
    for number in range(4):
        (tmp_path / f"{number}.ptx").write_text(function(f"f{number}"))
    return trap


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_processes_of_a_check_import_nothing_from_it(tmp_path: Path, trapped: Path, method: str) -> None:
    """Python starts processes by ``spawn`` on macOS and Windows, and by ``forkserver`` on Linux from 3.14 on."""
    if method == "forkserver" and sys.platform == "win32":
        pytest.skip("not on Windows")
    script = tmp_path.parent / f"{tmp_path.name}-command.py"  # as an installed command: its folder is on the path
    script.write_text(f"""
import sys
sys.path[0] = {ROOT!r}
if __name__ == "__main__":
    import multiprocessing
    multiprocessing.set_start_method({method!r})
    from ptx_lsp.cli.entry import main
    sys.exit(main(["check", "--jobs", "2", "."]))
""")
    ran = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert not trapped.exists()
    assert ran.returncode == 0, ran.stderr
    assert "4 files" in ran.stdout + ran.stderr


@pytest.mark.parametrize("before", [{}, {"PYTHONSAFEPATH": "1"}, {"PYTHONSAFEPATH": ""}], ids=str)
def test_the_environment_is_as_before_after_a_check(before: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    for name, value in before.items():
        monkeypatch.setenv(name, value)
    with workers(1) as pool:
        assert pool.submit(os.getenv, "PYTHONSAFEPATH").result() == "1"
    assert {name: os.environ[name] for name in ("PYTHONSAFEPATH",) if name in os.environ} == before
