"""The prose and the names of the project, and the words in them that have a standard term."""

from __future__ import annotations

import ast
import io
import keyword
import re
import tokenize
from collections.abc import Iterable, Iterator
from typing import NamedTuple

OPENINGS = ("What", "Where", "How", "Which", "Who", "The same")
"""Openings of a docstring that announce a description instead of giving it; "Whether" is allowed for a boolean."""

REPLACEMENTS = {
    "behind": "after, following",
    "initialised": "initialized",
    "mend": "fix",
    "mended": "fixed",
    "mending": "fixing",
    "mends": "fixes",
    "nobody": "no thread, no instruction, or the passive",
    "told": "reported, listed, mentioned",
    "uninitialised": "uninitialized",
}
"""Words with a standard term; they occur in no text and no name."""

REPLACEMENTS_IN_TEXTS = {
    **REPLACEMENTS,
    "at the side": "beside",
    "cannot be meant": "is undefined, has no effect",
    "first value": "initializer",
    "first values": "initializer",
    "go on": "continue",
    "goes on": "continues",
    "in sight": "visible",
    "is to be": "must be",
    "left away": "omitted",
    "left of it": "truncated to",
    "meanwhile": "in the background, concurrently",
    "one step": "atomic",
    "possible is": "expected",
    "possible are": "expected",
    "somebody": "a user",
    "throw away": "discard",
    "thrown away": "discarded",
    "throws away": "discards",
    "wants": "requires, expects",
    "whom": "that, which",
    "without a word": "silently",
}
"""Words and phrases that a user does not read: in messages, pages, documents and settings."""

_OPENING = re.compile(rf"(?:{'|'.join(OPENINGS)})\b")
_WORD = re.compile(rf"(?<![a-z])(?:{'|'.join(REPLACEMENTS)})(?![a-z])")
_IN_TEXTS = re.compile(
    rf"(?<![\w-])(?:{'|'.join(REPLACEMENTS_IN_TEXTS).replace(' ', chr(92) + 's+')})(?![\w-])", re.IGNORECASE
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class Text(NamedTuple):
    """A docstring, comment or identifier with its line."""

    line: int
    text: str


def docstrings(source: str) -> Iterator[Text]:
    """The docstrings of modules, classes, functions and attributes: all strings that are statements."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield Text(node.lineno, node.value.value.strip())


def comments_and_names(source: str) -> Iterator[Text]:
    """The comments, and the identifiers in lower case with their words separated by underscores."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Text(token.start[0], token.string)
        elif token.type == tokenize.NAME and not keyword.iskeyword(token.string):
            yield Text(token.start[0], _CAMEL.sub("_", token.string))


def vague_openings(source: str) -> list[Text]:
    """The docstrings that open with one of ``OPENINGS``."""
    return [one for one in docstrings(source) if _OPENING.match(one.text)]


def replaced_words(source: str) -> list[Text]:
    """The docstrings, comments and identifiers with one of ``REPLACEMENTS``, in the order of the lines."""
    found = [one for one in (*docstrings(source), *comments_and_names(source)) if _WORD.search(one.text.lower())]
    return sorted(found)


def strings(source: str) -> Iterator[Text]:
    """The string literals of a Python source, those of f-strings in pieces, without docstrings."""
    tree = ast.parse(source)
    documentation = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield Text(node.lineno, node.value)


def lines(text: str) -> Iterator[Text]:
    """The paragraphs of a text, each with its first line, so that a phrase across lines is found."""
    number = 1
    for paragraph in text.split("\n\n"):
        yield Text(number, paragraph)
        number += paragraph.count("\n") + 2


def complaints(texts: Iterable[Text]) -> list[str]:
    """One line for each word or phrase of ``REPLACEMENTS_IN_TEXTS``, with the term for it."""
    return [
        f"line {text.line + text.text.count(chr(10), 0, found.start())}: "
        f"'{found[0]}', better: {REPLACEMENTS_IN_TEXTS[' '.join(found[0].lower().split())]}"
        for text in texts
        for found in _IN_TEXTS.finditer(text.text)
    ]
