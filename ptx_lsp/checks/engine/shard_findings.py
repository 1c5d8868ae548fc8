"""The findings of one shard of a text, and those of the whole text from those of its shards.

A shard (:mod:`ptx_lsp.syntax.documents.shards`) is checked as a text of its own, but of its functions only those whose
blocks it has to itself. That gives the findings of the whole text if the blocks are where the division assumed, and
if no block declares anything for the rest of the module. Each shard verifies this for its own blocks, which together
are all. If it is not true of one of them, or if a finding depends on more than one body (``Merge.WHOLE``, or a kernel
with asynchronous work that calls a function whose body is empty in the shard), there are no merged findings, and the
text must be checked as a whole.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from ptx_lsp.analysis.module.body_facts import BodyFacts
from ptx_lsp.analysis.module.function import Function, StructureFaultKind
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.checks import all_checks
from ptx_lsp.checks.engine.checker import Checker, with_header_fixes
from ptx_lsp.checks.engine.earlier_findings import EarlierFindings
from ptx_lsp.checks.engine.finding_limit import Selection, most_counted, select, shares
from ptx_lsp.checks.support.finding import Merge
from ptx_lsp.diagnostic import Diagnostic, Severity
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.settings import Settings
from ptx_lsp.stepwise import without_pauses
from ptx_lsp.syntax.documents.shards import Division, Shard
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.text import Span

_TEARING = frozenset(
    {
        StructureFaultKind.UNCLOSED_BRACE,
        StructureFaultKind.UNMATCHED_BRACE,
        StructureFaultKind.OUTSIDE,
        StructureFaultKind.INSIDE,
        StructureFaultKind.NO_BRACE,
        StructureFaultKind.BLOCK_IN_SECTION,
    }
)
"""Faults after which it is uncertain which statements are in a body."""
_OF_MODULE = (Kind.FILE, Kind.LOCATION, Kind.SECTION)
"""Kinds of statements of which checks of the module ask whether one has a syntax error, wherever it is."""


class _OfCheck(NamedTuple):
    """The findings of a check of the module in one shard."""

    merge: Merge
    inside: list[Diagnostic]
    """In blocks."""
    outside: list[Diagnostic]


class ShardFindings(NamedTuple):
    """The findings of one shard, picklable, in offsets of the whole text."""

    of_checks: list[_OfCheck]
    """Of each check of the module, in the order in which they are asked."""
    of_heads: list[Diagnostic]
    """In the heads and braces of the own functions."""
    of_flow: list[Diagnostic]
    of_statements: list[Diagnostic]
    """Of each severity at least as many as can be shown of all shards together."""
    counts: Counter[Severity]
    """The number of findings of each severity in statements."""


_SMALL = """.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p)
{
    .reg .b32 %r<3>;
    mov.u32 %r1, %tid.x;
    add.s32 %r2, %r1, 1;
    ret;
}
"""


def prepare() -> None:
    """Import and read what the check of a long text needs, before other processes begin as copies of this one."""
    Checker(_SMALL).findings()
    all_checks()


def shard_findings(division: Division, number: int, settings: Settings) -> ShardFindings | None:
    """The findings of a shard; None if its blocks are not as the division assumed."""
    shard = division.shard(number)
    checker = Checker(shard.text, settings)
    module, statements = checker.module, checker.statements
    functions = _functions(module, shard)
    if functions is None:
        return None
    own, others = functions
    of_checks = []
    for check, found in checker.of_module.by_check():
        inside: list[Diagnostic] = []
        outside: list[Diagnostic] = []
        for one in (placed.diagnostic(module) for placed in found):
            block = shard.block_at(one.span.start)
            if block is None or block in shard.own:
                (outside if block is None else inside).append(_moved(one, shard))
        of_checks.append(_OfCheck(check.rule.merge, inside, outside))
    most = most_counted(settings.max_diagnostics)
    checker.statements.count_until(most)
    for _ in statements.examining(functions=own, earlier=EarlierFindings(module.positions, ())):
        pass
    wanted = shares(statements.counts, settings.max_diagnostics + 1)
    of_flow = settings.applied(checker.flow_diagnostics(own, ()))
    if not module.derived(BodyFacts).used.issubset((*own, *others)):
        return None  # the body of a function that decides about them is empty in this shard
    return ShardFindings(
        of_checks,
        [_moved(one.diagnostic(module), shard) for one in without_pauses(checker.of_module.of_functions(own, most))],
        [_moved(one, shard) for one in of_flow],
        [_moved(one, shard) for one in settings.applied(without_pauses(statements.placed(wanted, None)))],
        statements.counts,
    )


def merged(division: Division, shards: Sequence[ShardFindings | None], settings: Settings) -> Selection | None:
    """The findings that are shown of a text, from those of all its shards; None if they must be made as a whole."""
    found = _selected([shard for shard in shards if shard is not None], settings) if all(shards) else None
    if found is None or not any(one.header for one in found.shown):
        return found
    return with_header_fixes(Checker(division.text, settings).semantics, found)


def _selected(shards: Sequence[ShardFindings], settings: Settings) -> Selection | None:
    found: list[Diagnostic] = []
    for of_shards in zip(*(shard.of_checks for shard in shards), strict=True):
        of_text = _merged_check(of_shards)
        if of_text is None:
            return None
        found += of_text
    found += [one for shard in shards for one in shard.of_heads]
    found = settings.applied(found)
    found += [one for shard in shards for one in shard.of_flow]
    counts = sum((shard.counts for shard in shards), Counter(one.severity for one in found))
    found += [one for shard in shards for one in shard.of_statements]
    return select(found, counts, settings.max_diagnostics)


def _merged_check(shards: Sequence[_OfCheck]) -> list[Diagnostic] | None:
    """The findings of a check of the module in the whole text; None if they are uncertain."""
    first = shards[0]
    found = [*first.outside, *(one for shard in shards for one in shard.inside)]
    match first.merge:
        case Merge.WHOLE:
            return None if any(shard.inside or shard.outside for shard in shards) else []
        case Merge.EARLIEST:
            return sorted(found, key=lambda one: one.span)[:1]
        case Merge.EVERY:
            others = [{(one.span, one.message) for one in shard.outside} for shard in shards[1:]]
            outside = [one for one in first.outside if all((one.span, one.message) in other for other in others)]
            return [*outside, *found[len(first.outside) :]]
        case _:
            return found


def _functions(module: Module, shard: Shard) -> tuple[list[Function], list[Function]] | None:
    """The functions that a shard has to check, and others whose bodies it has; None if its blocks are others."""
    if any(map(module.summaries.has_broken, _OF_MODULE)):
        return None
    own: list[Function] = []
    others: list[Function] = []
    number = 0
    for function in module.functions:
        blocks = list(_blocks(module, function))
        if blocks != shard.blocks[number : number + len(blocks)]:
            return None
        numbers = range(number, number + len(blocks))
        number += len(blocks)
        is_own = [one in shard.own for one in numbers] or [shard.is_first]
        if not any(is_own):
            if blocks and function.has_body and numbers[0] in shard.shared:
                others.append(function)
            continue
        if not all(is_own) or not _is_sound(module, function, blocks):
            return None
        own.append(function)
    return (own, others) if number == len(shard.blocks) else None


def _blocks(module: Module, function: Function) -> Iterator[Span]:
    """The outermost blocks of a function, as they were read; those that are not closed are left out."""
    depth = start = 0
    for chunk in function.chunks:
        for mark in module.summaries.marks(chunk):
            if mark.kind is Kind.OPEN:
                depth += 1
                if depth == 1:
                    start = _end(module, Place(chunk, mark.statement, 0)) - 1
            elif mark.kind is Kind.CLOSE and depth:
                depth -= 1
                if not depth:
                    yield Span(start, _end(module, Place(chunk, mark.statement, 0)))


def _end(module: Module, place: Place) -> int:
    """The offset of the end of a statement."""
    return module.positions.statement_start(place.chunk, place.statement + 1)


def _is_sound(module: Module, function: Function, blocks: Sequence[Span]) -> bool:
    """Whether all that is in the blocks of a function concerns that function alone."""
    if function.sources or any(fault.fault in _TEARING for fault in function.faults):
        return False
    starts = [start for start, _ in blocks]
    declared = (symbol.place for symbol in function.globals)
    for place in chain(declared, function.aliases, function.headers, function.files, function.sections):
        offset = _end(module, place)
        number = bisect_left(starts, offset) - 1
        if number >= 0 and offset < blocks[number].end:
            return False
    return True


def _moved(found: Diagnostic, shard: Shard) -> Diagnostic:
    """A finding with all its places in offsets of the whole text."""
    return found._replace(
        span=_moved_span(found.span, shard),
        fixes=tuple(
            fix._replace(edits=tuple(edit._replace(span=_moved_span(edit.span, shard)) for edit in fix.edits))
            for fix in found.fixes
        ),
        related=tuple(one._replace(span=_moved_span(one.span, shard)) for one in found.related),
        repeats=tuple(one._replace(span=_moved_span(one.span, shard)) for one in found.repeats),
    )


def _moved_span(span: Span, shard: Shard) -> Span:
    return Span(shard.offset(span.start), shard.offset(span.end))
