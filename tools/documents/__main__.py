"""``python -m tools.documents`` writes the documents made of grammar/ and the rules; ``--check`` lists old ones."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.documents import rules, support

DOCUMENTS = {"docs/rules.md": rules.text, "docs/support.md": support.text}
"""Path to the function that makes the text."""
ROOT = Path(__file__).parent.parent.parent


def main(arguments: list[str] | None = None) -> int:
    """Write all documents, or with ``--check`` return 1 if one is outdated."""
    parser = argparse.ArgumentParser(prog="python -m tools.documents", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, list outdated documents")
    options = parser.parse_args(arguments)
    outdated = [path for path, make in DOCUMENTS.items() if _present(path) != make()]
    for path in outdated:
        if not options.check:
            (ROOT / path).write_text(DOCUMENTS[path](), "utf-8")
        print(f"{path}: {'outdated' if options.check else 'written'}")
    return int(options.check and bool(outdated))


def _present(path: str) -> str:
    file = ROOT / path
    return file.read_text("utf-8") if file.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
