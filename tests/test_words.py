"""Docstrings define, and use the field's terms.

No docstring opens with a question word ("What …", "Where …") or "The same …", and words with a standard term do not
occur in docstrings, comments or identifiers. Texts that users read (messages, pages of rules and instructions,
documents, settings) are without further words that have to be translated: ``REPLACEMENTS_IN_TEXTS``.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from words import REPLACEMENTS_IN_TEXTS, Text, complaints, lines, replaced_words, strings, vague_openings

from ptx_lsp.checks import all_checks
from ptx_lsp.features.pages import find_page

PROJECT = Path(__file__).parent.parent
ROOT = PROJECT / "ptx_lsp"
SOURCES = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in sorted(ROOT.rglob("*.py"))}


TEXTS = (
    "grammar/vocabulary",
    "grammar/snippets",
    "grammar/concepts",
    "grammar/isa",
    "grammar/layouts",
    "docs",
    "README.md",
    "CHANGELOG.md",
    "editors",
    "examples",
)
"""Files and folders with texts that users read, besides the strings and pages of ``ptx_lsp``."""


def test_docstrings_open_with_what_they_define() -> None:
    assert {path: found for path, text in SOURCES.items() if (found := vague_openings(text))} == {}


def test_texts_use_the_terms_of_the_field() -> None:
    assert {path: found for path, text in SOURCES.items() if (found := replaced_words(text))} == {}


def test_strings_are_without_replaced_words() -> None:
    assert {path: found for path, text in SOURCES.items() if (found := complaints(strings(text)))} == {}


@pytest.mark.parametrize("code", [check.rule.code for check in all_checks()])
def test_pages_of_rules_are_without_replaced_words(code: str) -> None:
    page = find_page(code)
    assert page
    assert complaints(lines(page)) == []


@pytest.mark.parametrize("place", TEXTS)
def test_texts_are_without_replaced_words(place: str) -> None:
    files = _texts(PROJECT / place)
    assert files
    found = {file.relative_to(PROJECT).as_posix(): complaints(lines(file.read_text("utf-8"))) for file in files}
    assert {file: wrong for file, wrong in found.items() if wrong} == {}


def test_the_places_of_texts_exist() -> None:
    assert all((PROJECT / place).exists() for place in TEXTS)


def _texts(place: Path) -> list[Path]:
    if place.is_file():
        return [place]
    files = (file for file in place.rglob("*") if not {"node_modules", "review"} & set(file.parts))  # reviews quote
    return sorted(file for file in files if file.suffix in (".md", ".ptx") or file.name.startswith("package."))


@pytest.mark.parametrize("phrase", REPLACEMENTS_IN_TEXTS)
def test_a_replaced_phrase_is_found_across_lines_and_in_capitals(phrase: str) -> None:
    (complaint,) = complaints([Text(1, f"one\n{phrase.capitalize().replace(' ', chr(10), 1)} two")])
    assert complaint.startswith("line 2: ")
    assert complaint.endswith(f"better: {REPLACEMENTS_IN_TEXTS[phrase]}")


@pytest.mark.parametrize("text", ["the wanted type", "if one is possible", "recommend", "left-of-it", "one steps"])
def test_other_phrases_are_allowed(text: str) -> None:
    assert not complaints([Text(1, text)])


@pytest.mark.parametrize(
    "opening", ["What it is.", "Where it stands.", "How it works.", "Which one.", "The same twice."]
)
def test_a_vague_opening_is_found(opening: str) -> None:
    function = f'def one():\n    """{opening}"""\n'
    attribute = f'class One:\n    """A class."""\n\n    two = 2\n    """{opening}"""\n'
    module = f'"""{opening}"""\n'
    assert [[text.line for text in vague_openings(source)] for source in (function, attribute, module)] == [
        [2],
        [5],
        [1],
    ]


@pytest.mark.parametrize(
    "docstring", ["Whether it holds.", "Somewhat slow: what it does is in the manual.", "However."]
)
def test_other_openings_are_allowed(docstring: str) -> None:
    assert not vague_openings(f'"""{docstring}"""\n')


@pytest.mark.parametrize(
    "source",
    [
        '"""The text behind the cursor."""',
        "one = 1  # told already",
        "def mend(text): ...",
        "is_uninitialised = True",
        "class ToldOnce: ...",
        "class One:\n    def nobody(self): ...",
        "def one(*, mended): ...",
    ],
)
def test_a_replaced_word_is_found_in_texts_and_names(source: str) -> None:
    assert len(replaced_words(source)) == 1


@pytest.mark.parametrize(
    "source", ['one = "behind"', "def recommend(): ...", "# a commended amendment", "initialized = 1"]
)
def test_strings_and_other_words_are_allowed(source: str) -> None:
    assert not replaced_words(source)
