"""The examples of the README and the documents are correct, and links of all documents lead somewhere."""

from __future__ import annotations

import json
import os
import re
import tomllib
from pathlib import Path

import pytest

from ptx_lsp.cli.commands import FORMATS
from ptx_lsp.preferences import Format
from ptx_lsp.settings import from_mapping
from ptx_lsp.suppressions import apply

ROOT = Path(__file__).parent.parent
FOLDERS = (".", ".github", "docs", "docs/review", "benchmarks", "editors", "editors/*")
DOCUMENTS = sorted({path.relative_to(ROOT) for folder in FOLDERS for path in ROOT.glob(f"{folder}/*.md")})
"""All that is written for people, but for the pages of grammar/, which have tests of their own."""
_LINK = re.compile(r"\]\((?![\w-]+:)([^)#\s]*)(?:#([^)\s]*))?\)")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def text_of(document):
    return (ROOT / document).read_text("utf-8")


def fenced(document, language):
    return re.findall(rf"```{language}\n(.*?)```", text_of(document), re.DOTALL)


def test_the_first_commands_are_two_scripts():
    commands = re.findall(r"^\./(\w+)", fenced("README.md", "sh")[0], re.MULTILINE)
    assert len(commands) == 2
    assert all(os.access(ROOT / command, os.X_OK) for command in commands)


def test_the_settings_are_understood():
    (block,) = fenced("docs/configuration.md", "toml")
    assert from_mapping(tomllib.loads(block))[1] == []


def test_the_comments_are_understood():
    (block,) = fenced("docs/configuration.md", "ptx")
    assert apply(block, []) == []


def test_the_json_is_json():
    (block,) = fenced("docs/command-line.md", "json")
    assert set(json.loads(block)) == {"files", "summary"}


def test_all_formats_are_named():
    assert all(f"`{name}`" in text_of("docs/command-line.md") for name in FORMATS)


def test_all_settings_of_the_formatter_are_explained():
    assert all(f"| `{name.replace('_', '-')}` |" in text_of("docs/formatting.md") for name in Format._fields)


def anchors(text):
    """The anchors of the headings, as forges make them."""
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in _HEADING.findall(text)}


def without_code(text):
    """A document without its fenced blocks, which show links of their own."""
    return re.sub(r"^ *(`{3,}).*?^ *\1$", "", text, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_links_lead_somewhere(document):
    path = ROOT / document
    for link, anchor in _LINK.findall(without_code(path.read_text("utf-8"))):
        target = path.parent / link.replace("\\", "") if link else path
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.read_text("utf-8")), f"{link}#{anchor}"
