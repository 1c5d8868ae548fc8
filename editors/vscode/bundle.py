"""Fills bundled/libs: the server and the libraries that it needs, for the extension's package.

    python3 bundle.py [WHEEL]

WHEEL is a wheel of ptx-lsp; without one it is built from the repository. The libraries are those of
requirements-bundle.txt, each checked by its hash. Wheels are unpacked, not installed: so there are no programs with
this machine's paths in them, no caches, and the same wheels give the same files.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIBS = HERE / "bundled" / "libs"
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
SOURCES = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "ptx_lsp", "grammar")
"""What a wheel of ptx-lsp is built from."""
OLDEST = "3.11"
"""The Python that the libraries must run on, whatever runs this."""


def main(arguments: list[str]) -> None:
    """Make bundled/libs anew."""
    with tempfile.TemporaryDirectory() as folder:
        wheels = Path(folder, "wheels")
        own = Path(arguments[0]) if arguments else build(Path(folder))
        subprocess.run(
            (
                *PIP,
                "download",
                "--no-deps",
                "--only-binary=:all:",
                "--implementation=py",
                "--platform=any",
                f"--python-version={OLDEST}",
                "--require-hashes",
                f"--requirement={HERE / 'requirements-bundle.txt'}",
                f"--dest={wheels}",
            ),
            check=True,
        )
        shutil.rmtree(LIBS, ignore_errors=True)
        for wheel in (*sorted(wheels.iterdir()), own):
            unpack(wheel)
    for package in LIBS.glob("*.dist-info"):
        if not any(file.name.upper().startswith(("LICENSE", "COPYING")) for file in package.rglob("*")):
            sys.exit(f"bundle.py: {package.name} has no licence in it")
    clear_caches()


def build(folder: Path) -> Path:
    """A wheel of the repository as it stands, built from a copy: setuptools would mix in what an earlier build left."""
    copy = folder / "source"
    copy.mkdir()
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy2(ROOT / name, copy / name)
    subprocess.run((*PIP, "wheel", "--no-deps", f"--wheel-dir={folder}", str(copy)), check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def unpack(wheel: Path) -> None:
    """The files of a pure wheel."""
    if not wheel.name.endswith("-none-any.whl"):
        sys.exit(f"bundle.py: {wheel.name} is not for every machine")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(LIBS)


def clear_caches() -> None:
    """Take away what a run of the server left: the package would get it."""
    for cache in (HERE / "bundled").rglob("__pycache__"):
        shutil.rmtree(cache)


if __name__ == "__main__":
    os.environ.setdefault("SOURCE_DATE_EPOCH", "946684800")  # any fixed time: wheels are archives with times in them
    main(sys.argv[1:])
