"""The checks that a flagged statement is shown to: not those that cannot find anything in it.

Where each line is wrong, most of the time would go into asking all checks about each. The condition of a rule
(:class:`~ptx_lsp.checks.support.condition.StatementCondition`) excludes most of them. Of instructions with nothing but
registers and undeclared names, those with equal shapes are judged once: a check that found nothing in the first is
asked about others only if it is about names.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache, lru_cache

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.value_limits import computes
from ptx_lsp.analysis.symbols.special_names import special_names
from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.checks import asked_when_flagged
from ptx_lsp.checks.engine import log
from ptx_lsp.checks.engine.prefilter import StatementCheck
from ptx_lsp.checks.support.check import Check
from ptx_lsp.checks.support.condition import Traits, traits_of
from ptx_lsp.process_cache import ProcessCache
from ptx_lsp.syntax.kind import Kind

_MOST_KEPT = 4096
_MANY_NAMES = 16

Checks = tuple[StatementCheck, ...]


class ConcernedChecks:
    """Chooses the checks of flagged statements of a module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._generation = module.generation
        self._asked: ProcessCache[Hashable, Checks] = ProcessCache(_MOST_KEPT)
        """By what statements have in common that are judged once."""

    def choose(self, checks: Checks, context: StatementContext) -> tuple[Checks, Hashable]:
        """Those of some checks that may find something in a flagged statement; and the key for :meth:`found`.

        The key is None for a statement that is judged by itself.
        """
        if self._generation != self._module.generation:
            self._generation = self._module.generation
            self._asked.clear()
        try:
            traits = traits_of(context)
            key = _key(checks, context, traits)
        except Exception:
            log.exception("a statement could not be looked at")
            return checks, None
        known = self._asked.get(key) if key is not None else None
        if known is not None:
            return known, None
        return _with_traits(checks, traits), key

    def found(self, key: Hashable, checks: Checks, quiet: set[StatementCheck]) -> None:
        """Take over which of the checks that were chosen found nothing."""
        self._asked[key] = tuple(check for check in checks if check not in quiet or check in _of_names())


def _key(checks: Checks, context: StatementContext, traits: Traits) -> Hashable:
    """A value that statements share about which all checks but those of names say the same; None if there is none.

    Registers of one operand code are the same for all checks, apart from which of them are equal.
    """
    statement, symbol = context.statement, context.function.symbol
    shape = statement.shape
    if shape.kind is not Kind.INSTRUCTION or shape.errors or traits.errors or len(shape.names) > _MANY_NAMES:
        return None
    names = [statement.word(token) for token, _ in shape.names]
    specials = special_names()
    for (token, _), name in zip(shape.names, names, strict=True):
        known = context.symbols.get(token)
        if known is None and name in specials or known is not None and known.kind is not SymbolKind.REGISTER:
            return None
    pattern = tuple(map(names.index, names))
    # Of an instruction that fits no form only computed constants are looked at.
    is_wrong = context.match is not None and bool(context.match.mismatches)
    tokens = () if is_wrong and not computes(shape) else shape.constants
    constants = tuple([statement.word(token) for token in tokens])
    place = symbol.type if symbol is not None else "", context.function.has_body, context.is_inside
    return checks, shape.id, context.codes, pattern, traits.problems, constants, place


@cache
def _checks() -> dict[StatementCheck, Check]:
    return {one.check: one for one in asked_when_flagged() if one.check is not None}


@cache
def _of_names() -> frozenset[StatementCheck]:
    return frozenset(check for check, one in _checks().items() if one.rule.condition.is_of_names)


@lru_cache(maxsize=1024)
def _with_traits(checks: Checks, traits: Traits) -> Checks:
    rules = _checks()
    return tuple(one for one in checks if rules[one].rule.condition.may_hold(rules[one].rule.code, traits))
