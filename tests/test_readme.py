"""The examples of the README are correct."""

from __future__ import annotations

import json
import os
import re
import tomllib
from pathlib import Path

from ptx_lsp.cli.commands import FORMATS
from ptx_lsp.settings import from_mapping
from ptx_lsp.suppressions import apply

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text("utf-8")


def fenced(language):
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


def test_the_first_commands_are_two_scripts():
    commands = re.findall(r"^\./(\w+)", fenced("sh")[0], re.MULTILINE)
    assert len(commands) == 2
    assert all(os.access(ROOT / command, os.X_OK) for command in commands)


def test_the_settings_are_understood():
    (block,) = fenced("toml")
    assert from_mapping(tomllib.loads(block))[1] == []


def test_the_comments_are_understood():
    (block,) = fenced("ptx")
    assert apply(block, []) == []


def test_the_json_is_json():
    (block,) = fenced("json")
    assert set(json.loads(block)) == {"files", "summary"}


def test_all_formats_are_named():
    assert all(f"`{name}`" in TEXT for name in FORMATS)


def test_links_lead_somewhere():
    for link in re.findall(r"\]\((?!http)([^)#]+)", TEXT):
        assert (ROOT / link).exists(), link
