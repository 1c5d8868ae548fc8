"""Boundaries of an unfinished statement: a semicolon before it, or a body after a head, may be missing.

Heuristics on line ends and a few tokens, without parsing.
"""

from __future__ import annotations

from collections.abc import Sequence

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tokens import Token, TokenKind, tokenize
from ptx_lsp.syntax.trivia import comments, open_comment

_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")
_CONTINUATION_MARKS = frozenset(", ( [ { = + - * / % | & ^ ~ ! << >> < ? : . ::".split())
"""Marks after which a line end does not end a statement."""
_ENDS = frozenset("; { } :".split())
_HEADS = frozenset({".entry", ".func", ".callprototype"})
_MOST_BRACES = 64
"""Braces in a row that may belong to an unfinished vector."""


def statement_before(module: Module, number: int, index: int) -> Place | None:
    """The statement before a given one."""
    chunks = module.document.chunks
    if index:
        return Place(chunks[number], index - 1, 0)
    return Place(chunks[number - 1], len(chunks[number - 1].kinds) - 1, 0) if number else None


def continues_previous(earlier: Place, text: str, tokens: Sequence[Token], kind: int) -> bool:
    """Whether ``text`` continues the previous statement: on its line, or after a head without body."""
    statement = earlier.chunk.statement(earlier.statement)
    if not statement.tokens:
        return False
    last = statement.word(len(statement.tokens) - 1)
    if last in _ENDS or (tokens and last != "," and text[tokens[0].start : tokens[0].end] != ","):
        return False
    between = text[: tokens[0].start] if tokens else text
    return "\n" not in between or (statement.kind is Kind.FUNCTION and kind in (Kind.OPEN, Kind.EMPTY) and not tokens)


def opens_a_vector(module: Module, number: int, place: Place) -> bool:
    """Whether a statement is the brace of an unfinished vector, or follows such a brace.

    The splitter separates a brace without an element from its instruction, as the start of a block.
    """
    for _ in range(_MOST_BRACES):
        before = statement_before(module, number, place.statement)
        part = place.chunk.part(place.statement)
        if before is None or _starts_line(part, 0, len(part) - len(part.lstrip())):
            return False
        earlier = before.chunk.part(before.statement)
        if earlier.strip() != "{":
            break
        number -= before.chunk is not place.chunk
        place = before
    else:
        return False
    tokens = tokenize(earlier)
    if not part.lstrip().startswith("{") or not tokens:
        return False
    first, last = (earlier[token.start : token.end] for token in (tokens[0], tokens[-1]))
    return (first == "@" or first[0].isalpha()) and last not in (";", ":", "{", "}", ")")


def is_in_body(context: StatementContext, number: int, is_before: bool) -> bool:
    """Whether the cursor is in the body of a function; before a closing brace it is in the closed block."""
    if not is_before or context.statement.kind is not Kind.CLOSE:
        return context.is_inside
    earlier = statement_before(context.module, number, context.index)
    if earlier is None or earlier.chunk.kinds[earlier.statement] != Kind.OPEN:
        if earlier is None:
            return False
        return context.module.function_of(earlier.chunk).is_inside(earlier.chunk, earlier.statement)
    opened = statement_before(context.module, context.module.document.chunks.index(earlier.chunk), earlier.statement)
    return opened is not None and opened.chunk.kinds[opened.statement] not in (Kind.SECTION, Kind.DIRECTIVE)


def last_statement_start(text: str, tokens: Sequence[Token], *, is_open: bool = False) -> int:
    """The last token that starts a line and, judged by the text before it, a statement, after a missing semicolon.

    ``is_open``: the text after ``text`` continues the statement, so that an empty line does not end it.
    """
    depth = 0
    found = 0
    in_head = False
    for at, token in enumerate(tokens):
        word = text[token.start : token.end]
        if at and _starts_line(text, tokens[at - 1].end, token.start):
            before = text[tokens[at - 1].start : tokens[at - 1].end]
            is_operand = at + 1 < len(tokens) and text[tokens[at + 1].start] in ",)]}"
            begins = token.kind is TokenKind.DOT or word in ("@", "{", "}", ".")
            begins = begins or (word[0].isalpha() and not is_operand)
            if in_head and word[0] == "." and _continues_head(word, at == len(tokens) - 1):
                begins = False
            if begins and before not in _CONTINUATION_MARKS and (depth == 0 or word[0].isalpha()):
                found, depth, in_head = at, 0, False
        in_head = in_head or (word in _HEADS and depth == 0)
        depth += (word in _OPENING) - (word in _CLOSING)
    if tokens and not is_open and not depth and not in_head and "\n" in text[tokens[-1].end :]:
        last = text[tokens[-1].start : tokens[-1].end]
        if last not in _CONTINUATION_MARKS:
            found = len(tokens)  # an empty line below
    return found


def _continues_head(word: str, is_last: bool) -> bool:
    """Whether a dotted word belongs to the head before it; a partial last word may."""
    tuning = catalogue().vocabulary.tuning
    return word in tuning or (is_last and any(name.startswith(word) for name in tuning))


def _starts_line(text: str, start: int, end: int) -> bool:
    return "\n" in text[start:end]


def is_in_comment(before: str, whole: str, inside: int) -> bool:
    """Whether the offset ``inside`` a statement, with the text ``before`` it, is in a comment."""
    if any(span.start < inside < span.end for span in comments(whole)):
        return True
    line = before[before.rfind("\n") + 1 :]
    return (
        open_comment(before) >= 0
        or any(span.end == len(before) and before.startswith("//", span.start) for span in comments(before))
        and "//" in line
    )
