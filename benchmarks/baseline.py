"""The yardstick: plain Lark parsing of whole modules with the grammar of the product.

``grammar/ptx.lark`` is the grammar of one statement. Here it becomes one of a module, with terminals for Lark's own
lexer, as somebody would write who has never heard of shapes.
"""

from __future__ import annotations

import re
from functools import cache

from lark import Lark, Token, Tree

from ptx_lsp.syntax.parser import read_grammar

_MODULE = r"""
start: (statement | "{" | "}" | ";")*

NAME: /[A-Za-z][\w$]*|[_$%][\w$]+|_/
DOT: /\.\w+(::\w+)*/
INTEGER.1: /(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)U?/
FLOAT.2: /\d+\.\d*([eE][+-]?\d+)?|\d+[eE][+-]?\d+/
EXACT.3: /0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}/
RUN.4: /\d+(\s*,\s*\d+){3,}/
STRING: /"(\\.|[^"\\])*"/
%ignore /\s+/
%ignore /\/\/[^\n]*/
%ignore /\/\*(.|\n)*?\*\//
"""


_KEYWORDS = re.compile(r'^([A-Z_]+): ("\.\w+"(?: \| "\.\w+")*)$', re.MULTILINE)
"""A terminal that is nothing but directive words."""


@cache
def parser() -> Lark:
    """A LALR parser of modules with Lark's contextual lexer."""
    rules = re.sub(r"^%declare.*$", "", read_grammar(), flags=re.MULTILINE)
    return Lark(_KEYWORDS.sub(_whole_words, rules) + _MODULE, parser="lalr")


def parse(text: str) -> Tree[Token]:
    """The tree of a module. Raises ``lark.UnexpectedInput`` at the first mistake."""
    return parser().parse(text)


def _whole_words(found: re.Match[str]) -> str:
    """A lexer that reads a whole text must not take ``.loc`` out of ``.local``."""
    words = found[2].replace('"', "").replace(" ", "").replace(".", r"\.")
    return rf"{found[1]}.5: /(?:{words})(?![\w:])/"
