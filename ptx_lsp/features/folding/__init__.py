"""Folding ranges: the parts of a document that an editor can collapse to one line.

They are found for each function with the text up to the next one, and kept until that text or the structure of the
function is another: after an edit only one function is read again.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.semantics.text_sections import TextSection, finding_sections
from ptx_lsp.derived_values import Deriving
from ptx_lsp.features.folding.finder import FEWEST, Finder
from ptx_lsp.features.folding.fold import Fold, FoldKind
from ptx_lsp.stepwise import run_to_completion

_Sources = Sequence[object]
"""The chunks and the structure of a function, which never change, and what else was asked for."""


class FoldGroup(Deriving):
    """The folds of a function, or of a part of the text whose functions are not closed."""

    __slots__ = ("_made_of", "folds", "is_balanced", "length", "start")

    def __init__(self, made_of: _Sources, finder: Finder, folds: list[Fold]) -> None:
        self._made_of = made_of
        self.folds = folds
        """Their places are relative to ``start``. Sorted by start; the enclosing fold precedes the enclosed ones."""
        self.is_balanced = finder.is_balanced
        """Whether all braces and regions that are opened in it are closed there, and the other way round."""
        self.start = 0
        """Its offset in the present text."""
        self.length = finder.length
        """Number of characters of its text."""

    def is_made_of(self, sources: _Sources) -> bool:
        """Whether the same folds would be found again."""
        own = self._made_of
        return len(own) == len(sources) and all(one is other for one, other in zip(own, sources, strict=True))

    def placed(self) -> Iterator[Fold]:
        """The folds with their places in the text."""
        return (fold.moved(self.start) for fold in self.folds)


def folding(module: Module) -> list[Fold]:
    """Return the folding ranges of a document, sorted by start; the enclosing range precedes the enclosed ones."""
    return all_folds(run_to_completion(_groups(module, None)))


def all_folds(groups: Iterable[FoldGroup]) -> list[Fold]:
    """Return the folds of some groups with their places in the text."""
    return [fold for group in groups for fold in group.placed()]


def folding_with_loops(semantics: Semantics) -> Generator[None, None, list[FoldGroup]]:
    """Return the folding ranges of a document with its loops and labelled blocks, in steps of some milliseconds.

    Of functions whose structure is not found there are none. One that a pair of braces crosses is left out, and so is a
    block that begins with its loop. Editors drop a range that crosses one before it: the region of a ``.loc`` ends with
    the block in which it begins.
    """
    return _groups(semantics.module, semantics)


def _groups(module: Module, semantics: Semantics | None) -> Generator[None, None, list[FoldGroup]]:
    kept = module.derived(_Kept)
    functions, found, start = list(module.functions), list[FoldGroup](), 0
    for number, function in enumerate(functions):
        structure = semantics.structure(function) if semantics is not None else None
        sources = (*function.chunks, structure, semantics is not None, start == 0)
        group = kept.groups.get(function)
        if group is None or not group.is_made_of(sources):
            group = yield from _made(module, semantics, [function], sources)
        if not group.is_balanced and number + 1 < len(functions):
            group = yield from _made(module, semantics, functions[number:], ())
            functions = functions[:number]
        group.start = start
        start += group.length
        found.append(group)
        if len(found) > len(functions):
            break
    kept.groups = dict(zip(functions, found, strict=False))
    return found


class _Kept:
    """The groups of the last text."""

    def __init__(self, _: Module) -> None:
        self.groups: dict[Function, FoldGroup] = {}


def _made(
    module: Module, semantics: Semantics | None, functions: Sequence[Function], sources: _Sources
) -> Generator[None, None, FoldGroup]:
    chunks = [chunk for function in functions for chunk in function.chunks]
    start = module.positions.chunk_start(chunks[0]) if chunks else 0
    finder = Finder(is_first=start == 0)
    for chunk in chunks:
        finder.chunk(chunk)
        yield
    finder.end()
    folds = finder.found
    if semantics is not None:
        for function in functions:
            yield
            found = yield from finding_sections(semantics, function)
            folds += _folds_of(found, start)
    yield
    folds.sort(key=lambda fold: (fold.start, -fold.end))
    if semantics is not None:
        folds = yield from _nested(module, folds, start)
    return FoldGroup(sources, finder, folds)


def _folds_of(found: Iterable[TextSection], start: int) -> Iterator[Fold]:
    """Yield the loops and labelled blocks of a function, with places relative to ``start``."""
    headers = set()
    for one in found:
        if one.loop is not None:
            headers.add(one.span.start)
        elif one.span.start in headers:
            continue
        what = FoldKind.BASIC_BLOCK if one.loop is None else FoldKind.LOOP
        title = "" if one.loop is None else f"{one.title}: "
        yield Fold(one.span.start - start, one.span.end - start, what, summary=title + one.summary)


def _nested(module: Module, folds: list[Fold], start: int) -> Generator[None, None, list[Fold]]:
    """The folds of which none crosses one before it."""
    kept, around = [], list[Fold]()
    for fold in folds:
        while around and around[-1].end <= fold.start:
            around.pop()
        if around and fold.end > around[-1].end:
            if fold.what in (FoldKind.LOOP, FoldKind.BASIC_BLOCK):
                continue
            if fold.what is FoldKind.LOCATION:
                fold = _ended(module, fold, around[-1].end, start)
                if fold.amount < FEWEST:
                    continue
        if fold.what in _NESTED:
            around.append(fold)
        kept.append(fold)
        if not len(kept) % _STEP:
            yield
    return _without_crossed(kept)


def _ended(module: Module, fold: Fold, end: int, start: int) -> Fold:
    """The part of a ``.loc`` region up to the end of the block or loop in which it begins."""
    lines = module.document.position(start + end)[0] - module.document.position(start + fold.start)[0]
    return fold._replace(end=end, amount=lines)


_STEP = 1000
"""So many folds take some milliseconds."""
_NESTED = frozenset({FoldKind.BLOCK, FoldKind.LOOP, FoldKind.BASIC_BLOCK})


def _without_crossed(folds: list[Fold]) -> list[Fold]:
    """Drop the loops and basic blocks in which a brace is opened that is closed after them."""
    crossed, around = set[Fold](), list[Fold]()
    for fold in folds:
        while around and around[-1].end <= fold.start:
            around.pop()
        if fold.what is FoldKind.BLOCK:
            crossed.update(one for one in around if one.end < fold.end)
        elif fold.what in _NESTED:
            around.append(fold)
    return [fold for fold in folds if fold not in crossed]
