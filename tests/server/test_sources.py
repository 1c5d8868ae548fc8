r"""Where the files are that PTX names: never on another machine, which would learn who asks.

``ntpath`` and ``posixpath`` are the rules of both systems, wherever the tests run.
"""

from __future__ import annotations

import ntpath
import posixpath
from pathlib import Path

import pytest

from ptx_lsp.server.documents.source_lines import local_path, readable_path


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("a.cu", r"C:\work\a.cu"),
        ("src/a.cu", r"C:\work\src\a.cu"),
        (r"src\a.cu", r"C:\work\src\a.cu"),
        ("../a.cu", r"C:\a.cu"),
        ("/src/a.cu", r"C:\src\a.cu"),
        (r"\src\a.cu", r"C:\src\a.cu"),
        ("D:/src/a.cu", r"D:\src\a.cu"),
        (r".\\server\share\a.cu", r"C:\work\server\share\a.cu"),
    ],
)
def test_paths_on_windows(path: str, found: str) -> None:
    assert local_path(r"C:\work", path, ntpath) == found


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("a.cu", "/project/a.cu"),
        (r"src\a.cu", "/project/src/a.cu"),
        ("../a.cu", "/a.cu"),
        ("/src/./a.cu", "/src/a.cu"),
    ],
)
def test_paths_on_other_systems(path: str, found: str) -> None:
    assert local_path("/project", path, posixpath) == found


@pytest.mark.parametrize("system", [ntpath, posixpath])
@pytest.mark.parametrize("folder", [r"C:\work", "/project", None])
@pytest.mark.parametrize(
    "path",
    [
        "//server/share/a",
        r"\\server\share\a",
        r"/\server/share/a",
        r"\/server/share/a",
        r"//server\share\..\a",
    ],
)
def test_other_machines(path: str, folder: str | None, system: object) -> None:
    assert local_path(folder, path, system) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "path",
    [
        r"\\?\UNC\server\share\a",
        "//?/UNC/server/share/a",
        r"\\.\pipe\a",
        r"/\?/UNC/server/share/a",
        "C:a.cu",
        "a\0.cu",
    ],
)
@pytest.mark.parametrize("folder", [r"D:\work", None])
def test_other_ways_to_machines_and_devices(path: str, folder: str | None) -> None:
    assert local_path(folder, path, ntpath) is None


def test_without_a_folder_only_whole_paths_are_known() -> None:
    assert local_path(None, "a.cu", ntpath) is None
    assert local_path(None, r"\??\UNC\server\share\a", ntpath) is None
    assert local_path(None, r"D:\a.cu", ntpath) == r"D:\a.cu"


def test_of_a_document_on_another_machine_only_files_of_this_one_are_known() -> None:
    assert local_path(r"\\server\share", "a.cu", ntpath) is None
    assert local_path(r"\\server\share", "D:/a.cu", ntpath) == r"D:\a.cu"


# ---- files of the workspace, and others


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A workspace with a link to a file outside of it."""
    for name in ("work/build/a.cu", "work/src/a.cu", "secret/key", "work2/a.cu"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "work" / "build" / "key").symlink_to(tmp_path / "secret" / "key")
    (tmp_path / "work" / "build" / "secret").symlink_to(tmp_path / "secret")
    (tmp_path / "other name").symlink_to(tmp_path / "work")
    return tmp_path / "work"


def is_readable(work: Path, path: str, *, workspace: str = ".") -> bool:
    """Whether a document in the folder ``build`` of a workspace may name this file."""
    return readable_path(str(work / "build"), [str(work / workspace)], path) is not None


@pytest.mark.parametrize(
    "path", ["a.cu", "../src/a.cu", "{work}/src/a.cu", "missing.cu", "{work}/../{work.name}/src/a.cu"]
)
def test_files_of_the_workspace_are_opened(work: Path, path: str) -> None:
    assert is_readable(work, path.format(work=work))


@pytest.mark.parametrize(
    "path", ["../../secret/key", "{work}/../secret/key", "/etc/passwd", "key", "secret/key", "../../work2/a.cu", "/"]
)
def test_nothing_outside_the_workspace_is_opened(work: Path, path: str) -> None:
    assert not is_readable(work, path.format(work=work))


def test_without_a_workspace_only_the_folder_of_the_document_counts(work: Path) -> None:
    assert readable_path(str(work / "build"), [], "a.cu") is not None
    assert readable_path(str(work / "build"), [], "../src/a.cu") is None
    assert readable_path(None, [], str(work / "src" / "a.cu")) is None


def test_a_workspace_that_is_opened_through_a_link(work: Path) -> None:
    assert is_readable(work, f"{work}/src/a.cu", workspace="../other name")
    linked = work.parent / "other name"
    assert readable_path(str(linked / "build"), [str(linked)], "../src/a.cu") is not None
