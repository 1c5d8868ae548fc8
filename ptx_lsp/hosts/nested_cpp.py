"""CUDA C++ in strings of Python: the source of a kernel that is compiled at run time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator
from functools import partial

from ptx_lsp.hosts.blocks import FoundSite, MacroTable, Stops
from ptx_lsp.hosts.c_scan import CppLexer
from ptx_lsp.hosts.c_statement import HEAD, read_statement
from ptx_lsp.hosts.py_tokens import StringLiteral, pieces_of_string, string_pieces
from ptx_lsp.hosts.site import AsmOperand, Certainty, Clobber, Parts, Piece, PieceKind, Site, SiteProblem, Variant
from ptx_lsp.text import Span

_HOLE = "\ufffc"
"""A character that is none of C++, in place of an expression of an f-string."""


class Decoded:
    """The text that a string contains, and the places of its characters."""

    def __init__(self, pieces: list[Piece]) -> None:
        self._pieces = [piece for piece in pieces if piece.text or piece.kind == PieceKind.HOLE]
        self._starts: list[int] = []
        parts: list[str] = []
        length = 0
        for piece in self._pieces:
            self._starts.append(length)
            parts.append(piece.text or _HOLE)
            length += len(parts[-1])
        self.text = "".join(parts)
        self._end = pieces[-1].end if pieces else 0

    def place(self, offset: int) -> int:
        """The place in the string of an offset in the text."""
        if offset >= len(self.text):
            return self._end
        number = bisect_right(self._starts, offset) - 1
        piece = self._pieces[number]
        return piece.start + offset - self._starts[number] if piece.kind == PieceKind.VERBATIM else piece.start

    def span(self, span: Span) -> Span:
        """The place of a span of the text."""
        if span.start >= span.end:
            return Span(self.place(span.start), self.place(span.start))
        return Span(self.place(span.start), max(self.place(span.end - 1) + 1, self.place(span.end)))

    def piece(self, piece: Piece) -> list[Piece]:
        """A piece of the template in the text as pieces in the string."""
        whole = self.span(Span(piece.start, piece.end))
        if piece.kind != PieceKind.VERBATIM or piece.start == piece.end:
            return [Piece(*whole, piece.text, piece.kind)]
        found = []
        number = bisect_right(self._starts, piece.start) - 1
        at = piece.start
        while at < piece.end:
            outer = self._pieces[number]
            first = self._starts[number]
            end = min(piece.end, first + len(outer.text or _HOLE))
            if outer.kind == PieceKind.VERBATIM:
                found.append(
                    Piece(
                        outer.start + at - first,
                        outer.start + end - first,
                        outer.text[at - first : end - first],
                        outer.kind,
                    )
                )
            else:
                found.append(outer)
            at = end
            number += 1
        return found


_PIECES_IN_A_STEP = 1 << 12
"""Escapes, and what stands between them."""


class _Pauses(Stops):
    """No stop, but pauses after so many characters."""

    wanted = 1 << 10


def nested_sites(text: str, literal: StringLiteral, start: int) -> Generator[None, None, list[FoundSite]]:
    """The ``asm`` statements in a string: their starts in ``text``, their functions relative to ``start``."""
    pieces = []
    for number, piece in enumerate(pieces_of_string(text, literal), 1):
        pieces.append(piece)
        if not number % _PIECES_IN_A_STEP:
            yield
    decoded = Decoded(pieces)
    if HEAD.search(decoded.text) is None:
        return []
    macros = MacroTable()
    lexer = CppLexer(decoded.text, macros)
    block = yield from lexer.block(0, lexer.beginning(), _Pauses())
    sites = []
    macros.fill([block])
    for found in block.sites:
        yield
        inner = found.site
        if not any(piece.text for variant in inner.variants for piece in variant.pieces) and '"' not in inner.text:
            continue
        begin = decoded.place(found.start)
        end = decoded.place(found.start + len(inner.text) - 1) + 1
        site = Site(
            partial(_read, macros, literal.prefix),
            ("cuda-cpp", inner.dialect, begin, text[begin:end]),
            Certainty.UNKNOWN,
        )
        site.set_context(inner.guards, max(inner.certainty, Certainty.UNKNOWN) if inner.guards else inner.certainty)
        site.macro = inner.macro
        function = -1 if found.block == -1 else decoded.place(found.block) - start
        sites.append(FoundSite(begin, function, site))
    return sites


def _read(macros: MacroTable, prefix: str, text: str) -> Parts:
    """The parts of a statement within a string with a prefix."""
    decoded = Decoded(string_pieces(text, StringLiteral(0, 0, len(text), len(text), prefix, True)))
    parts = read_statement(macros, decoded.text)
    return Parts(decoded.span(parts.keyword_span), tuple(_variant(decoded, one) for one in parts.variants))


def _variant(decoded: Decoded, variant: Variant) -> Variant:
    pieces: list[Piece] = []
    for piece in (new for old in variant.pieces for new in decoded.piece(old)):
        if pieces and pieces[-1].end < piece.start:
            pieces.append(Piece(pieces[-1].end, piece.start, "", PieceKind.JOIN))
        pieces.append(piece)
    return variant._replace(
        pieces=tuple(pieces),
        operands=tuple(_operand(decoded, one) for one in variant.operands),
        clobbers=tuple(Clobber(one.text, decoded.span(one.span)) for one in variant.clobbers),
        problems=tuple(SiteProblem(one.message, decoded.span(one.span)) for one in variant.problems),
        are_operands_known=variant.are_operands_known
        and not any(_HOLE in (one.constraint or "") for one in variant.operands),
    )


def _operand(decoded: Decoded, operand: AsmOperand) -> AsmOperand:
    return operand._replace(
        constraint=None if operand.constraint is None or _HOLE in operand.constraint else operand.constraint,
        constraint_span=decoded.span(operand.constraint_span),
        expression_span=decoded.span(operand.expression_span),
        expression=operand.expression.replace(_HOLE, "…"),
    )
