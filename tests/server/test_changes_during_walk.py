"""Files and folders that change while the folders of the workspace are walked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.workspace import workspace_files as module
from ptx_lsp.server.workspace.file_table import FileTable
from ptx_lsp.server.workspace.workspace_files import WorkspaceFiles


class _Documents(list[Any]):
    """No document is open."""

    is_reading = False

    def find(self, uri: str) -> None:
        """No document has this URI."""


def check_walk(
    folder: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[WorkspaceFiles], None], *expected: str
) -> None:
    """Check which files are known if this changes after the first walk has seen the folder, before it ends."""
    table = FileTable([folder.as_uri()])
    client: Any = SimpleNamespace(watches_files=True, encoding=Encoding.UTF_16)
    documents: Any = _Documents()
    files = WorkspaceFiles(table, documents, client, cast(Any, SimpleNamespace(last_message=0.0)), cast(Any, None))
    changes = [change]

    async def in_thread(work: Callable[[], Any]) -> Any:
        found = work()
        if changes and getattr(work, "func", None) is module._batch:
            changes.pop()(files)
        return found

    monkeypatch.setattr(module, "in_thread", in_thread)
    asyncio.run(files.ready())
    assert not changes
    assert sorted(Path(key).name for key in table.stamps) == sorted(expected)
    assert sorted(Path(key).name for key in files.program.files) == sorted(expected)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    work = tmp_path / "work"
    work.mkdir()
    (work / "a.ptx").write_text(".version 8.0\n.target sm_80\n")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "c.ptx").write_text(".version 8.0\n.target sm_80\n")
    return work


def test_a_file_that_is_deleted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def delete(files: WorkspaceFiles) -> None:
        (folder / "a.ptx").unlink()
        files.changed((folder / "a.ptx").as_uri())

    check_walk(folder, monkeypatch, delete)


def test_a_file_that_is_created(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def create(files: WorkspaceFiles) -> None:
        (folder / "b.ptx").write_text(".version 8.0\n.target sm_80\n")
        files.changed((folder / "b.ptx").as_uri())

    check_walk(folder, monkeypatch, create, "a.ptx", "b.ptx")


def test_a_folder_that_is_added(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = folder.parent / "other"
    check_walk(folder, monkeypatch, lambda files: files.folders_changed([other.as_uri()], []), "a.ptx", "c.ptx")


def test_a_folder_that_is_removed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_walk(folder, monkeypatch, lambda files: files.folders_changed([], [folder.as_uri()]))
