"""The prose and the names of a Python source: docstrings, comments, identifiers."""

from __future__ import annotations

import ast
import io
import keyword
import re
import tokenize
from collections.abc import Iterator
from typing import NamedTuple

OPENINGS = ("What", "Where", "How", "Which", "Who", "The same")
"""Openings of a docstring that announce a description instead of giving it; "Whether" is allowed for a boolean."""

WORDS = ("behind", "initialised", "mend", "mended", "mending", "mends", "nobody", "told", "uninitialised")
"""Words with a standard term: after, initialized, fix, no one, reported, uninitialized."""

_OPENING = re.compile(rf"(?:{'|'.join(OPENINGS)})\b")
_WORD = re.compile(rf"(?<![a-z])(?:{'|'.join(WORDS)})(?![a-z])")
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
    """The docstrings, comments and identifiers with one of ``WORDS``, in the order of the lines."""
    found = [one for one in (*docstrings(source), *comments_and_names(source)) if _WORD.search(one.text.lower())]
    return sorted(found)
