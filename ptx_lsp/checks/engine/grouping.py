"""One mistake that shows in many statements is reported once, by the first of them.

Each use of an undeclared name is found by itself, which is cheap and stays true when other
statements change. When the findings of a function are listed, those with equal
:class:`~ptx_lsp.checks.support.finding.GroupKey` become one: the rule words it for all of their names
(``merge_group(context, span, names)``), and the further places are related ones.

Of code that a compiler wrote (``ModuleHeader.is_generated``) no one edits the lines, and what it writes once it writes
often: there the hints of one code in a function become one.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks import asked_when_flagged
from ptx_lsp.checks.engine import log
from ptx_lsp.checks.support.finding import OF_COMPILERS, Finding
from ptx_lsp.diagnostic import Diagnostic, Edit, Fix, Related, Severity
from ptx_lsp.settings import Settings
from ptx_lsp.stepwise import collected, in_parts, run_to_completion
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.text import Span

LocatedFinding = tuple[Chunk, int, Finding]
"""A finding, and the statement that it is relative to."""

Silences = Callable[[str, int], bool]
"""``silences(code, offset)`` says whether a comment silences a code at an offset."""

Mistake = tuple[str, str]
"""The code and the group that findings of one function share if they are reported once."""

_SHOWN = 20
"""Further places that are listed."""
_MARKED = 200
"""Further places that editors mark."""


def grouped(module: Module, finding: Finding) -> Finding:
    """The finding as one of a group, if it is a hint about code that a compiler wrote."""
    if (
        not module.header.is_generated
        or finding.group_key is not None
        or finding.diagnostic.severity is not Severity.HINT
    ):
        return finding
    return finding.in_group(OF_COMPILERS)


def shown_by(settings: Settings, found: list[LocatedFinding]) -> list[LocatedFinding]:
    """The findings that the settings let through, with the severities that the settings give them."""
    if settings.shows_all or not found:
        return found
    return [
        (chunk, index, finding._replace(diagnostic=diagnostic))
        for chunk, index, finding in found
        for diagnostic in settings.applied([finding.diagnostic])
    ]


def severity_of(found: LocatedFinding) -> Severity:
    """The severity of a finding."""
    return found[2].diagnostic.severity


def order_in_chunk(found: LocatedFinding) -> tuple[int, int, str]:
    """The order in which the findings of a chunk are shown."""
    _, index, finding = found
    return index, finding.diagnostic.span.start, finding.diagnostic.code


def mistake_of(finding: Finding) -> Mistake | None:
    """The mistake that a finding belongs to, if it is reported once in its function."""
    return None if finding.group_key is None else (finding.diagnostic.code, finding.group_key.group)


def reported(
    module: Module,
    function: Function,
    groups: Iterable[tuple[Mistake, list[LocatedFinding]]],
    silences: Silences | None,
) -> Iterator[Diagnostic | None]:
    """One diagnostic in document offsets for each mistake of a function; None is a pause.

    Args:
        module: the module of the function.
        function: where the mistakes are.
        groups: the findings of each mistake, in the order of their places.
        silences: ``silences(code, offset)`` says where a comment silences what: a mistake is reported at its first
            place that is not silenced.

    """
    for mistake, places in groups:
        yield None
        if silences is not None:
            places = yield from collected(
                None if silences(mistake[0], _span(module, one).start) else one for one in places
            )
        if places:
            one = yield from _together(module, function, places)
            yield one


def _together(module: Module, function: Function, places: list[LocatedFinding]) -> Generator[None, None, Diagnostic]:
    (chunk, index, first), *others = places
    is_hint = first.group_key is not None and not first.group_key.name
    merged = first if is_hint else _merged(module, function, places[0], (yield from _names(places)))
    diagnostic = merged.placed(module, module.positions.statement_start(chunk, index))
    if is_hint and others:
        message = f"{diagnostic.message}; {len(others)} more in this function"
        fixes = yield from _fixes(module, diagnostic.fixes, others)
        diagnostic = diagnostic._replace(message=message, fixes=fixes)
    related = [Related(_span(module, one), "and here") for one in others[:_SHOWN]]
    if len(others) > _SHOWN:
        related[-1] = related[-1]._replace(message=f"and here, and in {len(others) - _SHOWN} more places")
    if first.group_key is OF_COMPILERS:
        return diagnostic._replace(related=(*diagnostic.related, *related))
    repeats = tuple(Related(_span(module, one), one[2].diagnostic.message) for one in others[:_MARKED])
    if is_hint:
        return diagnostic._replace(related=(*diagnostic.related, *related), repeats=repeats)
    same: list[LocatedFinding] = []
    for part in in_parts(others):
        same += [one for one in part if one[2].group_key == first.group_key]
        yield
    everywhere = []
    for fix in diagnostic.fixes:
        one = yield from _everywhere(module, function, fix, diagnostic.span, same)
        everywhere.append(one)
    return diagnostic._replace(related=(*diagnostic.related, *related), repeats=repeats, fixes=tuple(everywhere))


_PLACED_IN_A_STEP = 16
_ASKED = 30
"""So many uses of a name are asked whether another name fits them."""


def _everywhere(
    module: Module, function: Function, fix: Fix, span: Span, same: list[LocatedFinding]
) -> Generator[None, None, Fix]:
    """A fix that writes another name, for all uses of the name; for one if the other name does not fit all of them."""
    if not same or len(fix.edits) != 1 or fix.edits[0].span != span:
        return fix
    text = fix.edits[0].text
    for one in same[:_ASKED]:
        yield
        names = run_to_completion(_names([one]))
        offered = _merged(module, function, one, names).diagnostic.fixes
        if not any(len(other.edits) == 1 and other.edits[0].text == text for other in offered):
            return fix
    others = yield from collected(Edit(_span(module, one), text) for one in same)
    edits = (*fix.edits, *others)
    return fix._replace(title=f"{fix.title} in all {len(edits)} places", edits=edits)


def _fixes(
    module: Module, fixes: tuple[Fix, ...], others: list[LocatedFinding]
) -> Generator[None, None, tuple[Fix, ...]]:
    """The first fix of a finding with the edits for the others of its group."""
    if not fixes:
        return ()
    edits = list(fixes[0].edits)
    for number, (chunk, index, finding) in enumerate(others, 1):
        if not number % _PLACED_IN_A_STEP:
            yield
        placed = finding.joined(module, module.positions.statement_start(chunk, index))
        following = [edit for fix in placed.fixes[:1] if fix.is_sure == fixes[0].is_sure for edit in fix.edits]
        if following and all(edit.span.start >= edits[-1].span.end for edit in following):
            edits += following
    count = len(edits) - len(fixes[0].edits)
    if not count:
        return fixes
    return (fixes[0]._replace(title=f"{fixes[0].title}, and {count} more", edits=tuple(edits)),)


def _names(places: Sequence[LocatedFinding]) -> Generator[None, None, list[str]]:
    """The names of all findings of a group, each once."""
    names: dict[str, None] = {}
    for part in in_parts(places):
        names.update(dict.fromkeys(one.group_key.name for _, _, one in part if one.group_key is not None))
        yield
    return list(names)


def _merged(module: Module, function: Function, place: LocatedFinding, names: list[str]) -> Finding:
    """The finding at the first place of a group, worded by its rule for the names of all."""
    chunk, index, first = place
    try:
        merge_group = next(one.merge_group for one in asked_when_flagged() if one.rule.code == first.diagnostic.code)
        assert merge_group is not None
        found = merge_group(StatementContext(module, function, chunk, index), first.diagnostic.span, names)
        # Settings may have given the single findings another severity, by which they were counted.
        return found._replace(diagnostic=found.diagnostic._replace(severity=first.diagnostic.severity))
    except Exception:
        log.exception("findings of %s could not be merged", first.diagnostic.code)
        return first


def _span(module: Module, found: LocatedFinding) -> Span:
    chunk, index, finding = found
    start = module.positions.statement_start(chunk, index)
    return finding.joined(module, start).span if finding.continued else finding.diagnostic.span.shifted(start)
