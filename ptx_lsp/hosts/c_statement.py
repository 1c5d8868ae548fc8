"""The parts of an ``asm`` statement of C++: template, operands, clobbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from functools import partial

from ptx_lsp.hosts.alike import keep_parts, parts_of_alike
from ptx_lsp.hosts.blocks import MacroTable
from ptx_lsp.hosts.c_tokens import GAP, LITERAL, closing_parenthesis, finding_parenthesis, raw_literal
from ptx_lsp.hosts.c_variants import finding_variants, one_line, with_like_conditions
from ptx_lsp.hosts.literals import literal_pieces
from ptx_lsp.hosts.site import (
    AsmOperand,
    Clobber,
    Parts,
    Piece,
    PieceKind,
    ReadParts,
    SiteProblem,
    TargetGuard,
    Variant,
)
from ptx_lsp.lazy_sequence import LazySequence
from ptx_lsp.process_cache import ProcessCache
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.text import Span

LANGUAGE = "cuda-cpp"
_IN_A_STEP = 1024
"""The pieces of a template that are found between two pauses."""
_LENGTH_IN_A_STEP = 1 << 14
"""The characters of operands."""
HEAD = re.compile(
    rf"(?P<keyword>__asm__|__asm|asm){GAP}(?:(?:volatile|__volatile__|__volatile|goto|inline|__inline__)\b{GAP})*+\("
)
"""The words of a statement to its opening parenthesis."""

_GAP = re.compile(GAP)
_NO_GAP = frozenset('":,)([]')
"""Signs with which no gap begins."""
_LITERAL = re.compile(rf"(?:(?:u8|[uUL])?(?P<literal>{LITERAL}))")
_NEXT_LITERAL = re.compile(GAP + _LITERAL.pattern)
_WORD = re.compile(r"[A-Za-z_]\w*")
_RAW_PREFIX = re.compile(r'(?:u8|[uUL])?R"')
_OPERAND = re.compile(
    rf'(?:\[\s*(?P<name>\w*)\s*\]{GAP})?(?:"(?P<constraint>[^"\\\n]*+)"|(?P<other>[A-Za-z_]\w*)){GAP}\('
)
_SHORT = 300
_MOST_CONDITIONAL = 64
"""Statements under conditions of one file whose parts others can share."""
_VARIANTS: ProcessCache[tuple[str, tuple[TargetGuard, ...]], Variant] = ProcessCache(1 << 10)
"""Of those under conditions, by what the branches leave of their texts."""
_FLAT_EXPRESSION = re.compile(r"""[^()"'/{};#R\\]*+(?:\([^()"'/{};#R\\]*+\)[^()"'/{};#R\\]*+)*+(?=\))""")


def read_statement(macros: MacroTable, text: str) -> Parts:
    """The parts of a statement; ``macros`` are the string macros of the file."""
    found = run_to_completion(reading_statement(macros, text))
    return found.parts if isinstance(found, ReadParts) else found


def statement_reader(macros: MacroTable) -> Callable[[str], Generator[None, None, Parts | ReadParts]]:
    """:func:`reading_statement` for the statements of one file."""
    return partial(reading_statement, macros, conditional=ProcessCache(_MOST_CONDITIONAL))


def reading_statement(
    macros: MacroTable, text: str, conditional: ProcessCache[str, Parts] | None = None
) -> Generator[None, None, Parts | ReadParts]:
    """:func:`read_statement` in steps of a few milliseconds.

    Args:
        macros: the string macros of the file.
        text: the statement.
        conditional: the parts of those statements of the file that have conditions, by what makes others like them.

    """
    known = parts_of_alike(LANGUAGE, text, macros)
    if known is not None:
        return known
    like = with_like_conditions(text) if conditional is not None and len(text) <= _SHORT and "#" in text else ""
    if conditional is not None and like in conditional:
        return conditional[like]
    head = HEAD.match(text)
    keyword = Span(*head.span("keyword")) if head is not None else Span(0, 0)
    start = head.end() if head is not None else 0
    texts = ((yield from finding_variants(text)) if "#" in text else None) or ((text, ()),)
    if len(texts) == 1:
        one, guards = texts[0]
        reader = _Reader(one, start, macros)
        parts = Parts(keyword, ((yield from reader.reading(guards)),))
        keep_parts(LANGUAGE, text, parts, macros, reader.names)
        return parts

    def steps(number: int) -> Generator[None, None, Variant]:
        one, guards = texts[number]
        yield
        known = _VARIANTS.get((one, guards))
        if known is not None:
            return known
        reader = _Reader(one, start, macros)
        found = yield from reader.reading(guards)
        if len(one) <= _SHORT and not reader.names:
            _VARIANTS[one, guards] = found
        return found

    parts = Parts(keyword, LazySequence(len(texts), lambda number: run_to_completion(steps(number)), steps))
    if conditional is not None and like:
        conditional[like] = parts
    return parts


class _Reader:
    """Reads one alternative of a statement, from its opening parenthesis on."""

    def __init__(self, text: str, start: int, macros: MacroTable) -> None:
        self._text = text
        self._at = start
        self._macros = macros
        self._length_left = macros.most
        self._end = len(text)
        self._pieces: list[Piece] = []
        self._operands: list[AsmOperand] = []
        self._clobbers: list[Clobber] = []
        self._problems: list[SiteProblem] = []
        self._are_operands_known = True
        self.names: list[tuple[int, int]] = []
        """The places of words that may be macros."""
        self._is_broken = False  # after a literal without its end, what follows is not part of the template

    def reading(self, guards: tuple[TargetGuard, ...]) -> Generator[None, None, Variant]:
        yield from self._template()
        section = 0
        while self._sign() == ":":
            self._at += 1
            section += 1
            if section <= 2:
                yield from self._operand_list(is_output=section == 1)
            else:
                self._clobber_list(is_clobber=section == 3)
        if self._sign() != ")":
            self._problem("')' is missing", self._at, self._at)
        return Variant(
            tuple(self._pieces),
            tuple(self._operands),
            section > 0,
            tuple(self._clobbers),
            guards,
            tuple(self._problems),
            self._are_operands_known,
        )

    def _sign(self) -> str:
        """The next sign after white space and comments; empty at the end."""
        text = self._text
        if self._at < self._end and (sign := text[self._at]) in _NO_GAP:
            return sign
        found = _GAP.match(text, self._at)
        self._at = found.end() if found is not None else self._at
        return text[self._at] if self._at < self._end else ""

    def _problem(self, message: str, start: int, end: int) -> None:
        self._problems.append(SiteProblem(message, Span(start, end)))

    # ------------------------------------------------------------ template

    def _template(self) -> Iterator[None]:
        count = 0
        while True:
            count += 1
            if not count % _IN_A_STEP:
                yield
            if (found := _NEXT_LITERAL.match(self._text, self._at)) is not None:
                self._literal(found)
                continue
            sign, at = self._sign(), self._at
            if not sign or sign in ":)":
                return
            if (raw := self._raw()) is not None:
                self._add(Piece(raw[0], raw[1], self._text[raw[0] : raw[1]], PieceKind.VERBATIM))
                self._at = raw[2]
            elif self._is_broken:
                return
            elif (word := _WORD.match(self._text, at)) is not None:
                yield from self._macro(word)
            elif sign == "(":
                self._at = (yield from finding_parenthesis(self._text, at + 1, self._end)).end
                self._add(Piece(at, self._at, "", PieceKind.HOLE))
            else:
                self._at += 1
                self._hole(at, self._at)

    def _raw(self) -> tuple[int, int, int] | None:
        found = _RAW_PREFIX.match(self._text, self._at)
        return raw_literal(self._text, found.end() - 2, self._end) if found is not None else None

    def _literal(self, found: re.Match[str]) -> None:
        start, end = found.span("literal")
        self._at = found.end()
        if end - start > 1 and self._text[end - 1] == '"':
            end -= 1
        else:
            self._problem("the closing quotation mark is missing", start, end)
            self._is_broken = True
        first, *others = literal_pieces(self._text, start + 1, end)
        self._add(first)
        self._pieces += others

    def _macro(self, word: re.Match[str]) -> Generator[None, None, None]:
        at = word.start()
        self._at = word.end()
        value = self._macros.get(word[0])
        self.names.append(word.span())
        if self._sign() == "(":
            self._at = (yield from finding_parenthesis(self._text, self._at + 1, self._end)).end
            self._hole(at, self._at)
            return
        self._at = word.end()
        if value is None or len(value) > self._length_left:
            self._hole(at, self._at)
        else:
            self._length_left -= len(value)
            self._add(Piece(at, self._at, value, PieceKind.MACRO))

    def _hole(self, start: int, end: int) -> None:
        """Unknown text; signs and words without a literal between them are one hole: ``#param``."""
        last = self._pieces[-1] if self._pieces else None
        if last is not None and last.kind == PieceKind.HOLE and not self._text[last.end : start].strip():
            start = last.start
            self._pieces.pop()
        self._add(Piece(start, end, "", PieceKind.HOLE))

    def _add(self, piece: Piece) -> None:
        if self._pieces and self._pieces[-1].end < piece.start:
            self._pieces.append(Piece(self._pieces[-1].end, piece.start, "", PieceKind.JOIN))
        self._pieces.append(piece)

    # ------------------------------------------------------------ lists

    def _operand_list(self, *, is_output: bool) -> Iterator[None]:
        pause = self._at
        while (sign := self._sign()) and sign not in ":)":
            if self._at - pause > _LENGTH_IN_A_STEP:
                pause = self._at
                yield
            found = _OPERAND.match(self._text, self._at)
            if sign == ",":
                self._at += 1
            elif found is not None:
                yield from self._operand(found, is_output=is_output)
            else:
                self._skip()

    def _operand(self, found: re.Match[str], *, is_output: bool) -> Iterator[None]:
        text = self._text
        start = found.end()
        flat = _FLAT_EXPRESSION.match(text, start)
        if flat is not None:
            end = flat.end()
            self._at = end + 1
        else:
            extent = yield from finding_parenthesis(text, start, self._end)
            self._at = extent.end
            end = extent.end - extent.is_closed
        constraint = found["constraint"]
        self._are_operands_known &= constraint is not None
        self._operands.append(
            AsmOperand(
                constraint,
                Span(*found.span("constraint" if constraint is not None else "other")),
                Span(start, end),
                one_line(text[start:end]),
                found["name"],
                is_output,
            )
        )

    def _clobber_list(self, *, is_clobber: bool) -> None:
        while (sign := self._sign()) and sign not in ":)":
            found = _LITERAL.match(self._text, self._at)
            if found is None:
                self._at += 1
                continue
            start, end = found.span("literal")
            self._at = found.end()
            end -= end - start > 1 and self._text[end - 1] == '"'
            if is_clobber:
                self._clobbers.append(Clobber(self._text[start + 1 : end], Span(start + 1, end)))

    def _skip(self) -> None:
        """Leaves out something that is not an operand: a literal, a word, a parenthesis or a sign."""
        self._are_operands_known = False
        at = self._at
        if (found := _LITERAL.match(self._text, at) or _WORD.match(self._text, at)) is not None:
            self._at = found.end()
        elif self._text[at] in "([":
            self._at = closing_parenthesis(self._text, at + 1, self._end).end if self._text[at] == "(" else at + 1
        else:
            self._at += 1
        self._problem('an operand is written "constraint"(expression)', at, self._at)
