"""Golden files: what the checker says about annotated PTX, no more and no less.

``pytest --update`` writes the annotations anew; read the difference before you commit it.
"""

from __future__ import annotations

import re
from pathlib import Path

import annotated
import pytest

FILES = sorted((Path(__file__).parent.parent / "diagnostics").glob("*.ptx"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_file(path: Path, update: bool) -> None:
    text = path.read_text()
    head, *rest = re.split(r"^(?=//-)", text, flags=re.MULTILINE)
    if update:
        path.write_text(head + "\n".join(map(annotated.updated, rest)))
        return
    wrong = [difference for one in rest for difference in annotated.differences(one)]
    assert rest, "a golden file holds at least one snippet that begins with //-"
    assert not wrong, "\n".join(["", str(path), *wrong])
