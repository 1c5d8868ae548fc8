"""Every generated file of an editor is what ``python -m editors.generate`` makes of grammar/ and the settings now."""

from __future__ import annotations

from pathlib import Path

import pytest

from editors.generate.__main__ import EDITORS, files, main

MADE = files()


@pytest.mark.parametrize("path", MADE, ids=Path.as_posix)
def test_a_file_on_disk_is_what_is_made_now(path):
    assert (EDITORS / path).read_bytes() == MADE[path].encode(), "python -m editors.generate makes it anew"


def test_a_file_that_was_touched_is_named_and_made_anew(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("editors.generate.__main__.EDITORS", tmp_path)
    assert main([]) == 0
    assert main(["--check"]) == 0
    path = next(iter(MADE))
    (tmp_path / path).write_text("touched")
    capsys.readouterr()
    assert main(["--check"]) == 1
    assert capsys.readouterr().out == f"editors/{path.as_posix()} differs\n"
    assert main([]) == 0
    assert main(["--check"]) == 0
