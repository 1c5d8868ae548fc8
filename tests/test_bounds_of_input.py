"""Numbers, names and files from outside are bounded where they enter."""

from __future__ import annotations

import logging
import time
from pathlib import Path

import pytest

from ptx_lsp import codes, settings
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.server.client.file_uris import path_of_file
from ptx_lsp.server.transport.slow_slices import SLOW, note_slice


def check_problem(mapping: dict[str, object], words: str) -> None:
    found, problems = settings.from_mapping(mapping)
    assert problems == [words]
    assert found == settings.Settings()


def test_lists_of_settings() -> None:
    check_problem({"select": ["E502"] * 1001}, "'select' must have at most 1000 entries, not 1001")
    check_problem(
        {"targets": {f"{one}.cu": ["sm_90"] for one in range(1001)}},
        "'targets' must have at most 1000 entries, not 1001",
    )


def test_a_file_of_settings_that_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "ptx-lsp.toml"
    path.write_text("# \n" * 100_000 + "max-diagnostics = 5\n")
    found = settings.find(str(tmp_path))
    assert found == (settings.Settings(), str(path), ("is larger than 262144 bytes",))


def test_a_long_word_is_no_misspelt_code() -> None:
    assert codes.nearest("undeclared-nam") == "undeclared-name"
    assert codes.nearest("undeclared-name" * 10) is None


@pytest.mark.parametrize("uri", ["file:///a%00b.ptx", "file:///" + "a/" * 100_000], ids=["NUL", "long"])
def test_uris_that_name_no_file(uri: str) -> None:
    assert path_of_file(uri) is None


@pytest.mark.parametrize("number", ["9" * 30, "9" * 5000, "0x" + "f" * 5000, "-1"], ids=len)
def test_numbers_of_source_lines(number: str) -> None:
    text = (
        f'.version 8.0\n.target sm_90\n.file {number} "a.cu"\n.entry k() {{\n.loc {number} {number} {number}\nret;\n}}'
    )
    assert Checker(text).findings().shown, "too large or broken, and not more than that"


def test_what_keeps_the_loop_busy_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    begin = time.perf_counter()
    with caplog.at_level(logging.DEBUG):
        note_slice("quick", begin)
        note_slice(test_lists_of_settings, begin - 10 * SLOW)
    assert [one.getMessage().partition(":")[2] for one in caplog.records] == [" test_lists_of_settings"]
    caplog.clear()
    note_slice("not at other levels", begin - 10 * SLOW)
    assert not caplog.records
