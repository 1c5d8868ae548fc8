"""Examination: selection of the statements of a chunk that checks must see.

Almost all statements of a file are valid, and most of them are verified in bulk: a
*shape* whose names are all numbered registers (``%r1``, ``%rd22``) has one verdict for
all its statements, and the registers of a whole chunk are compared with the declared
ones as sets. The others (named operands, constants with a legal range, undeclared
names) are examined one by one, and only statements with possible findings are returned.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Generator, Iterable, Iterator
from functools import cache
from operator import itemgetter

from ptx_lsp.analysis.module.chunk_summary import any_of
from ptx_lsp.analysis.module.function import Function, Segment
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.directives import GATED, directive_needs, has_gated_values, type_needs
from ptx_lsp.analysis.statements.function_heads import depends_on_numbers, head_faults, head_needs
from ptx_lsp.analysis.statements.matcher import matcher_of
from ptx_lsp.analysis.statements.names_in_scope import MAY_BE_LATE, NameCodes, VisibleSymbols, visible_in
from ptx_lsp.analysis.statements.register_names import NAMES_IN_A_STEP, RegistersOfBlocks, undeclared_registers
from ptx_lsp.analysis.statements.role_misuse import LISTED
from ptx_lsp.analysis.statements.value_limits import depends_on_values
from ptx_lsp.analysis.symbols.calls import call_faults, read_call
from ptx_lsp.analysis.symbols.declarations import declarations_in, is_declarable, stands_in_bodies
from ptx_lsp.analysis.symbols.prefix_meanings import PrefixMeanings
from ptx_lsp.analysis.symbols.scopes import groups_key
from ptx_lsp.analysis.symbols.special_names import special_code
from ptx_lsp.analysis.symbols.symbols import OPERANDS, Scope, Symbol, split_number
from ptx_lsp.analysis.symbols.used_names import used_names
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.stepwise import collected, mapped
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import HEADS, Kind
from ptx_lsp.syntax.shape import SHAPES, Shape
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Declaration, FunctionHead, Instruction, Prototype, Targets
from ptx_lsp.syntax.trivia import comments, mask_open_comments
from ptx_lsp.text import Span

FINE, PER_STATEMENT, FLAGGED = range(3)
"""Verdicts on a shape in a scope: nothing to say; depends on the statement; every statement is worth a look."""


class Verdicts:
    """The verdicts on shapes, shared by scopes with equal register declarations: sets of shape ids."""

    def __init__(self) -> None:
        self.known: set[int] = set()
        self.closer: set[int] = set()
        """The shapes that are not ``FINE``."""
        self.flagged: set[int] = set()
        self.by_names: set[int] = set()
        """Those of them whose statements have possible findings only if their names mean the wrong things."""

    def add(self, shape: Shape, verdict: int) -> None:
        """Record the verdict on a shape."""
        number = shape.id
        self.known.add(number)
        if verdict != FINE:
            self.closer.add(number)
        if verdict == FLAGGED:
            self.flagged.add(number)
        elif verdict == PER_STATEMENT and shape.opcode[:1] not in ((), ("call",)) and not depends_on_values(shape):
            self.by_names.add(number)


_REGISTERS = re.compile(r"%[\w$]++(?!<)")
_WHOLE = itemgetter(0)
_REGISTER_WORDS = re.compile(r"%[\w$]++").finditer
_LONG = 1 << 15
"""Of more characters a head is left to the checks, between which there are pauses, and tokens are found in steps."""
_LONG_COMMENT = 1 << 12
_COMMENTS_IN_A_STEP = 4096
_FEW = 8
"""So many names are searched by an expression made for them."""
_GATED_BY_WORDS = frozenset({Kind.PRAGMA, Kind.HEADER})
"""Directives that came with a version or not by their strings and options, which shapes do not keep."""
_EXAMINED_IF_NAMED = frozenset({Kind.VARIABLE, Kind.TARGETS, Kind.ALIAS})
_DECLARING = frozenset({Kind.REGISTERS, Kind.VARIABLE, Kind.PROTOTYPE, *HEADS})
_OUTSIDE_TOO = _EXAMINED_IF_NAMED | _DECLARING | GATED
_HAS_NAMES = any_of(_OUTSIDE_TOO).search
_IS_EXAMINED = any_of(set(Kind) - {Kind.OPEN, Kind.CLOSE, Kind.EMPTY}).search
"""In bodies. Of what closes a block mostly nothing else is between it and the next one."""
_INSTRUCTION = bytes([Kind.INSTRUCTION])
_PER_STEP = 8
"""The number of shapes or statements that are looked at before a pause."""


class Examiner:
    """Finds the statements of a module that need a closer look, for as long as its version and target stay."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._matcher = matcher_of(module)
        self._verdicts: dict[PrefixMeanings, Verdicts] = {}
        self._last: tuple[PrefixMeanings | None, Verdicts] = None, Verdicts()
        """The verdicts that were asked for last."""
        self._elsewhere: dict[int, int] = {}
        """The verdicts on shapes that are no instructions, which are the same in all scopes."""

    def _verdicts_in(self, scope: Scope) -> Verdicts:
        """The verdicts on whole shapes in scopes whose registers are declared alike."""
        key = groups_key(scope)
        if key is not self._last[0]:  # blocks side by side have the same, whose hash takes a while
            self._last = key, self._verdicts.setdefault(key, Verdicts())
        return self._last[1]

    def examining(self, function: Function, chunk: Chunk) -> Generator[None, None, list[int]]:
        """Find the statements of ``chunk`` with possible findings, by index and in order, in steps of a few."""
        flagged: set[int] = set(self._module.summaries.broken(chunk))
        registers = RegistersOfBlocks()
        for segment in function.segments[chunk]:
            start, end, _, inside = segment
            if not (_IS_EXAMINED if inside else _HAS_NAMES)(chunk.kinds, start, end):
                continue
            yield from self._examining_segment(function, chunk, segment, flagged)
            if inside and chunk.kinds.find(_INSTRUCTION, start, end) >= 0:
                yield from _flag_registers(function, chunk, segment, flagged, registers)
        return sorted(flagged)

    def _examining_segment(
        self, function: Function, chunk: Chunk, segment: Segment, flagged: set[int]
    ) -> Iterator[None]:
        start, end, scope, inside = segment
        shapes = chunk.shapes[start:end]
        used = set(shapes)
        verdicts = self._verdicts_in(scope)
        for count, number in enumerate(used - verdicts.known):
            if count % _PER_STEP == _PER_STEP - 1:
                yield
            at = start + shapes.index(number)
            statement = chunk.statement(at)
            if len(statement.text) > _LONG and SHAPES[number].kind in GATED:
                yield from statement.reading()
            verdicts.add(SHAPES[number], self._verdict(scope, SHAPES[number], statement))
        if not used.isdisjoint(verdicts.closer):
            closer, always = verdicts.closer, verdicts.flagged
            by_names, is_fine = verdicts.by_names, self._matcher.is_known_fine
            symbols = visible_in(self._module, scope)
            codes = NameCodes(function, symbols, self._module).__getitem__
            kinds = chunk.kinds
            examined = 0
            for index in [index for index, number in enumerate(shapes, start) if number in closer]:
                if not inside and kinds[index] not in _OUTSIDE_TOO:
                    continue
                number = shapes[index - start]
                is_faulty = number in always
                known = None
                if chunk.length > _LONG and len(chunk.part(index)) > _LONG:
                    known = chunk.statement(index)
                    yield from known.reading()
                    yield
                if number in by_names:
                    key = (number, *map(codes, used_names(chunk.part(index), SHAPES[number], known)))
                    if is_fine(key):
                        continue
                    is_faulty = is_faulty or 0 in key[1:]
                examined += 1
                if not examined % _PER_STEP:
                    yield
                if is_faulty or not self._is_fine(function, scope, symbols, chunk, index, known):
                    flagged.add(index)

    def _verdict(self, scope: Scope, shape: Shape, statement: Statement) -> int:
        """The verdict on all statements of a shape."""
        if shape.kind != Kind.INSTRUCTION or shape.errors:
            verdict = self._elsewhere.get(shape.id)
            if verdict is None:
                verdict = self._elsewhere[shape.id] = self._verdict_anywhere(shape, statement)
            return verdict
        codes = []
        for _, prefix in shape.names:
            code = scope.prefix_code(prefix) if prefix else None
            if code is None:
                return PER_STATEMENT
            codes.append(code)
        if depends_on_values(shape):
            return PER_STATEMENT
        return FINE if self._matcher.is_fine(shape, tuple(codes), statement) else FLAGGED

    def _verdict_anywhere(self, shape: Shape, statement: Statement) -> int:
        """The verdict on all statements of a shape that are no instructions, whatever their scope declares."""
        kind = shape.kind
        version, target = self._module.version, self._module.target
        if shape.errors:
            return FINE  # syntax errors are listed by the chunk
        if kind in _GATED_BY_WORDS:
            return PER_STATEMENT
        if (
            (isinstance(shape.tree, FunctionHead) and len(statement.text) > _LONG)
            or (kind in GATED and any(directive_needs(statement, version, target)))
            or (kind in _DECLARING and not all(map(is_declarable, declarations_in(shape.tree))))
            or (kind in _DECLARING and any(type_needs(statement, version, target)))
            or (has_gated_values(shape.tree) and not _has_all_values(version, target))
            or (isinstance(shape.tree, Declaration) and not stands_in_bodies(shape.tree, version, target))
        ):
            return FLAGGED
        if isinstance(shape.tree, (FunctionHead, Prototype)):
            return PER_STATEMENT if depends_on_numbers(shape.tree) else self._of_head(statement)
        return PER_STATEMENT if kind in _EXAMINED_IF_NAMED and shape.names else FINE

    def _of_head(self, statement: Statement) -> int:
        """The verdict on the head of a function or on a prototype."""
        version, target = self._module.version, self._module.target
        wrong = any(head_faults(statement, version, target)) or any(head_needs(statement, version, target))
        return FLAGGED if wrong else FINE

    def _is_fine(
        self,
        function: Function,
        scope: Scope,
        symbols: VisibleSymbols,
        chunk: Chunk,
        index: int,
        known: Statement | None,
    ) -> bool:
        module = self._module
        text, shape = chunk.part(index), SHAPES[chunk.shapes[index]]
        if shape.kind in _GATED_BY_WORDS or isinstance(shape.tree, (FunctionHead, Prototype)):
            statement = Statement(text, shape)
            if any(directive_needs(statement, module.version, module.target)):
                return False
            return shape.kind in _GATED_BY_WORDS or self._of_head(statement) == FINE
        codes = []
        is_call = shape.opcode[:1] == ("call",)
        names: Iterable[str] = used_names(text, shape, known)
        if shape.kind != Kind.INSTRUCTION:
            names = dict.fromkeys(names)
        for name in names:
            symbol = symbols[name]
            if symbol is None:
                code = special_code(name, module.version, module.target)
            else:
                code = symbol.code
                may_be_late = symbol.kind in MAY_BE_LATE and (function.late or symbol.name in module.globals.names)
                if may_be_late and module.positions.is_before(chunk, index, symbol.place):
                    return False
            if not code:
                return False
            codes.append(code)
        if shape.kind != Kind.INSTRUCTION:
            return _lists_what_it_may(Statement(text, shape), codes)
        statement = Statement(text, shape)
        if is_call and not _call_fits(statement, scope):
            return False
        if not self._matcher.is_fine(shape, tuple(codes), statement):
            return False  # before the next question, which finds the nearest form of a wrong statement
        found = self._matcher.match(shape, tuple(codes), statement, values=True) if depends_on_values(shape) else None
        return found is None or not found.mismatches and not found.notes


def _flag_registers(
    function: Function, chunk: Chunk, segment: Segment, flagged: set[int], registers: RegistersOfBlocks
) -> Generator[None, None, None]:
    """Flag the instructions of a segment that name a register which is not declared there, or later."""
    start, end, scope, _ = segment
    starts, kinds = chunk.starts(), chunk.kinds
    if flagged and all(index in flagged for index in range(start, end) if kinds[index] == Kind.INSTRUCTION):
        return
    code = [Span(starts[start], starts[end])]
    if starts[end] - starts[start] > _LONG_COMMENT:
        code = yield from collected(_without_long_comments(chunk, start, end))
    names: set[str] = set()
    for span in code:
        found = _REGISTERS.finditer(chunk.text, *span)
        names.update(map(_WHOLE, found) if span.end - span.start <= _LONG else (yield from mapped(_WHOLE, found)))
    if not names:
        return
    if len(names) > NAMES_IN_A_STEP:
        yield
    suspects = registers.undeclared(names, scope)
    if suspects is None:
        suspects = yield from undeclared_registers(names, scope)
    late = function.late.get(scope)
    if late:
        suspects |= {name for name in names if _is_late(name, scope, late)}
    if not suspects:
        return
    if len(suspects) > _FEW:
        words = (word for span in code for word in _REGISTER_WORDS(chunk.text, *span))
        places = [one.start() for one in words if one[0] in suspects]
        flagged.update(
            index for index in {bisect_right(starts, place) - 1 for place in places} if kinds[index] == Kind.INSTRUCTION
        )
        return
    wanted = re.compile("(?:" + "|".join(map(re.escape, sorted(suspects))) + r")(?![\w$])")
    for index in range(start, end):
        if kinds[index] == Kind.INSTRUCTION and wanted.search(chunk.text, starts[index], starts[index + 1]):
            flagged.add(index)


def _without_long_comments(chunk: Chunk, start: int, end: int) -> Iterator[Span | None]:
    """The text of statements without long comments: one may be most of a file. None is a pause."""
    starts = chunk.starts()
    begin = starts[start]
    for index in range(start, end):
        if starts[index + 1] - starts[index] > _LONG_COMMENT:
            for number, comment in enumerate(comments(mask_open_comments(chunk.part(index))), 1):
                if not number % _COMMENTS_IN_A_STEP:
                    yield None
                if comment.end - comment.start > _LONG_COMMENT:
                    yield Span(begin, starts[index] + comment.start)
                    begin = starts[index] + comment.end
    yield Span(begin, starts[end])


def _is_late(name: str, scope: Scope, late: dict[str, Symbol]) -> bool:
    if name not in late and ((parts := split_number(name)) is None or parts[0] not in late):
        return False
    symbol = scope.lookup(name)
    return symbol is not None and late.get(symbol.name) is symbol


@cache
def _has_all_values(version: Version, target: Target) -> bool:
    """Whether all kinds of initializers are available to a module."""
    return all(gate.allows(version, target) for gate in catalogue().vocabulary.rare.initial_values.values())


def _call_fits(statement: Statement, scope: Scope) -> bool:
    """Whether the arguments of a direct call match its function.

    Indirect calls are flagged and checked later: their callees can change without an edit of this chunk.
    """
    tree = statement.shape.tree
    call = read_call(tree) if isinstance(tree, Instruction) else None
    if call is None:
        return True
    target = scope.lookup(statement.word(call.target.name))
    if target is None or target.signature is None or target.type == ".entry" or call.targets is not None:
        return False
    return not any(
        call_faults(call, target.signature, statement, lambda operand: scope.lookup(statement.word(operand.name)))
    )


def _lists_what_it_may(statement: Statement, codes: list[int]) -> bool:
    """Whether a list of targets, if the statement is one, names what it can."""
    tree = statement.shape.tree
    if not isinstance(tree, Targets):
        return True
    wanted = LISTED[statement.word(tree.word)]
    return all(OPERANDS[code].kind == wanted for code in codes)
