"""Syntax errors of one statement: what is missing, exactly where, and how to mend it.

ptxas names the token at which it gave up, often on the next line. Here the place of
a missing token is right after the token it should follow, and the message says what
to write. The cases were collected by example; ``tests/syntax/test_errors.py`` lists them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from functools import lru_cache

from ptx_lsp.diagnostic import Diagnostic, Edit, Fix, Severity
from ptx_lsp.syntax.analyse import DEEPEST, Analysis, analyse
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.lexical import lexical_errors
from ptx_lsp.syntax.parser import Problem, load
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tokens import Token, tokenize
from ptx_lsp.text import Span

MOST = 100
"""So many lexical errors are reported for one statement: a binary file needs no more."""

_NAMES = {
    "E101": "missing-token",
    "E104": "unclosed",
    "E105": "split-opcode",
    "E107": "unknown-directive",
    "E110": "syntax-error",
}
_CLOSERS = {"RPAR": (")", "("), "RSQB": ("]", "["), "RBRACE": ("}", "{"), "MORETHAN": (">", "<")}
_OPERANDS = frozenset({"NAME", "INTEGER", "FLOAT", "EXACT", "WARP_SZ", "LSQB", "LBRACE", "LPAR", "MINUS", "NOT"})
_WANTED = {  # what a terminal is called in a message, most telling first
    "NAME": "name",
    "INTEGER": "number",
    "STRING": "string",
    "FLOAT": "version such as 8.5",
    "SPACE": "state space such as .global",
    "DOT": "type such as .b32",
}


def syntax_errors(statement: Statement) -> tuple[Diagnostic, ...]:
    """The syntax errors of a statement, in order; spans are relative to its text."""
    return _errors(statement.text)


@lru_cache(maxsize=4096)
def _errors(text: str) -> tuple[Diagnostic, ...]:
    tokens = tokenize(text)
    found = analyse(text, tokens)
    errors = list(islice(lexical_errors(text, tokens, found.lexical), MOST))
    if not found.lexical:
        errors += _Explainer(text, tokens, found).explain()
    return tuple(sorted(errors, key=lambda error: error.span))


def _error(code: str, message: str, span: Span, fix: Fix | None = None) -> Diagnostic:
    return Diagnostic(code, _NAMES[code], Severity.ERROR, message, span, (fix,) if fix else ())


class _Explainer:
    """Says in words what the parser found."""

    def __init__(self, text: str, tokens: list[Token], found: Analysis) -> None:
        self.text = text
        self.tokens = tokens
        self.found = found
        self.names, self.firsts = found.terminals

    def explain(self) -> Iterator[Diagnostic]:
        """The diagnostics of one statement without lexical errors."""
        if self.found.kind is Kind.LINE:
            message = "preprocessor lines are not part of PTX; only '# line \"file\"' is"
            yield _error("E110", message, self._span(0, len(self.tokens)))
        if self.found.too_long:
            yield _error("E110", "the statement is too long to be read", self._span(0, 1))
        if self.found.too_deep:
            yield _error("E110", f"brackets are nested deeper than {DEEPEST}", self._span(0, 1))
        for number, problem in enumerate(self.found.problems):
            diagnostic = self._explain(problem)
            # Only a missing token that was put in leaves the rest readable.
            if diagnostic and (number == 0 or self.found.problems[number - 1].inserted):
                yield diagnostic

    def _span(self, first: int, last: int) -> Span:
        return Span(self.tokens[first].start, self.tokens[last - 1].end)

    def _word(self, token: int) -> str:
        return self.text[self.tokens[token].start : self.tokens[token].end]

    def _explain(self, problem: Problem) -> Diagnostic | None:
        index = problem.position
        token = self.firsts[index]
        at_end = index >= len(self.names)
        name = "" if at_end else self.names[index]
        word = "" if at_end else self._word(token)
        before = self.names[index - 1] if index else ""
        for case in (self._first_word, self._split_qualifier, self._negative_offset):
            diagnostic = case(token, name, before, at_end)
            if diagnostic:
                return diagnostic
        if problem.inserted:
            return self._missing(problem.inserted, token)
        expected = problem.expected
        if expected & _OPERANDS >= {"NAME", "INTEGER"} and self._ends_operand(name, at_end) and token:
            return self._operand_missing(token, before, at_end)
        if "COMMA" in expected and name in _OPERANDS and token:
            return self._missing("COMMA", token)
        for closer in _CLOSERS:
            if closer in expected and token:
                return self._missing(closer, token)
        wanted = next((text for terminal, text in _WANTED.items() if terminal in expected), "")
        if at_end or not word:
            return self._after(token, f"{wanted or 'more'} expected after '{self._word(token - 1)}'") if token else None
        message = f"{wanted} expected, not '{word}'" if wanted else f"'{word}' is not expected here"
        return _error("E101" if wanted else "E110", message, self._span(token, token + 1))

    def _ends_operand(self, name: str, at_end: bool) -> bool:
        return at_end or name in ("COMMA", "SEMICOLON", "RPAR", "RSQB", "RBRACE")

    def _after(self, token: int, message: str, fix: str = "", code: str = "E101") -> Diagnostic:
        """An error right after the token before ``token``."""
        place = self.tokens[token - 1].end
        remedy = Fix(f"insert '{fix.strip()}'", (Edit(Span(place, place), fix),)) if fix else None
        return _error(code, message, Span(place, place), remedy)

    def _missing(self, terminal: str, token: int) -> Diagnostic:
        before = self._word(token - 1)
        if terminal in _CLOSERS:
            mark, opener = _CLOSERS[terminal]
            return self._after(token, f"'{mark}' expected after '{before}' to close '{opener}'", mark, "E104")
        mark = ";" if terminal == "SEMICOLON" else ","
        return self._after(token, f"'{mark}' expected after '{before}'", mark)

    def _operand_missing(self, token: int, before: str, at_end: bool) -> Diagnostic:
        what = "operand" if self.found.meant is Kind.INSTRUCTION else "name or value"
        message = f"{what} expected after '{self._word(token - 1)}'"
        if at_end:
            return self._after(token, message)
        remedy = None
        if before == "COMMA":
            comma = self.tokens[token - 1]
            remedy = Fix("remove ','", (Edit(Span(comma.start, comma.end), ""),))
        return _error("E101", message, self._span(token, token + 1), remedy)

    # cases with words of their own; each answers None when it is not the case

    def _first_word(self, token: int, name: str, before: str, at_end: bool) -> Diagnostic | None:
        if token:
            return None
        word = self._word(0)
        if word == ";":
            span = self._span(0, 1)
            return _error("E110", "';' without a statement", span, Fix("remove ';'", (Edit(span, ""),)))
        if name == "DOT":
            return self._unknown_directive(word, 0)
        return _error("E110", f"a statement cannot start with '{word}'", self._span(0, 1))

    def _unknown_directive(self, word: str, token: int) -> Diagnostic:
        from difflib import get_close_matches  # slow to import, rarely needed

        span = self._span(token, token + 1)
        known = [spelling for spelling in load().words if spelling.startswith(".") and len(spelling) > 3]
        near = get_close_matches(word, known, 1)
        if not near:
            return _error("E107", f"unknown directive '{word}'", span)
        fix = Fix(f"change to '{near[0]}'", (Edit(span, near[0]),))
        return _error("E107", f"unknown directive '{word}', did you mean '{near[0]}'?", span, fix)

    def _split_qualifier(self, token: int, name: str, before: str, at_end: bool) -> Diagnostic | None:
        """``mov. u32`` and ``ld.shared:: cta``: a qualifier torn apart."""
        if at_end or self._word(token) not in (".", "::", ":"):
            return None
        mark = self._word(token)
        if token + 1 >= len(self.tokens) or not self._word(token + 1).isidentifier():
            if mark != ".":
                return None
            return _error("E105", "qualifier expected after '.'", self._span(token, token + 1))
        first = token - 1 if mark == "::" and token else token
        span = self._span(first, token + 2)
        whole = "".join(map(self._word, range(first, token + 2)))
        if mark == ":":
            return None
        return _error(
            "E105", f"blank inside the qualifier '{whole}'", span, Fix(f"write '{whole}'", (Edit(span, whole),))
        )

    def _negative_offset(self, token: int, name: str, before: str, at_end: bool) -> Diagnostic | None:
        """``[a-4]``, which has to be ``[a+-4]``."""
        if name != "MINUS" or before != "NAME":
            return None
        span = self._span(token, token + 1)
        message = f"'-' cannot follow '{self._word(token - 1)}'; a negative offset is written '+-'"
        return _error("E110", message, span, Fix("write '+-'", (Edit(span, "+-"),)))
