"""Docstrings define, and use the field's terms.

No docstring opens with a question word ("What …", "Where …") or "The same …", and words with a standard term do not
occur in docstrings, comments or identifiers.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from words import replaced_words, vague_openings

ROOT = Path(__file__).parent.parent / "ptx_lsp"
SOURCES = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in sorted(ROOT.rglob("*.py"))}


def test_docstrings_open_with_what_they_define() -> None:
    assert {path: found for path, text in SOURCES.items() if (found := vague_openings(text))} == {}


def test_texts_use_the_terms_of_the_field() -> None:
    assert {path: found for path, text in SOURCES.items() if (found := replaced_words(text))} == {}


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
