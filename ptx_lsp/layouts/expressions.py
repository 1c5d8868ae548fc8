"""Expressions over fields, in a subset of Python: comparisons, ``and or not in``, ``+ - * / % >> << &``.

``/`` is integer division, as ``//``. Names are those of fields, with ``_`` for ``-``; an unknown field makes the
result unknown.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any


class _UnknownError(Exception):
    """The value of an unknown field is needed."""


class Expression:
    """An expression, equal to those with the same text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    @cached_property
    def _tree(self) -> ast.expr:
        return ast.parse(self.text, mode="eval").body

    @cached_property
    def function(self) -> Callable[[Mapping[str, Any]], Any]:
        """The compiled expression, for hot paths; all names must be known.

        >>> Expression("16*w + i/2 % 2").function({"w": 1, "i": 3})
        17
        """
        for node in ast.walk(self._tree):
            if not isinstance(node, _ALLOWED):
                raise ValueError(f"'{ast.unparse(node)}' is not allowed in a formula")
        tree = ast.fix_missing_locations(ast.Expression(_WholeNumbers().visit(ast.parse(self.text, mode="eval").body)))
        code = compile(tree, self.text, "eval")
        return lambda names: eval(code, {"__builtins__": {}}, names)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The keys of the fields in the expression, in order."""
        found = [node for node in ast.walk(self._tree) if isinstance(node, ast.Name)]
        ordered = sorted(found, key=lambda node: node.col_offset)
        return tuple(dict.fromkeys(node.id.replace("_", "-") for node in ordered))

    def value(self, fields: Mapping[str, object]) -> object:
        """The value of the expression; None if it depends on an unknown field.

        >>> Expression("n % 16 == 0").value({"n": 24})
        False
        >>> Expression("n % 16 == 0 and swizzle == 'none'").value({"n": 24}), Expression("n < 8").value({})
        (False, None)
        """
        try:
            return _value(self._tree, fields)
        except _UnknownError:
            return None


_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.floordiv,
    ast.Mod: operator.mod,
    ast.RShift: operator.rshift,
    ast.LShift: operator.lshift,
    ast.BitAnd: operator.and_,
}
_ALLOWED = (ast.Constant, ast.Name, ast.Load, ast.BinOp, ast.Compare, ast.BoolOp, ast.operator, ast.cmpop, ast.boolop)


class _WholeNumbers(ast.NodeTransformer):
    """Replaces ``/`` by ``//``."""

    def visit_Div(self, _: ast.Div) -> ast.operator:
        return ast.FloorDiv()


_COMPARE: dict[type, Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, many: one in many,
    ast.NotIn: lambda one, many: one not in many,
}


def _value(node: ast.expr, fields: Mapping[str, object]) -> Any:
    match node:
        case ast.Constant():
            return node.value
        case ast.Name():
            found = fields.get(node.id.replace("_", "-"))
            if found is None:
                raise _UnknownError(node.id)
            return found
        case ast.Tuple():
            return tuple(_value(one, fields) for one in node.elts)
        case ast.UnaryOp(op=ast.Not()):
            return not _value(node.operand, fields)
        case ast.BinOp():
            return _BINARY[type(node.op)](_value(node.left, fields), _value(node.right, fields))
        case ast.Compare():
            return _compare(node, fields)
        case ast.BoolOp():
            return _logical(node, fields)
    raise ValueError(f"'{ast.unparse(node)}' is not allowed in a rule")


def _compare(node: ast.Compare, fields: Mapping[str, object]) -> bool:
    left = _value(node.left, fields)
    for op, comparator in zip(node.ops, node.comparators, strict=True):
        right = _value(comparator, fields)
        if not _COMPARE[type(op)](left, right):
            return False
        left = right
    return True


def _logical(node: ast.BoolOp, fields: Mapping[str, object]) -> bool:
    """``and`` and ``or``, with short-circuit over unknown parts."""
    decides = isinstance(node.op, ast.Or)
    unknown = None
    for part in node.values:
        try:
            if bool(_value(part, fields)) is decides:
                return decides
        except _UnknownError as error:
            unknown = error
    if unknown is not None:
        raise unknown
    return not decides
