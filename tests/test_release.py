"""Checks of ./release: archives that do not depend on the time of the build, and their content."""

from __future__ import annotations

import tarfile
import time
import zipfile
from pathlib import Path

import pytest

import ptx_lsp
from tools.release.contents import NEEDED, check
from tools.release.plain import plain_tar, plain_zip, tar
from tools.release.release_error import ReleaseError
from tools.release.versions import PLACES, common

ROOT = Path(__file__).parents[1]
EPOCH = 1_700_000_000


def zipped(path: Path, names: list[str], moment: float) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(zipfile.ZipInfo(name, time.gmtime(moment)[:6]), f"text of {name}")
    return path


def wheel(path: Path, *more: str, without: str = "") -> Path:
    """A file that looks like our wheel."""
    needed = [name.replace("*", "ptx_lsp-0.1.0") for name in NEEDED[".whl"].split()]
    names = [name for name in needed if not without or without not in name]
    return zipped(path / "ptx_lsp-0.1.0-py3-none-any.whl", [*names, *more], EPOCH)


def test_zip_archives_do_not_depend_on_time_and_order(tmp_path: Path) -> None:
    one = zipped(tmp_path / "one.zip", ["a", "b/c"], EPOCH)
    other = zipped(tmp_path / "other.zip", ["b/c", "a"], EPOCH + 99_999)
    assert one.read_bytes() != other.read_bytes()
    for path in (one, other):
        plain_zip(path, EPOCH)
    assert one.read_bytes() == other.read_bytes()
    with zipfile.ZipFile(one) as archive:
        assert archive.namelist() == ["a", "b/c"]
        assert archive.read("b/c") == b"text of b/c"


def test_tar_archives_do_not_depend_on_time_order_and_owner(tmp_path: Path) -> None:
    one, other = tmp_path / "one.tar.gz", tmp_path / "other.tar.gz"
    tar(one, [("b", b"2", 0o755), ("a", b"1", 0o600)], EPOCH)
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "b").write_bytes(b"2")
    (tmp_path / "b").chmod(0o700)
    with tarfile.open(other, "w:gz") as archive:
        for name in "ba":
            archive.add(tmp_path / name, name)
    plain_tar(other, EPOCH)
    assert one.read_bytes() == other.read_bytes()


def test_what_is_right_passes(tmp_path: Path) -> None:
    check(wheel(tmp_path), "0.1.0")


@pytest.mark.parametrize(
    ("more", "without", "said"),
    [
        ("ptx_lsp/__pycache__/codes.cpython-311.pyc", "", "nobody needs"),
        ("../outside", "", "leads out of it"),
        ("", "licenses", "nothing like *.dist-info/licenses/LICENSE"),
        ("", "isa.json", "nothing like ptx_lsp/grammar/compiled/isa.json"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, more: str, without: str, said: str) -> None:
    path = wheel(tmp_path, *([more] if more else []), without=without)
    with pytest.raises(ReleaseError) as caught:
        check(path, "0.1.0")
    assert said in str(caught.value)


def test_another_version_in_the_name(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"does not say 0\.2\.0"):
        check(wheel(tmp_path), "0.2.0")


def test_the_version_is_the_same_everywhere(tmp_path: Path) -> None:
    assert common(ROOT) == ptx_lsp.__version__
    for name in PLACES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    changed = tmp_path / "editors/vscode/package.json"
    changed.write_text(changed.read_text(encoding="utf-8").replace(ptx_lsp.__version__, "9.9.9"), encoding="utf-8")
    with pytest.raises(ReleaseError, match=r"editors/vscode/package\.json says 9\.9\.9"):
        common(tmp_path)
