"""Syntax errors of one statement: message, exact span and fix.

ptxas names the token at which parsing failed, often on the next line. Here the span of
a missing token is directly after the token it should follow, and the message names the
expected token. The cases are listed in ``tests/syntax/test_errors.py``.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import cache

from ptx_lsp.diagnostic import Diagnostic, Edit, Fix, Severity
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import TextCache
from ptx_lsp.similar_words import SimilarWords
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.abridged import Abridged
from ptx_lsp.syntax.automaton.parser import ParseProblem
from ptx_lsp.syntax.automaton.tables import load
from ptx_lsp.syntax.chunk import is_flawed
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.lexical import first_lexical_errors, has_large_number
from ptx_lsp.syntax.parse_statement import ParsedStatement, parsing_problems
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.terminals import NO_OPCODE, TYPE
from ptx_lsp.syntax.token_columns import TokenColumns, reading_columns
from ptx_lsp.syntax.tokens import TokenKind, tokenize
from ptx_lsp.text import Span

MAX_LEXICAL_ERRORS = 100
"""Maximum number of lexical errors reported per statement, relevant for binary files."""

_NAMES = {
    "E101": "missing-token",
    "E104": "unclosed",
    "E105": "split-opcode",
    "E107": "unknown-directive",
    "E110": "syntax-error",
}
_CLOSERS = {"RPAR": (")", "("), "RSQB": ("]", "["), "RBRACE": ("}", "{"), "MORETHAN": (">", "<")}
_OPERANDS = frozenset({"NAME", "INTEGER", "FLOAT", "EXACT", "WARP_SZ", "LSQB", "LBRACE", "LPAR", "MINUS", "NOT"})
_OPERAND_ENDS = frozenset({"", "COMMA", "SEMICOLON", "RPAR", "RSQB", "RBRACE"})
_STARTS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%$_@.{")
"""Characters that can start the first word of a statement."""
_EXPECTED_WORDS = {  # the name of a terminal in messages, the most informative first
    "NAME": "name",
    "INTEGER": "number",
    "STRING": "string",
    "SOURCE_END": "line '.source_end'",
    "FLOAT": "version such as 8.5",
    "SPACE": "state space such as .global",
    "DOT": "type such as .b32",
}


def syntax_errors(statement: Statement) -> tuple[Diagnostic, ...]:
    """The syntax errors of a statement, in order; spans are relative to its text."""
    if not statement.shape.errors and statement.text.isascii() and not is_flawed(statement.text):
        return ()  # nor has its comment a character that is worth a finding
    if not statement.shape.errors and statement.shape.tree is not None:
        return _noted(statement.text)
    return _errors(statement.text)


def _noted(text: str) -> tuple[Diagnostic, ...]:
    """The findings in a statement whose structure is known to be right."""
    return _NOTED[text] if text in _NOTED else run_to_completion(_noting(text))


def _noting(text: str) -> Generator[None, None, tuple[Diagnostic, ...]]:
    tokens = tokenize(text) if has_large_number(text) else ()
    errors = yield from first_lexical_errors(text, tokens, (), MAX_LEXICAL_ERRORS)
    found = _NOTED[text] = tuple(sorted(errors, key=lambda error: error.span))
    return found


def preparing_notes(statement: Statement) -> Iterator[None]:
    """Find in steps what :func:`syntax_errors` has of a long statement whose structure is right."""
    text, shape = statement.text, statement.shape
    if not shape.errors and shape.tree is not None and text not in _NOTED and not text.isascii():
        yield from _noting(text)


def preparing_errors(statement: Statement) -> Iterator[None]:
    """Find in steps what :func:`syntax_errors` has of a long statement whose structure is wrong."""
    if len(statement.text) > _LONG and statement.text not in _ERRORS:
        yield from _finding(statement.text)


def _errors(text: str) -> tuple[Diagnostic, ...]:
    return _ERRORS[text] if text in _ERRORS else run_to_completion(_finding(text))


def _finding(text: str) -> Generator[None, None, tuple[Diagnostic, ...]]:
    tokens = yield from reading_columns(text)
    found = yield from parsing_problems(text, Abridged(text, tokens, ()))
    errors = yield from first_lexical_errors(text, tokens, found.lexical, MAX_LEXICAL_ERRORS)
    if not found.lexical:
        errors += _Explainer(text, tokens, found).explain()
    _ERRORS[text] = result = tuple(sorted(errors, key=lambda error: error.span))
    return result


_NOTED: TextCache[tuple[Diagnostic, ...]] = TextCache(4096, 1000)
_ERRORS: TextCache[tuple[Diagnostic, ...]] = TextCache(4096, 1000)
_LONG = 4096
"""Statements of fewer characters are read at once."""


@cache
def _directives() -> SimilarWords:
    """The words of directives; not the types, to which almost any short word is similar."""
    return SimilarWords(spelling for spelling in load().words if spelling.startswith(".") and len(spelling) > 3)


def _error(code: str, message: str, span: Span, fix: Fix | None = None) -> Diagnostic:
    return Diagnostic(code, _NAMES[code], Severity.ERROR, message, span, (fix,) if fix else ())


def _short(word: str) -> str:
    """A word truncated for a message."""
    return word if len(word) <= 32 else word[:29] + "..."


class _Place(NamedTuple):
    """The unexpected terminal: its first token, its name and word ("" at the end), and the preceding terminal."""

    token: int
    name: str
    word: str
    before: str


class _Explainer:
    """Translates parse problems into diagnostics."""

    def __init__(self, text: str, tokens: TokenColumns, found: ParsedStatement) -> None:
        self.text = text
        self.tokens = tokens
        self.found = found
        self.names, self.firsts = found.terminals

    def explain(self) -> Iterator[Diagnostic]:
        """The diagnostics of one statement without lexical errors."""
        if self.found.kind is Kind.LINE:
            message = "preprocessor lines are not allowed in PTX, except '# line \"file\"'"
            yield _error("E110", message, self._span(0, len(self.tokens)))
        if self.found.too_long:
            yield _error("E110", "the statement is too long to be read", self._span(0, 1))
        nameless = self._nameless_kernel()
        if nameless:
            yield nameless
            return
        for number, problem in enumerate(self.found.problems):
            diagnostic = self._explain(problem)
            # Further problems are meaningful only after an inserted token.
            if diagnostic and (number == 0 or self.found.problems[number - 1].inserted):
                yield diagnostic

    def _span(self, first: int, last: int) -> Span:
        return Span(self.tokens[first].start, self.tokens[last - 1].end)

    def _word(self, token: int) -> str:
        return self.tokens.words[token]

    def _shown(self, token: int) -> str:
        return _short(self._word(token))

    def _explain(self, problem: ParseProblem) -> Diagnostic | None:
        index = problem.position
        at_end = index >= len(self.names)
        place = _Place(
            self.firsts[index],
            "" if at_end else self.names[index],
            "" if at_end else self._word(self.firsts[index]),
            self.names[index - 1] if index else "",
        )
        cases = (
            self._first_word,
            self._data_line,
            self._head_word,
            self._split_qualifier,
            self._negative_offset,
            self._open_vector,
        )
        for case in cases:
            diagnostic = case(place)
            if diagnostic:
                return diagnostic
        if problem.inserted:
            return self._missing(problem.inserted, place.token)
        return self._unexpected(place, problem.expected)

    def _unexpected(self, place: _Place, expected: frozenset[str]) -> Diagnostic | None:
        """The general case: the message is derived from the expected terminals."""
        token, name, word, before = place
        if not token:
            return None
        takes_operand = expected >= {"NAME", "INTEGER"}
        if takes_operand and name in _OPERAND_ENDS:
            return self._operand_missing(place)
        if before == "COMMA" and "NAME" in expected and name in _OPERAND_ENDS:
            return self._item_missing(place, f"name expected after '{self._shown(token - 1)}'")
        if name and word[:1] in _STARTS and "SEMICOLON" in expected and self._starts_line(token):
            return self._missing("SEMICOLON", token)  # the next token starts another statement
        if "COMMA" in expected and name in _OPERANDS:
            return self._missing("COMMA", token)
        for closer in _CLOSERS:
            if closer in expected:
                return self._missing(closer, token)
        wanted = next((text for terminal, text in _EXPECTED_WORDS.items() if terminal in expected), "")
        if takes_operand:
            wanted = "operand" if self.found.meant is Kind.INSTRUCTION else "name or value"
        if not word:
            return self._after(token, f"{wanted or 'more'} expected after '{self._shown(token - 1)}'")
        span = self._span(token, token + 1)
        if name == "DOT" and self.found.meant is Kind.FUNCTION and "DOT" not in expected:
            return self._unknown_directive(word, token)
        if wanted:
            return _error("E101", f"{wanted} expected, not '{_short(word)}'", span)
        return _error("E110", f"'{_short(word)}' is not expected here", span)

    def _starts_line(self, token: int) -> bool:
        return "\n" in self.text[self.tokens[token - 1].end : self.tokens[token].start]

    def _after(self, token: int, message: str, fix: str = "", code: str = "E101") -> Diagnostic:
        """An error right after the token before ``token``."""
        place = self.tokens[token - 1].end
        remedy = Fix(f"insert '{fix}'", (Edit(Span(place, place), fix),)) if fix else None
        return _error(code, message, Span(place, place), remedy)

    def _missing(self, terminal: str, token: int) -> Diagnostic:
        before = self._shown(token - 1)
        if terminal in _CLOSERS:
            mark, opener = _CLOSERS[terminal]
            message = f"'{mark}' expected after '{before}' to close '{opener}'"
            if token < len(self.tokens) and self._word(token)[:1] not in _STARTS and self._starts_line(token):
                place = self.tokens[token].start  # insert before the token that continues the statement
                insert = Fix(f"insert '{mark}'", (Edit(Span(place, place), mark),))
                return _error("E104", message, Span(place, place), insert)
            return self._after(token, message, mark, "E104")
        mark = ";" if terminal == "SEMICOLON" else ","
        # No fix if the next token cannot start a statement: then the ';' was not forgotten.
        is_remedy = mark == "," or token >= len(self.tokens) or self._word(token)[:1] in _STARTS
        return self._after(token, f"'{mark}' expected after '{before}'", mark if is_remedy else "")

    def _operand_missing(self, place: _Place) -> Diagnostic:
        what = "operand" if self.found.meant is Kind.INSTRUCTION else "name or value"
        return self._item_missing(place, f"{what} expected after '{self._shown(place.token - 1)}'")

    def _item_missing(self, place: _Place, message: str) -> Diagnostic:
        """An item of a list is missing, often because of a superfluous comma."""
        if not place.name:
            return self._after(place.token, message)
        remedy = None
        if place.before == "COMMA":
            comma = self.tokens[place.token - 1]
            remedy = Fix("remove ','", (Edit(Span(comma.start, comma.end), ""),))
        return _error("E101", message, self._span(place.token, place.token + 1), remedy)

    # special cases; each returns None if it does not apply

    def _first_word(self, place: _Place) -> Diagnostic | None:
        if place.name == NO_OPCODE:
            message = f"instruction expected, not '{_short(place.word)}'"
            return _error("E101", message, self._span(place.token, place.token + 1))
        if place.token:
            return None
        span = self._span(0, 1)
        if place.word == ";":
            return _error("E110", "';' without a statement", span, Fix("remove ';'", (Edit(span, ""),)))
        if place.name == "DOT":
            if TYPE().fullmatch(place.word):
                return _error("E101", f"state space such as .reg expected before '{place.word}'", span)
            return self._unknown_directive(place.word, 0)
        return _error("E110", f"a statement cannot start with '{_short(place.word)}'", span)

    def _head_word(self, place: _Place) -> Diagnostic | None:
        """A word with a dot in the head of a function that is neither a state space nor a directive."""
        if place.name != "DOT" or not place.token or self.found.meant is not Kind.FUNCTION:
            return None
        if place.before in ("LPAR", "COMMA") and TYPE().fullmatch(place.word):
            span = self._span(place.token, place.token + 1)
            return _error("E101", f"state space such as .param expected before '{place.word}'", span)
        return self._unknown_directive(place.word, place.token)

    def _nameless_kernel(self) -> Diagnostic | None:
        """``.entry (``: a kernel has no results, so its name is missing, whatever follows."""
        if not self.found.problems or self.found.meant is not Kind.FUNCTION:
            return None
        words = self.tokens.words
        at = words.index(".entry") + 1 if ".entry" in words else len(words)
        if words[at : at + 1] != ["("]:
            return None
        return _error("E101", "name expected after '.entry', not '('", self._span(at, at + 1))

    def _data_line(self, place: _Place) -> Diagnostic | None:
        """``.b32 x;`` is a declaration without its space, or a line of a debug section with a superfluous ``;``."""
        if self.found.meant is not Kind.DATA or place.word != ";":
            return None
        if self.tokens.kinds[1] is TokenKind.NAME:
            message = f"state space such as .reg expected before '{self._shown(0)}'"
            return _error("E101", message, self._span(0, 1))
        span = self._span(place.token, place.token + 1)
        message = "a line of a debug section does not end with ';'"
        return _error("E110", message, span, Fix("remove ';'", (Edit(span, ""),)))

    def _unknown_directive(self, word: str, token: int) -> Diagnostic:
        span = self._span(token, token + 1)
        near = _directives().near(word, 1)
        if not near:
            return _error("E107", f"unknown directive '{_short(word)}'", span)
        fix = Fix(f"replace with '{near[0]}'", (Edit(span, near[0]),))
        return _error("E107", f"unknown directive '{_short(word)}'; did you mean '{near[0]}'?", span, fix)

    def _split_qualifier(self, place: _Place) -> Diagnostic | None:
        """``mov. u32`` and ``ld.shared:: cta``: a qualifier with a blank inside."""
        token, _, mark, _ = place
        if mark not in (".", "::"):
            return None
        if token + 1 >= len(self.tokens) or not self._word(token + 1).isidentifier():
            return _error("E105", f"qualifier expected after '{mark}'", self._span(token, token + 1))
        first = token - 1 if mark == "::" else token
        span = self._span(first, token + 2)
        whole = "".join(map(self._word, range(first, token + 2)))
        fix = Fix(f"write '{whole}'", (Edit(span, whole),))
        return _error("E105", f"space inside the qualifier '{whole}'", span, fix)

    def _negative_offset(self, place: _Place) -> Diagnostic | None:
        """``[a-4]``, which must be written ``[a+-4]``."""
        if place.name != "MINUS" or place.before != "NAME":
            return None
        span = self._span(place.token, place.token + 1)
        message = f"'-' cannot follow '{self._shown(place.token - 1)}'; a negative offset is written '+-'"
        return _error("E110", message, span, Fix("write '+-'", (Edit(span, "+-"),)))

    def _open_vector(self, place: _Place) -> Diagnostic | None:
        """``{%r1, %r2, [%rd1]``: a token that cannot be an element implies a missing brace before it."""
        if place.name not in ("LSQB", "LBRACE", "LPAR") or place.before != "COMMA":
            return None
        if self.found.meant is not Kind.INSTRUCTION:
            return None
        depth = 0
        for name in reversed(self.names[: self.firsts.index(place.token)]):
            depth += (name in ("RBRACE", "RPAR")) - (name in ("LBRACE", "LPAR"))
            if depth < 0:
                return self._missing("RBRACE" if name == "LBRACE" else "RPAR", place.token - 1)
        return None
