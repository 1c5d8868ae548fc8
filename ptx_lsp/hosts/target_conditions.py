"""Conditions of the preprocessor as sets of targets.

A condition is evaluated for all targets, with three values: what depends on the toolkit or the build is unknown. A
branch belongs to the targets for which its condition is not false, so the set can only be too large.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import compress, repeat

from ptx_lsp.hosts.host_tables import guards, targets
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized

_HOST = "host"
_UNKNOWN = None
_Number = int | None
_Value = tuple[_Number, ...]
"""The values of an expression for the targets and the host, in this order; a single one if all are equal. None is one
that is unknown."""

_TOKEN = re.compile(
    r"\s+|(?P<name>[A-Za-z_]\w*)|(?P<number>(?:0[xX][\da-fA-F']+|\d[\d']*))[uUlLzZ]*|(?P<sign>&&|\|\||[=!<>]=|<<|>>|[^\w\s])"
)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*|\\\r?\n", re.DOTALL)
_TARGET = re.compile(r"sm_(\d+)([af]?)(\+?)")
_LEVELS = {
    "||": 1, "or": 1, "&&": 2, "and": 2, "==": 6, "!=": 6, "not_eq": 6,
    "<": 7, ">": 7, "<=": 7, ">=": 7, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip
_BEFORE_OPERAND = frozenset({"!", "not", "-", "+", "("})
_WORDS = frozenset({*_LEVELS, "not", "true", "false", "defined"})
_NAME = re.compile(r"(?<![\w'])[A-Za-z_]\w*+")
_CALL = re.compile(r"(?<!\w)(?!defined\b)[A-Za-z_]\w*+\s*+\(").search
_DEEPEST = 60
_LONGEST = 4000
_MOST_TOKENS = 500
"""Conditions with more characters or tokens are unknown: each operator of a row calls those before it."""


class TargetCondition(NamedTuple):
    """The meaning of a condition."""

    holds: frozenset[str] | None
    """The targets for which it can hold; None if it can for all."""
    fails: frozenset[str] | None
    """The targets for which it can be false; None if it can for all."""
    holds_on_host: bool
    fails_on_host: bool
    is_constant: bool | None
    """Its value if that is the same for all targets and the host: ``#if 0``."""
    kind: str
    """``__CUDA_ARCH__``, ``macro``, ``toolkit`` or ``other``."""


_SAME_FOR_ALL = ("other", "toolkit")
"""The kinds of conditions whose value depends on no target."""


def condition(text: str) -> TargetCondition:
    """The meaning of an expression of ``#if`` or an argument of ``NV_IF_TARGET``. Never raises."""
    return _condition(text if len(text) <= _LONGEST else "")


@memoized(1024)
def _condition(text: str) -> TargetCondition:
    plain = _COMMENT.sub(" ", text)
    return _meaning(_NAME.sub(_distinguished, plain) if _CALL(plain) is None else plain)


def _distinguished(name: re.Match[str]) -> str:
    """A name that says something of the target; one name for all others, so that most conditions are alike."""
    word, table = name[0], guards()
    is_known = word in _WORDS or word in table.numbers or word in table.toolkit or _names_macro()(word) is not None
    return word if is_known else "A"


@cache
def _names_macro() -> Callable[[str], re.Match[str] | None]:
    return re.compile("|".join(f"(?:{macro.name.pattern})" for macro in guards().macros)).fullmatch


@memoized(1024)
def _meaning(text: str) -> TargetCondition:
    reader = _Reader(text)
    value = reader.read()
    if reader.kind in _SAME_FOR_ALL:
        return _same_for_all(value[-1], reader.kind)
    every = (*targets(), _HOST)
    can_hold = value if _UNKNOWN not in value else [one is _UNKNOWN or one for one in value]
    holds = frozenset(compress(every, _of_each(can_hold)))
    fails = frozenset(compress(every, map(operator.not_, _of_each(value))))
    constant = None if holds and fails else bool(holds)
    on_host = (_HOST in holds, _HOST in fails)
    return TargetCondition(_restricted(holds), _restricted(fails), *on_host, constant, reader.kind)


def _same_for_all(value: _Number, kind: str) -> TargetCondition:
    """The meaning of a condition whose value depends on no target."""
    can_hold, can_fail = value is _UNKNOWN or bool(value), not value
    constant = None if can_hold and can_fail else can_hold
    nowhere: frozenset[str] = frozenset()
    return TargetCondition(
        None if can_hold else nowhere, None if can_fail else nowhere, can_hold, can_fail, constant, kind
    )


def intersection(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    """The targets in both sets, where None is the set of all."""
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _restricted(found: frozenset[str]) -> frozenset[str] | None:
    devices = found - {_HOST}
    return None if len(devices) == len(targets()) else devices


_UNKNOWN_FOR_ALL: _Value = (_UNKNOWN,)


def _of_each(value: Sequence[_Number]) -> Iterable[_Number]:
    """A value for each target, also of one that is the same for all."""
    return value if len(value) > 1 else repeat(value[0])


class _Reader:
    """Reads one expression into its values for all targets."""

    def __init__(self, text: str) -> None:
        self.kind = "other"
        self._tokens = [found for found in _TOKEN.finditer(text) if found.lastgroup]
        self._signs = [*[token[0] for token in self._tokens], ""]
        self._at = 0
        self._depth = 0

    def read(self) -> _Value:
        if len(self._tokens) > _MOST_TOKENS:
            return _UNKNOWN_FOR_ALL
        try:
            value = self._binary(1)
        except (IndexError, RecursionError, ValueError):
            return _UNKNOWN_FOR_ALL
        return value if self._at == len(self._tokens) else _UNKNOWN_FOR_ALL

    def _take(self, sign: str) -> bool:
        if self._signs[self._at] != sign:
            return False
        self._at += 1
        return True

    def _binary(self, lowest: int) -> _Value:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise ValueError
        left = self._unary()
        while (level := _LEVELS.get(sign := self._signs[self._at], 0)) >= lowest:
            self._at += 1
            left = _combined(sign, left, self._binary(level + 1))
        if lowest == 1 and self._take("?"):
            left = self._choice(left)
        self._depth -= 1
        return left

    def _choice(self, chosen: _Value) -> _Value:
        first = self._binary(1)
        if not self._take(":"):
            raise ValueError
        return _for_each(_chosen, chosen, first, self._binary(1))

    def _unary(self) -> _Value:
        if self._signs[self._at] not in _BEFORE_OPERAND:
            return self._atom()
        if self._take("!") or self._take("not"):
            return tuple([_UNKNOWN if one is _UNKNOWN else int(not one) for one in self._nested_unary()])
        if self._take("-"):
            return tuple([_UNKNOWN if one is _UNKNOWN else -one for one in self._nested_unary()])
        if self._take("+"):
            return self._nested_unary()
        self._at += 1
        inner = self._binary(1)
        if not self._take(")"):
            raise ValueError
        return inner

    def _nested_unary(self) -> _Value:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise ValueError
        found = self._unary()
        self._depth -= 1
        return found

    def _atom(self) -> _Value:
        token = self._tokens[self._at]
        self._at += 1
        if token["number"]:
            digits = token["number"].replace("'", "")
            return (int(digits, 16) if digits[:2] in ("0x", "0X") else int(digits, 8 if digits[0] == "0" else 10),)
        if not token["name"]:
            raise ValueError
        if token[0] in ("true", "false"):
            return (int(token[0] == "true"),)
        if token[0] == "defined":
            bracket = self._take("(")
            name = self._tokens[self._at]["name"]
            self._at += 1
            if not name or (bracket and not self._take(")")):
                raise ValueError
            return self._macro(name, is_defined=True)
        return self._macro(token[0] + self._arguments(), is_defined=False)

    def _arguments(self) -> str:
        """The arguments of a macro that is called, without spaces; empty if none is."""
        if self._signs[self._at] != "(":
            return ""
        first = self._at
        depth = 0
        while True:
            sign = self._tokens[self._at][0]
            depth += (sign == "(") - (sign == ")")
            self._at += 1
            if not depth:
                return "".join(token[0] for token in self._tokens[first : self._at])

    def _macro(self, name: str, *, is_defined: bool) -> _Value:
        table = guards()
        if name in table.numbers:
            if self.kind != "macro" or name == "__CUDA_ARCH__":
                self.kind = "__CUDA_ARCH__"
            return _number(*table.numbers[name], is_defined)
        if name.partition("(")[0] in table.toolkit:
            if self.kind == "other":
                self.kind = "toolkit"
            return _UNKNOWN_FOR_ALL
        value = _value_of_macro(name)
        if value is None:
            return _UNKNOWN_FOR_ALL
        if self.kind in _SAME_FOR_ALL:
            self.kind = "macro"
        return value


@memoized(1024)
def _value_of_macro(name: str) -> _Value | None:
    """The value of a macro that says something of the target; None of any other one."""
    for macro in guards().macros:
        if found := macro.name.fullmatch(name):
            every = named_targets(tuple(one.replace("#", found[1]) if found.groups() else one for one in macro.targets))
            return _membership(every, macro.is_exact)
    return None


@cache
def _number(kind: str, or_zero: bool, is_defined: bool) -> _Value:
    suffixes = {"architecture": ("", "a", "f"), "exact": ("a",), "family": ("a", "f")}[kind]

    def value(target: str) -> _Number:
        found = _TARGET.fullmatch(target)
        has_value = found is not None and found[2] in suffixes
        if is_defined:
            return int(has_value or or_zero)
        # An undefined name is 0 in a condition.
        return int(found[1]) * 10 if found is not None and has_value else 0

    return tuple(map(value, (*targets(), _HOST)))


def _membership(members: frozenset[str], is_exact: bool) -> _Value:
    inside = 1 if is_exact else _UNKNOWN
    return tuple([inside if target in members else 0 for target in (*targets(), _HOST)])


@memoized(512)
def named_targets(words: tuple[str, ...]) -> frozenset[str]:
    """The targets that words of the notation of ``guards.md`` mean: ``sm_90+``, ``sm_90a``, ``sm_100f+``, ``host``."""
    found = {word for word in words if word == _HOST}
    for word in words:
        if (meant := _TARGET.fullmatch(word)) is not None:
            found.update(target for target in targets() if _fits(target, int(meant[1]), meant[2], bool(meant[3])))
    return frozenset(found)


def _fits(target: str, architecture: int, suffix: str, and_later: bool) -> bool:
    found = _TARGET.fullmatch(target)
    if found is None:
        return False
    number = int(found[1])
    if suffix == "f":
        last = architecture // 10 * 10 + 9 if and_later else architecture
        return architecture <= number <= last and found[2] != ""
    if suffix and found[2] != suffix:
        return False
    return number >= architecture if and_later else number == architecture


def _for_each(operation: Callable[..., _Number], *values: _Value) -> _Value:
    """The values that an operation makes of others."""
    count = max(map(len, values))
    return tuple(map(operation, *(one if len(one) == count else repeat(one[0], count) for one in values)))


def _combined(sign: str, left: _Value, right: _Value) -> _Value:
    operation = _LOGIC.get(sign) or _ARITHMETIC[sign]
    if sign not in _LOGIC and (_UNKNOWN in left or _UNKNOWN in right):
        known = operation

        def operation(one: _Number, other: _Number) -> _Number:
            return _UNKNOWN if one is _UNKNOWN or other is _UNKNOWN else known(one, other)

    return _for_each(operation, left, right)


def _chosen(condition: _Number, first: _Number, second: _Number) -> _Number:
    return _UNKNOWN if condition is _UNKNOWN else first if condition else second


def _either(one: _Number, other: _Number) -> _Number:
    if one or other:
        return 1
    return _UNKNOWN if one is _UNKNOWN or other is _UNKNOWN else 0


def _both(one: _Number, other: _Number) -> _Number:
    if one == 0 or other == 0:
        return 0
    return _UNKNOWN if one is _UNKNOWN or other is _UNKNOWN else 1


_LOGIC: dict[str, Callable[[_Number, _Number], _Number]] = {"||": _either, "or": _either, "&&": _both, "and": _both}
_ARITHMETIC: dict[str, Callable[..., _Number]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "not_eq": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda one, other: one // other if other else _UNKNOWN,
    "%": lambda one, other: one % other if other else _UNKNOWN,
}
"""Of known numbers."""
