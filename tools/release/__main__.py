"""``./release``: builds everything that is published twice, compares, checks, tries, and puts it into ``dist/``.

What is built is the last commit: files that are not committed are not in it.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import sys
import tempfile
from pathlib import Path

from tools.release import build, contents, smoke, versions
from tools.release.release_error import ReleaseError
from tools.release.source import ROOT, export, uncommitted


def main() -> int:
    """Exit status: 0, or 1 if something is wrong."""
    parser = argparse.ArgumentParser(prog="./release", description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "dist", metavar="FOLDER", help="usually dist/")
    parser.add_argument("--once", action="store_true", help="do not build a second time to compare")
    parser.add_argument("--no-smoke", action="store_true", help="do not install and try what was built")
    options = parser.parse_args()
    left = uncommitted()
    if left:
        print(f"not committed, so not in the release: {', '.join(left)}")
    try:
        with tempfile.TemporaryDirectory(prefix="ptx-lsp-release-") as folder:
            made = release(Path(folder), twice=not options.once, tried=not options.no_smoke)
            options.output.mkdir(parents=True, exist_ok=True)
            for file in made:
                shutil.copy2(file, options.output / file.name)
    except ReleaseError as wrong:
        print(f"release: {wrong}", file=sys.stderr)
        return 1
    for file in made:
        path = options.output / file.name
        print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.stat().st_size:>9,}  {file.name}")
    return 0


def release(folder: Path, *, twice: bool, tried: bool) -> list[Path]:
    """What is published, by file.

    Raises:
        ReleaseError: what is not as it must be, in a sentence.
    """
    source = export(folder / "first")
    version = versions.common(source)
    print(f"ptx-lsp {version}: building")
    made = build.everything(source, folder / "made")
    if twice:
        print("building again, elsewhere")
        again = build.everything(export(folder / "a second folder"), folder / "made again")
        for one, other in zip(made, again, strict=True):
            if one.read_bytes() != other.read_bytes():
                raise ReleaseError(f"{one.name} is not the same when it is built again")
    for file in made:
        contents.check(file, version)
    if tried:
        smoke.try_all(made, version, folder / "tried")
    return made


if __name__ == "__main__":
    sys.exit(main())
