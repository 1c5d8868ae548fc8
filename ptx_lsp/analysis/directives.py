"""Directives against the version and target of the module."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.header import target_of
from ptx_lsp.analysis.pragmas import pragma_strings
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.gate import Need
from ptx_lsp.isa.target import Target
from ptx_lsp.isa.version import Version
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tokens import TokenKind
from ptx_lsp.syntax.tree import Data, Declaration, File, Header, Location, Pragma

GATED = frozenset({
    Kind.FUNCTION, Kind.VARIABLE, Kind.ALIAS, Kind.PROTOTYPE, Kind.TARGETS, Kind.PRAGMA, Kind.SECTION, Kind.DIRECTIVE,
    Kind.HEADER, Kind.FILE, Kind.LOCATION, Kind.DATA,
})
"""Statements with directives, or parts of them, that came later than PTX 1.0."""


def directive_needs(statement: Statement, version: Version, target: Target) -> Iterator[tuple[int, Need]]:
    """The directives of a statement that the module does not have, or no longer: token and what is lacking."""
    if statement.kind not in GATED:
        return
    directives = catalogue().vocabulary.directives
    if statement.word(0) == "@@":
        need = directives["@@DWARF"].gate.why_not(version, target)
        if need is not None:
            yield 1, need
        return
    is_lacking = False
    for index, token in enumerate(statement.tokens):
        if token.kind is TokenKind.DOT and (directive := directives.get(statement.word(index))) is not None:
            need = directive.gate.why_not(version, target)
            if need is not None:
                is_lacking = True
                yield index, need
    if not is_lacking:
        yield from _part_needs(statement, version, target)


def _part_needs(statement: Statement, version: Version, target: Target) -> Iterator[tuple[int, Need]]:
    rare = catalogue().vocabulary.rare
    match statement.shape.tree:
        case Header(_, values) if statement.word(0) == ".target":
            yield from _option_needs(statement, values, version, target)
        case Pragma():
            for token, name, _ in pragma_strings(statement):
                pragma = rare.pragmas.get(name)
                need = pragma.gate.why_not(version, target) if pragma is not None else None
                if need is not None:
                    yield token, need
    for token, part in _parts(statement):
        need = rare.directive_parts[part].gate.why_not(version, target)
        if need is not None:
            yield token, need
            return


def part_at(statement: Statement, token: int) -> str:
    """What the part of a directive is called in messages that a token begins; empty if it is its own name."""
    part = next((name for at, name in _parts(statement) if at == token), None)
    return catalogue().vocabulary.rare.directive_parts[part].words if part is not None else ""


def _parts(statement: Statement) -> Iterator[tuple[int, str]]:
    """The parts that are younger than their directive: the token where they begin, and the part."""
    match statement.shape.tree:
        case Location(function=function) if function >= 0:
            yield function - 1, "inlining"
        case Declaration(space=".const", bank=bank) if bank >= 0:
            yield bank, "bank"
        case File(values=values) if values:
            yield values[0], "time"
        case Data(_, items):
            for item in items:
                if item.offset is not None and item.sign:
                    yield item.first + 1, "difference"
                elif "-" in item.sign or any(statement.word(at) == "-" for at in range(item.first, item.last)):
                    yield item.first, "negative"


def _option_needs(
    statement: Statement, words: tuple[int, ...], version: Version, target: Target
) -> Iterator[tuple[int, Need]]:
    """The options of ``.target``: ptxas asks the architecture that stands before them."""
    options = catalogue().vocabulary.rare.target_options
    for token in words:
        word = statement.word(token)
        target = target_of(word) or target
        option = options.get(word)
        need = option.gate.why_not(version, target) if option is not None else None
        if need is not None:
            yield token, need
