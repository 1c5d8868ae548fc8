"""E111 debug-data."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, Phase, error
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.constants import MAX_DIGITS, integer
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tokens import TokenKind
from ptx_lsp.syntax.tree import Data, Directive
from ptx_lsp.text import Span

RULE = error("E111", phase=Phase.SYNTAX).in_trees(Directive, Data)

_MAY_BE_LARGE = re.compile(
    r"-|\b(?:25[6-9]|2[6-9]\d|[3-9]\d\d|\d{4}|0[\dxXbB])|\.(?:b8|b16|byte)\b[^\d]*[A-Za-z_.$%]", re.ASCII
).search
_LARGEST_NEGATIVE = (1 << 63) - 1
_OLD = {".byte": ".b8", ".4byte": ".b32", ".quad": ".b64"}
_WITH_ADDRESSES = (32, 64)


def accepts_shape(shape: Shape) -> bool:
    """Lines of debug sections."""
    return shape.kind in (Kind.DATA, Kind.DIRECTIVE)


def prefilter_statement(text: str, _datum: object) -> bool:
    """Whether a line contains more than small numbers."""
    return _MAY_BE_LARGE(text) is not None or _OLD_LINE in text


def prefilter_chunk(text: str) -> bool:
    """Whether there is any in a piece of a document."""
    return _MAY_BE_LARGE(text) is not None or _OLD_LINE in text


def check(context: StatementContext) -> Iterator[Finding]:
    """A line of a debug section with a number or a label that does not fit its type.

    ```ptx
    //- sm_80 ptx 8.0 module
    .section .debug_abbrev
    {
    .b8 1, 256
    //     ^^^ error[E111]: 256 does not fit .b8; allowed: -128 to 255
    }
    // ptxas: Value out of range for type .b8 256
    ```

    **Right:** `.b16 256`

    **Fixes offered:** `.b32` for a label or a section.

    ---

    `.b8` allows -128 to 255, `.b16` -32768 to 65535. For `.b32` ptxas refuses numbers below -2147483648 and truncates
    larger ones. Addresses of labels and sections, and differences of labels, must be `.b32` or `.b64`. ptxas also
    accepts `.byte`, `.4byte` and `.quad`, the types of `@@DWARF` lines.
    """
    tree = context.statement.shape.tree
    if isinstance(tree, Directive) and context.word(0) == _OLD_LINE:
        yield from _old_line(context)
    elif isinstance(tree, Data):
        yield from _line(context.statement, tree)


def _line(line: Statement, tree: Data) -> Iterator[Finding]:
    written = line.word(tree.word)
    type_ = catalogue().vocabulary.types.get(_OLD.get(written, written))
    if type_ is None:
        return
    bits = type_.bits
    lowest = max(-(1 << bits - 1), -_LARGEST_NEGATIVE)
    highest = (1 << bits) - 1 if bits < min(_WITH_ADDRESSES) else None
    for item in tree.items:
        if item.name >= 0:
            if bits not in _WITH_ADDRESSES:
                fix = Fix("write '.b32'", (Edit(line.span(tree.word), ".b32"),))
                message = f"'{line.word(item.name)}' is an address; it must be .b32 or .b64, not {written}"
                yield RULE.at(line.span(item.first, item.last), message, fixes=(fix,))
            continue
        for first, token, value in _numbers(line, item.first, item.last):
            if value < lowest or highest is not None and value > highest:
                has = f"{lowest} to {highest}" if highest is not None else f"{lowest} or more"
                span = Span(line.span(first).start, line.span(token).end)
                yield RULE.at(span, f"{value} does not fit {written}; allowed: {has}")


def _numbers(line: Statement, first: int, last: int) -> Iterator[tuple[int, int, int]]:
    """The numbers of an item: the token of the sign or number, that of the number, and the value."""
    for index in range(first, last):
        word = line.word(index)
        if not word[0].isdecimal() or len(word) > MAX_DIGITS:
            continue
        is_ordinary = word.isdecimal() and word[0] != "0"
        if not is_ordinary and line.tokens[index].kind is not TokenKind.INTEGER:
            continue
        has_sign = index > first and line.word(index - 1) == "-"
        yield index - has_sign, index, -integer(word) if has_sign else integer(word)


def _old_line(context: StatementContext) -> Iterator[Finding]:
    """A line ``@@DWARF``: after these words a line like those of sections, or the beginning of a section."""
    line = context.statement
    need = catalogue().vocabulary.directives["@@DWARF"].gate.why_not(context.module.version, context.module.target)
    if need is not None or len(line.tokens) < _WORDS + 1:
        return
    rest, start = line.tokens[_WORDS:], line.tokens[_WORDS].start
    if line.word(_WORDS) == ".section":
        kinds = [token.kind for token in rest[1:]]
        if kinds != _SECTION or line.word(len(line.tokens) - 1) != "progbits":
            message = "a section of '@@DWARF' must begin with '.section .name, \"\", @progbits'"
            yield RULE.at(line.span(_WORDS, len(line.tokens)), message)
        return
    inner = Statement(line.text[start:])
    if isinstance(inner.shape.tree, Data) and not inner.shape.errors:
        for finding in _line(inner, inner.shape.tree):
            yield finding._replace(diagnostic=finding.diagnostic.shifted(start))
    else:
        wanted = "'.section', or data such as '.byte 1' or '.4byte name'"
        yield RULE.at(line.span(_WORDS, len(line.tokens)), f"expected {wanted} after '@@DWARF'")


_OLD_LINE = "@@"
_WORDS = 2
"""Tokens of ``@@DWARF``."""
_SECTION = [TokenKind.DOT, TokenKind.MARK, TokenKind.STRING, TokenKind.MARK, TokenKind.MARK, TokenKind.NAME]
