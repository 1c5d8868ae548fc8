"""Statements that a check wants to see although the instruction set has nothing against them.

The analysis flags what ptxas refuses. A check that looks for something else says of a *shape*, once, whether its
statements can be meant (``accepts_shape(shape)``). It may look at the text of each, with the datum that it returned for
the shape (``prefilter_statement(text, datum)``), before it gets the statement as a
:class:`~ptx_lsp.analysis.statements.context.StatementContext`. Most shapes interest no check, so most statements cost
nothing. Where they are many all the same, ``prefilter_chunk(text)`` says of the text of a whole chunk whether
``prefilter_statement`` can be true of any statement of it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.engine import log
from ptx_lsp.checks.support.check import Check
from ptx_lsp.checks.support.finding import Finding
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import KEPT_BY_SHAPE, ProcessCache
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.shape import SHAPES, Shape

StatementCheck = Callable[[StatementContext], Iterator[Finding | None]]

_SHORT = 64
_LONG = 1 << 15
_SHAPES_IN_A_STEP = 32
_MEMO_LIMIT = 1 << 15


class _Subscription(NamedTuple):
    """The interest of a check in a shape."""

    check: StatementCheck
    datum: Any
    prefilter_statement: Callable[[str, Any], bool] | None
    prefilter_chunk: Callable[[str], bool] | None


class Prefilter:
    """Finds the statements that some checks want to see.

    Args:
        checks: those with ``accepts_shape`` count.

    """

    def __init__(self, checks: Iterable[Check]) -> None:
        self._checks = tuple(check for check in checks if check.accepts_shape is not None)
        self._by_tree: dict[type, tuple[Check, ...]] = {}
        """Those that can be about statements with such a tree."""
        self._subscribed: dict[int, tuple[_Subscription, ...]] = {}
        """By the id of a shape, those with subscriptions."""
        self._asked: set[int] = set()
        """The shapes that the checks were asked about."""
        self._distinct: set[int] = set()
        """Those whose statements have names, so that hardly two of them are equal."""
        self._by_text: ProcessCache[str, tuple[StatementCheck, ...]] = ProcessCache(_MEMO_LIMIT)
        """The checks that a statement of this text passes to; lines of debug sections are alike by the thousand."""
        KEPT_BY_SHAPE.when_forgotten(self._forget)

    def statements(self, chunk: Chunk) -> dict[int, tuple[StatementCheck, ...]]:
        """The statements of a chunk, by index, that some checks want to see, and those checks."""
        return run_to_completion(self.finding(chunk))

    def finding(self, chunk: Chunk) -> Generator[None, None, dict[int, tuple[StatementCheck, ...]]]:
        """:meth:`statements` in steps: for a long statement one for each check."""
        used = set(chunk.shapes)
        if not used <= self._asked:
            yield from self._asking_about(used - self._asked, is_long=chunk.length > _LONG)
        numbers = used.intersection(self._subscribed)
        if not numbers:
            return {}
        passed: dict[StatementCheck, bool] = {}
        eager = {
            number: tuple(one for one in self._subscribed[number] if _passes_chunk(one, chunk.text, passed))
            for number in numbers
        }
        eager = {number: subscriptions for number, subscriptions in eager.items() if subscriptions}
        if not eager:
            return {}
        found: dict[int, tuple[StatementCheck, ...]] = {}
        whole, starts, shapes = chunk.text, chunk.starts(), chunk.shapes
        known = self._by_text
        for index in [index for index, number in enumerate(shapes) if number in eager]:
            text = whole[starts[index] : starts[index + 1]]
            number = shapes[index]
            interested = None if number in self._distinct else known.get(text)
            if interested is None and len(text) > _LONG:
                interested = yield from _finding_interested(eager[number], text)
            elif interested is None:
                interested = tuple([one.check for one in eager[number] if _passes_statement(one, text)])
                if len(text) <= _SHORT and number not in self._distinct:
                    known[text] = interested
            if interested:
                found[index] = interested
        return found

    def ignores(self, numbers: set[int], digits: int) -> bool:
        """Whether no check that passed over statements of some shapes wants to see others with other decimal literals.

        Only for literals of so many ``digits`` at most, and false for shapes that the checks were not asked about.
        """
        interested = (one for number in numbers.intersection(self._subscribed) for one in self._subscribed[number])
        return numbers <= self._asked and all(_ignores(one.datum, digits) for one in interested)

    def _asking_about(self, numbers: set[int], *, is_long: bool) -> Iterator[None]:
        for count, number in enumerate(numbers, 1):
            shape = SHAPES[number]
            subscriptions: list[_Subscription] = []
            for one in self._ask(shape) if not shape.errors else ():
                if one is not None:
                    subscriptions.append(one)
                if is_long:
                    yield
            if subscriptions:
                self._subscribed[number] = tuple(subscriptions)
                if shape.names:
                    self._distinct.add(number)
            self._asked.add(number)
            if not count % _SHAPES_IN_A_STEP:
                yield

    def _forget(self, left: AbstractSet[int]) -> None:
        """Forget shapes that no chunk has any more."""
        self._asked &= left
        self._distinct &= left
        self._subscribed = {number: found for number, found in self._subscribed.items() if number in left}

    def _concerned(self, tree: type) -> tuple[Check, ...]:
        """The checks whose rule is about statements with a tree of this type, or about any."""
        found = self._by_tree.get(tree)
        if found is None:
            asked = ((check, check.rule.condition.trees) for check in self._checks)
            found = self._by_tree[tree] = tuple(check for check, trees in asked if not trees or issubclass(tree, trees))
        return found

    def _ask(self, shape: Shape) -> Iterator[_Subscription | None]:
        """The subscriptions of the checks to a shape; None for a check that does not want it."""
        for check in self._concerned(type(shape.tree)):
            assert check.check is not None
            assert check.accepts_shape is not None
            try:
                datum = check.accepts_shape(shape)
            except Exception:
                log.exception("accepts_shape of %s failed", check.name)
                continue
            is_wanted = datum is not None and datum is not False
            filters = check.prefilter_statement, check.prefilter_chunk
            yield _Subscription(check.check, datum, *filters) if is_wanted else None


def _ignores(datum: Any, digits: int) -> bool:
    """Whether a datum says that decimal literals of so many digits do not interest its check."""
    ignores = getattr(datum, "ignores", None)
    return ignores is not None and bool(ignores(digits))


def _passes_chunk(one: _Subscription, text: str, known: dict[StatementCheck, bool]) -> bool:
    """Whether a check wants to see some statement of a chunk; one whose prefilter raises is logged and does not."""
    if one.prefilter_chunk is None:
        return True
    passes = known.get(one.check)
    if passes is None:
        try:
            passes = one.prefilter_chunk(text)
        except Exception:
            log.exception("prefilter_chunk of %s failed", one.check.__module__)
            passes = False
        known[one.check] = passes
    return passes


def _finding_interested(
    subscriptions: Iterable[_Subscription], text: str
) -> Generator[None, None, tuple[StatementCheck, ...]]:
    found = []
    for one in subscriptions:
        if _passes_statement(one, text):
            found.append(one.check)
        yield
    return tuple(found)


def _passes_statement(one: _Subscription, text: str) -> bool:
    """Whether a check wants to see a statement; one whose prefilter raises is logged and does not."""
    if one.prefilter_statement is None:
        return True
    try:
        return one.prefilter_statement(text, one.datum)
    except Exception:
        log.exception("prefilter_statement of %s failed", one.check.__module__)
        return False
