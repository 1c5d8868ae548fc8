"""What ``ptx-lsp format`` does to files: nothing of them is lost, whatever happens meanwhile."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ptx_lsp.cli import format as format_module
from ptx_lsp.cli import writing
from ptx_lsp.cli.writing import replace_text

OLD, NEW = "ret ;\n", "ret;\n"
SAVED = "exit ;\n"
NOBODY = 65534

needs_modes = pytest.mark.skipif(os.name != "posix", reason="owners and modes of Unix")
needs_root = pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give files away")


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder in which every user may look."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def file_in(folder: Path, mode: int = 0o644, owner: int | None = None) -> Path:
    path = folder / "a.ptx"
    path.write_text(OLD)
    if owner is not None:
        os.chown(path, owner, owner)
    path.chmod(mode)
    return path


def replaced_by_nobody(path: Path) -> bool:
    """Whether a user without rights can replace the text; in a process of its own."""
    child = os.fork()
    if not child:
        status = 1
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            replace_text(str(path), OLD, NEW)
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("names", [1, 2])
def test_a_save_meanwhile_wins(run, write, folder, monkeypatch, names):
    write("a.ptx", OLD)
    if names == 2:
        os.link(folder / "a.ptx", folder / "b")
    laid_out = format_module._formatted

    def save_and_lay_out(text: str, table: object) -> str:
        write("a.ptx", SAVED)
        return laid_out(text, table)

    monkeypatch.setattr(format_module, "_formatted", save_and_lay_out)
    found = run("format", "a.ptx")
    assert (found.status, found.err) == (2, "ptx-lsp: a.ptx: was changed by another program and is not written\n")
    assert (folder / "a.ptx").read_text() == SAVED
    assert sorted(os.listdir(folder)) == ["a.ptx", "b"][:names]


def test_a_file_that_is_gone_meanwhile_does_not_come_back(tmp_path):
    with pytest.raises(FileNotFoundError):
        replace_text(str(tmp_path / "a.ptx"), OLD, NEW)
    assert os.listdir(tmp_path) == []


def test_a_file_of_several_names_stays_one(tmp_path):
    path = file_in(tmp_path)
    os.link(path, tmp_path / "other.ptx")
    replace_text(str(path), OLD, NEW)
    assert (tmp_path / "other.ptx").read_text() == NEW
    assert path.samefile(tmp_path / "other.ptx")


@needs_modes
def test_a_pipe_is_read_and_not_replaced(folder):
    os.mkfifo(folder / "pipe")
    with pytest.raises(OSError, match="a pipe, device or socket, not a file"):
        replace_text(str(folder / "pipe"), OLD, NEW)


@needs_modes
@pytest.mark.parametrize("names", [1, 2])
@pytest.mark.parametrize(("mode", "kept"), [(0o600, 0o600), (0o755, 0o755), (0o4755, 0o755), (0o2755, 0o755)])
def test_permissions_stay_but_those_of_programs(tmp_path, mode, kept, names):
    path = file_in(tmp_path, mode)
    if names == 2:
        os.link(path, tmp_path / "b")
    replace_text(str(path), OLD, NEW)
    assert path.read_text() == NEW
    assert path.stat().st_mode & 0o7777 == kept


def test_extended_attributes_stay(tmp_path):
    path = file_in(tmp_path)
    try:
        os.setxattr(path, "user.origin", b"nvcc")
    except (AttributeError, OSError):
        pytest.skip("there are none here")
    replace_text(str(path), OLD, NEW)
    assert (path.read_text(), os.getxattr(path, "user.origin")) == (NEW, b"nvcc")


@needs_root
def test_the_owner_stays(tmp_path):
    path = file_in(tmp_path, 0o640, owner=NOBODY)
    before = path.stat()
    replace_text(str(path), OLD, NEW)
    after = path.stat()
    assert path.read_text() == NEW
    assert after.st_ino != before.st_ino, "it was not replaced at once"
    assert (after.st_uid, after.st_gid, after.st_mode) == (before.st_uid, before.st_gid, before.st_mode)


@needs_root
def test_the_owner_stays_where_he_cannot_be_given(public):
    """A file of root's that everybody may write to, in a folder in which everybody may make files."""
    public.chmod(0o777)
    path = file_in(public, 0o666)
    assert replaced_by_nobody(path)
    assert (path.read_text(), path.stat().st_uid, path.stat().st_mode & 0o777) == (NEW, 0, 0o666)
    assert os.listdir(public) == ["a.ptx"]


@needs_root
def test_a_file_in_a_folder_that_takes_no_others(public):
    path = file_in(public, 0o666)
    assert replaced_by_nobody(path)
    assert (path.read_text(), path.stat().st_uid) == (NEW, 0)


@needs_root
def test_a_file_that_one_may_not_write_to(public):
    public.chmod(0o777)
    path = file_in(public, 0o644)
    assert not replaced_by_nobody(path)
    assert path.read_text() == OLD


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("names", [1, 2])
def test_what_cannot_be_written_is_as_before(tmp_path, monkeypatch, names, error):
    path = file_in(tmp_path)
    if names == 2:
        os.link(path, tmp_path / "b")
    failures = [error]

    def fail_once(_: object) -> None:
        if failures:
            raise failures.pop()

    monkeypatch.setattr(writing, "_flush", fail_once)
    with pytest.raises(type(error)):
        replace_text(str(path), OLD, NEW * 1000)
    assert path.read_text() == OLD
    assert sorted(os.listdir(tmp_path)) == ["a.ptx", "b"][:names]


def test_a_refused_write_is_no_success(run, write, monkeypatch):
    def refuse(path: str, *_: object) -> None:
        if path.endswith("a.ptx"):
            raise PermissionError(13, "Permission denied", path)

    write("a.ptx", OLD)
    write("b.ptx", OLD)
    monkeypatch.setattr(format_module, "replace_text", refuse)
    found = run("format", "a.ptx", "b.ptx")
    assert (found.status, found.err) == (2, "ptx-lsp: a.ptx: Permission denied\n1 file reformatted\n")
