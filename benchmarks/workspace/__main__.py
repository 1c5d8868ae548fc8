"""Responses of the server in a workspace of 300 MB: while it is read for the first time, and after.

    python -m benchmarks.workspace [--folder FOLDER] [--megabytes N] [--write]

The workspace consists of copies of the kept files with other names, and of one file of 10 MB; it is written into
``--folder`` once. Prints ``docs/workspaces.md``; ``--write`` writes it. Linux only.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.speed.conditions import conditions
from benchmarks.speed.processes import ROOT
from benchmarks.workspace.making import make
from benchmarks.workspace.measuring import measure
from benchmarks.workspace.page import page

DOCUMENT = ROOT / "docs" / "workspaces.md"


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and write if asked."""
    options = _parse(arguments)
    lines = conditions()
    with tempfile.TemporaryDirectory(prefix="ptx-lsp-") as temporary:
        folder = (options.folder or Path(temporary)).resolve()
        print(f"… writing {options.megabytes} MB", file=sys.stderr)
        files = make(folder, options.megabytes)
        print("… measuring", file=sys.stderr)
        text = page(measure(folder, files, options.megabytes), lines)
    print(text)
    if options.write:
        DOCUMENT.write_text(text, encoding="utf-8")
    return 0


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.workspace", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--folder", type=Path, help="where the workspace is kept (default: a temporary folder)")
    parser.add_argument("--megabytes", type=int, default=300, help="size of the workspace (default: 300)")
    parser.add_argument("--write", action="store_true", help="write docs/workspaces.md")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
