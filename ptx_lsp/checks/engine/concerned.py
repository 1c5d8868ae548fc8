"""The checks that a flagged statement is shown to: not those that cannot find anything in it.

Where each line is wrong, most of the time would go into asking all checks about each. The condition of a rule
(:class:`~ptx_lsp.checks.support.condition.StatementCondition`) excludes most of them. Of instructions with nothing but
registers and undeclared names, of calls that pass variables, and of lists of functions, those with equal shapes are
judged once: a check that found nothing in the first is asked about others only if it is about names. So are
declarations of variables that differ in nothing but names.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.call_tables import signatures_of
from ptx_lsp.analysis.statements.context import StatementContext, is_broken
from ptx_lsp.analysis.statements.local_parameters import is_local_parameter
from ptx_lsp.analysis.statements.value_limits import computes
from ptx_lsp.analysis.symbols.calls import has_callees, read_call
from ptx_lsp.analysis.symbols.declarations import OPAQUE
from ptx_lsp.analysis.symbols.special_names import special_names
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.checks import asked_when_flagged
from ptx_lsp.checks.engine import log
from ptx_lsp.checks.engine.prefilter import StatementCheck
from ptx_lsp.checks.support.check import Check
from ptx_lsp.checks.support.condition import Traits, traits_of
from ptx_lsp.process_cache import ProcessCache, memoized
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tree import Declaration, Instruction, Targets

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
        self._numbered: dict[int, Checks] = {}

    def choose(self, checks: Checks, context: StatementContext) -> tuple[Checks, Hashable]:
        """Those of some checks that may find something in a flagged statement; and the key for :meth:`found`.

        The key is None for a statement that is judged by itself.
        """
        if self._generation != self._module.generation:
            self._generation = self._module.generation
            self._asked.clear()
        try:
            key = _key(context)
            if key is not None:
                key = self._number(checks), key
                known = self._asked.get(key)
                if known is not None:
                    return known, None
            return _with_traits(checks, traits_of(context)), key
        except Exception:
            log.exception("a statement could not be looked at")
            return checks, None

    def _number(self, checks: Checks) -> int:
        """A number for some checks, whose hash would take as long as what it saves."""
        if len(self._numbered) >= _MOST_KEPT:
            self._numbered.clear()
            self._asked.clear()
        self._numbered[id(checks)] = checks  # as long as it is here, no other one has the number
        return id(checks)

    def found(self, key: Hashable, checks: Checks, quiet: set[StatementCheck]) -> None:
        """Take over which of the checks that were chosen found nothing."""
        self._asked[key] = tuple(check for check in checks if check not in quiet or check in _of_names())


_JUDGED_ONCE = frozenset({Kind.INSTRUCTION, Kind.ALIAS, Kind.VARIABLE, Kind.TARGETS})


def lacking_declarations(checks: Checks) -> Checks:
    """Those of some checks that may find something in an instruction that is right but for undeclared names."""
    return _with_traits(checks, _LACKING)


_LACKING = Traits(Instruction, frozenset(), frozenset(), has_unknown_name=True)


def _key(context: StatementContext) -> Hashable:
    """A value that statements share about which all checks but those of names say the same; None if there is none.

    Registers of one operand code are the same for all checks, apart from which of them are equal. So are variables that
    a call passes, if their layout is equal too, and prototypes and lists that it is made through, if they have equal
    signatures. Of tables of functions each is judged by itself.
    """
    statement = context.statement
    shape = statement.shape
    if shape.kind not in _JUDGED_ONCE or shape.errors or is_broken(context) or len(shape.names) > _MANY_NAMES:
        return None
    if isinstance(shape.tree, Declaration):
        return _key_of_declaration(context, shape.tree)
    is_list = isinstance(shape.tree, Targets)
    if is_list and "<" in statement.text:  # of an entry of several labels the number counts
        return None
    is_call = isinstance(shape.tree, Instruction) and read_call(shape.tree) is not None
    names: list[str] = []
    layouts: list[Hashable] = []
    specials, symbols = special_names(), context.names.symbols
    for token, _ in shape.names:
        name = statement.word(token)
        known = symbols.get(token)
        if known is None:
            if name in specials:
                return None
        elif known.kind is not SymbolKind.REGISTER:
            if is_call and has_callees(known):
                layouts.append(_callees(context, known))
            elif is_list and known.kind is SymbolKind.FUNCTION:
                layouts.append(known)
            elif is_call and is_local_parameter(known):
                layouts.append((known.type, known.vector, known.layout))
            else:
                return None
        names.append(name)
    pattern, place = (*_pattern(names), *layouts), _surroundings(context)
    if not shape.constants:
        return shape.id, context.codes, pattern, place
    found = context.match
    problems = frozenset([one.problem for one in (*found.mismatches, *found.notes)]) if found is not None else None
    # Of an instruction that fits no form only computed constants are looked at.
    is_wrong = found is not None and bool(found.mismatches)
    # So it is of a call: the parameters of its function are not known, or the name would be declared.
    tokens = () if (is_wrong or is_call) and not computes(shape) else shape.constants
    constants = tuple([statement.word(token) for token in tokens])
    return shape.id, context.codes, pattern, place, problems, constants


def _callees(context: StatementContext, known: Symbol) -> Hashable:
    """The functions of a list, or a prototype, as all checks see them; of others the declaration itself.

    They are the same as long as the module declares them so.
    """
    signature = known.signature
    if known.kind is SymbolKind.PROTOTYPE and signature is not None:
        is_short = len(signature.results) + len(signature.parameters) <= _MANY_NAMES
        return (known.kind, known.code, signature) if is_short else known
    if known.kind is not SymbolKind.TARGETS:
        return known
    signatures = signatures_of(context.module, known, context.scope)
    is_short = sum(len(one.results) + len(one.parameters) for _, one in signatures) <= _MANY_NAMES
    return (known.code, signatures) if is_short else known


def _key_of_declaration(context: StatementContext, tree: Declaration) -> Hashable:
    """The key of a declaration: all of its words but the declared names, and those of variables and functions."""
    statement, text = context.statement, context.statement.text
    if len(text) > _LONG or tree.type in OPAQUE:  # whose initializers have names of fields
        return None
    words = [*statement.words_before(len(text))]
    names = []
    for declarator in tree.declarators:
        own = context.scope.names.get(words[declarator.name])
        if own is None or own.place[:2] != (context.chunk, context.index):
            return None
        names.append(words[declarator.name])
        words[declarator.name] = ""
    specials, symbols = special_names(), context.names.symbols
    for (token, _), code in zip(statement.shape.names, context.codes, strict=True):
        name, known = words[token], symbols.get(token)
        if name in specials if known is None else not code or known.kind not in _INITIAL:
            return None
        names.append(name)
        words[token] = ""
    return statement.shape.id, context.codes, _pattern(names), _surroundings(context), tuple(words)


_LONG = 512
_INITIAL = frozenset({SymbolKind.VARIABLE, SymbolKind.FUNCTION})


def _pattern(names: list[str]) -> tuple[int, ...]:
    """The place of each of some names, or that of the first equal one."""
    return tuple(map(names.index, names)) if len(names) > 1 else ()


def _surroundings(context: StatementContext) -> Hashable:
    """The kind of function around a statement, and whether it is in the body."""
    symbol = context.function.symbol
    return symbol.type if symbol is not None else "", context.function.has_body, context.is_inside


@cache
def _checks() -> dict[StatementCheck, Check]:
    return {one.check: one for one in asked_when_flagged() if one.check is not None}


@cache
def _of_names() -> frozenset[StatementCheck]:
    return frozenset(check for check, one in _checks().items() if one.rule.condition.is_of_names)


@memoized(1024)
def _with_traits(checks: Checks, traits: Traits) -> Checks:
    rules = _checks()
    return tuple(one for one in checks if rules[one].rule.condition.may_hold(rules[one].rule.code, traits))
