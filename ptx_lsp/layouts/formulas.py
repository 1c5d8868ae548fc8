"""Simplification of the formulas of the pages: substitution of known names, constant folding, minimal parentheses."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized

_SUM, _PRODUCT, _MASK = 2, 3, 1
_SIGNS: dict[type, tuple[str, int]] = {
    ast.Add: (" + ", _SUM), ast.Mult: ("*", _PRODUCT), ast.Div: ("/", _PRODUCT), ast.FloorDiv: ("/", _PRODUCT),
    ast.Mod: ("%", _PRODUCT), ast.BitAnd: (" & ", _MASK),
}  # fmt: skip


class SimplifiedFormula(NamedTuple):
    """A formula as the sum of terms and a constant."""

    terms: str
    constant: int

    def __str__(self) -> str:
        if not self.terms:
            return str(self.constant)
        return f"{self.terms} + {self.constant}" if self.constant else self.terms


def simplified(formula: str, **known: int) -> SimplifiedFormula:
    """Simplify a formula with values substituted for some names.

    >>> str(simplified("4*e*(i/(2*e)) + e*t + i%e", e=2)), str(simplified("4*e*(i/(2*e)) + e*t + i%e", e=2, i=5))
    ('8*(i/4) + 2*t + i%2', '2*t + 9')
    """
    return _simplified(formula, tuple(sorted(known.items())))


@memoized(1024)
def _simplified(formula: str, known: tuple[tuple[str, int], ...]) -> SimplifiedFormula:
    terms = _terms(ast.parse(formula, mode="eval").body, dict(known))
    constant = sum(term for term in terms if isinstance(term, int))
    others = [term for term in terms if not isinstance(term, int)]
    outside = _SUM if constant or len(others) > 1 else 0
    return SimplifiedFormula(" + ".join(_text(term, outside) for term in others), constant)


def _terms(node: ast.expr, known: Mapping[str, int]) -> list[ast.expr | int]:
    """The summands of an expression."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _terms(node.left, known) + _terms(node.right, known)
    return [_folded(node, known)]


def _folded(node: ast.expr, known: Mapping[str, int]) -> ast.expr | int:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.Name(id=name):
            return known.get(name, node)
        case ast.BinOp(left=left, op=op, right=right):
            return _joined(_folded(left, known), op, _folded(right, known))
    return node


def _joined(left: ast.expr | int, op: ast.operator, right: ast.expr | int) -> ast.expr | int:
    match op, left, right:
        case (ast.Add(), int(), int()):
            return left + right
        case (ast.Mult(), int(), int()):
            return left * right
        case (ast.Div() | ast.FloorDiv(), int(), int()):
            return left // right
        case (ast.Mod(), int(), int()):
            return left % right
        case (ast.BitAnd(), int(), int()):
            return left & right
        case (ast.Mult(), 0, _) | (ast.Mult(), _, 0) | (ast.Mod(), _, 1):
            return 0
        case (ast.Mult() | ast.Add(), 1 | 0, _) if left == isinstance(op, ast.Mult):
            return right
        case (ast.Mult() | ast.Div() | ast.FloorDiv(), _, 1) | (ast.Add(), _, 0):
            return left
    return ast.BinOp(_node(left), op, _node(right))


def _node(value: ast.expr | int) -> ast.expr:
    return ast.Constant(value) if isinstance(value, int) else value


def _text(node: ast.expr, outside: int) -> str:
    if not isinstance(node, ast.BinOp):
        return ast.unparse(node)
    sign, strength = _SIGNS[type(node.op)]
    text = _text(node.left, strength) + sign + _text(node.right, strength + 1)
    return f"({text})" if strength < outside else text
