"""Which files of a disk belong to a workspace."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ptx_lsp.server.workspace import walk as module
from ptx_lsp.server.workspace.file_table import FileTable
from ptx_lsp.server.workspace.uris import key_of, path_of
from ptx_lsp.server.workspace.walk import stamp_of, walk
from ptx_lsp.source_file import UnreadableError, read_source


def make(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)


def found(*folders: Path) -> list[str]:
    return [Path(one.path).relative_to(folders[0]).as_posix() for one in walk(map(str, folders)) if one is not None]


def test_ptx_files_at_any_depth_in_order(tmp_path: Path) -> None:
    make(tmp_path, "b.ptx", "a.PTX", "c.txt", "ptx", "x.ptx.bak", "sub/d.ptx", "sub/sub/e.ptx")
    assert found(tmp_path) == ["a.PTX", "b.ptx", "sub/d.ptx", "sub/sub/e.ptx"]


def test_what_is_passed_over(tmp_path: Path) -> None:
    make(tmp_path, ".git/a.ptx", "node_modules/c.ptx", "__pycache__/d.ptx", "deep/.hidden/e.ptx", ".f.ptx")
    assert found(tmp_path) == [".f.ptx"]


def test_a_reported_change_counts_where_the_walk_would_find_the_file(tmp_path: Path) -> None:
    make(tmp_path, ".git/a.ptx", "sub/b.ptx", "sub/node_modules/c.ptx")
    table = FileTable([tmp_path.as_uri()])
    assert table.current_stamp(str(tmp_path / "sub" / "b.ptx")) is not None
    assert table.current_stamp(str(tmp_path / ".git" / "a.ptx")) is None
    assert table.current_stamp(str(tmp_path / "sub" / "node_modules" / "c.ptx")) is None


def test_links(tmp_path: Path) -> None:
    make(tmp_path, "work/a.ptx", "outside/b.ptx")
    work = tmp_path / "work"
    (work / "loop").symlink_to(work)
    (work / "same.ptx").symlink_to(work / "a.ptx")
    (work / "other.ptx").symlink_to(tmp_path / "outside" / "b.ptx")
    (work / "dangling.ptx").symlink_to(tmp_path / "nowhere")
    (work / "outside").symlink_to(tmp_path / "outside")
    assert found(work) == ["a.ptx", "other.ptx"]


def test_folders_in_folders_are_walked_once(tmp_path: Path) -> None:
    make(tmp_path, "a.ptx", "sub/b.ptx", "sub2/c.ptx")
    assert found(tmp_path, tmp_path / "sub", tmp_path) == ["a.ptx", "sub/b.ptx", "sub2/c.ptx"]
    assert found(tmp_path / "sub", tmp_path / "sub2" / ".." / "sub") == ["b.ptx"]


def test_folders_that_cannot_be_read(tmp_path: Path) -> None:
    make(tmp_path, "a.ptx")
    assert found(tmp_path / "missing") == []
    assert found(tmp_path / "a.ptx") == []


def test_no_more_folders_than_so_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "a/1.ptx", "b/2.ptx", "c/3.ptx")
    monkeypatch.setattr(module, "MOST_FOLDERS", 3)
    assert found(tmp_path) == ["a/1.ptx", "b/2.ptx"]


def test_others_have_their_turn_after_each_folder(tmp_path: Path) -> None:
    make(tmp_path, "a/1.ptx", "b/2.ptx")
    assert sum(one is None for one in walk([str(tmp_path)])) == 3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_are_no_files(tmp_path: Path) -> None:
    make(tmp_path, "a.ptx")
    os.mkfifo(tmp_path / "b.ptx")
    assert found(tmp_path) == ["a.ptx"]
    assert stamp_of(str(tmp_path / "b.ptx")) is None
    with pytest.raises(UnreadableError, match="a pipe, device or socket, not a file"):
        read_source(str(tmp_path / "b.ptx"), only_regular=True)
    assert read_source(str(tmp_path / "a.ptx"), only_regular=True) == "a.ptx"


def test_a_stamp_changes_with_the_file(tmp_path: Path) -> None:
    make(tmp_path, "a.ptx")
    before = stamp_of(str(tmp_path / "a.ptx"))
    (tmp_path / "a.ptx").write_text("longer than before")
    assert stamp_of(str(tmp_path / "a.ptx")) != before
    assert stamp_of(str(tmp_path / "missing.ptx")) is None
    assert stamp_of("\0") is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("file:///a%20b/x.ptx", "file:///a b/x.ptx"),
        ("file:///a/./x.ptx", "file:///a/x.ptx"),
        ("file:///a/b/../x.ptx", "file:///a/x.ptx"),
        ("untitled:a%20b", "untitled:a b"),
    ],
)
def test_spellings_of_one_address(one: str, other: str) -> None:
    assert key_of(one) == key_of(other)


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "git:/a/x.ptx?ref=HEAD", "", "x.ptx", "http://a/x.ptx"])
def test_addresses_that_are_no_files(uri: str) -> None:
    assert path_of(uri) is None
