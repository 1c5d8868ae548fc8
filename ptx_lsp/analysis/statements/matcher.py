"""Matching of instruction statements to forms, cached by shape and meanings of the names."""

from __future__ import annotations

from collections.abc import Hashable

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.operands import has_float_offset, read_operands
from ptx_lsp.analysis.statements.role_misuse import Meanings, role_misuses, role_needs
from ptx_lsp.analysis.statements.value_limits import computes, constant_classes, ignores_values, value_constants
from ptx_lsp.analysis.symbols.symbols import OPERANDS
from ptx_lsp.derived_values import Deriving
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.match import fitting, match
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.process_cache import Bound, RecentlyUsed, memoized
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction

_ANSWERS = Bound(1 << 12)
"""Of answers by shape and meanings of names, of all matchers: two thousand for a million lines of many files."""
_MATCHES = Bound(1 << 11)
"""Of matches, which take a kilobyte each; a large module has less than a thousand."""


class Matcher(Deriving):
    """A matcher for one version and target, with caches by shape and operand codes of the names."""

    def __init__(self, version: Version, target: Target) -> None:
        self.version = version
        self.target = target
        self._fine: RecentlyUsed[tuple[int, ...], bool] = RecentlyUsed(_ANSWERS)
        self._fitting: RecentlyUsed[tuple[int, ...], bool] = RecentlyUsed(_ANSWERS)
        self._matches: RecentlyUsed[tuple[int, ...], Match | None] = RecentlyUsed(_MATCHES)
        self._of_forms: RecentlyUsed[tuple[int, ...], Match | None] = RecentlyUsed(_MATCHES)
        """Only those that fit: to find the nearest form of another statement takes ten times as long."""
        self._of_values: RecentlyUsed[tuple[Hashable, ...], Match | None] = RecentlyUsed(_MATCHES)
        """By the classes of the constants too: few of them are different."""

    def is_fine(self, shape: Shape, codes: tuple[int, ...], statement: Statement) -> bool:
        """Whether statements of this shape whose used names have ``codes`` are valid.

        ``statement`` is any statement of the shape; its constants are ignored.
        """
        key = (shape.id, *codes)
        try:
            return self._fine[key]
        except KeyError:
            fine = self._fine[key] = self._judge(shape, codes, statement)
            return fine

    def is_known_fine(self, key: tuple[int, ...]) -> bool:
        """Whether :meth:`is_fine` was asked about a shape and codes, given as one key, and held."""
        try:
            return self._fine[key]
        except KeyError:
            return False

    def is_fine_but_for_names(self, shape: Shape, codes: tuple[int, ...], statement: Statement) -> bool:
        """Whether :meth:`is_fine` holds apart from names without a meaning (code 0)."""
        key = (shape.id, *codes)
        try:
            return self._fitting[key]
        except KeyError:
            fitting = self._fitting[key] = self._fits(shape, codes, statement)
            return fitting

    def _judge(self, shape: Shape, codes: tuple[int, ...], statement: Statement) -> bool:
        return not isinstance(shape.tree, Instruction) or 0 not in codes and self._fits(shape, codes, statement)

    def _fits(self, shape: Shape, codes: tuple[int, ...], statement: Statement) -> bool:
        tree = shape.tree
        assert isinstance(tree, Instruction)
        if tree.guard is not None and codes[0] and OPERANDS[codes[0]].type != ".pred":
            return False
        if any(has_float_offset(operand) for operand in tree.operands):
            return False
        meaning = meanings(shape, codes)
        if any(role_misuses(tree, meaning, self.version)) or any(role_needs(tree, meaning, self.version, self.target)):
            return False
        found = self.fitting(shape, codes, statement)
        if found is None:
            return catalogue().is_listed_only(tree.opcode)
        return not found.notes

    def fitting(self, shape: Shape, codes: tuple[int, ...], statement: Statement) -> Match | None:
        """The form that a statement fits whatever its constants are; None if it fits none."""
        key = (shape.id, *codes)
        try:
            return self._of_forms[key]
        except KeyError:
            tree = shape.tree
            assert isinstance(tree, Instruction)
            operands = read_operands(shape, codes, statement, None)
            found = self._of_forms[key] = fitting(tree.opcode, operands, self.version, self.target)
            return found

    def match(self, shape: Shape, codes: tuple[int, ...], statement: Statement, *, values: bool) -> Match | None:
        """The form that a statement fits, or the nearest; None for an opcode without a page.

        With ``values`` the constants of ``statement`` must also be in range. The operands of the answer may have the
        constants of another statement, about which the answer is the same.
        """
        if values:
            words = [statement.word(token) for token in value_constants(shape)]
            classes = words if words and computes(shape) else constant_classes(shape.opcode, words)
            of_values: tuple[Hashable, ...] = (shape.id, *codes, *classes)
            try:
                return self._of_values[of_values]
            except KeyError:
                found = self._of_values[of_values] = self._matched(shape, codes, statement, statement)
                return found
        key = (shape.id, *codes)
        try:
            return self._matches[key]
        except KeyError:
            found = self._matches[key] = self._matched(shape, codes, statement, None)
            return found

    def _matched(
        self, shape: Shape, codes: tuple[int, ...], representative: Statement, statement: Statement | None
    ) -> Match | None:
        tree = shape.tree
        assert isinstance(tree, Instruction)
        if ignores_values(tree.opcode):
            statement = None  # without the values, the answer is the same for most of these statements
        operands = read_operands(shape, codes, representative, statement)
        return match(tree.opcode, operands, self.version, self.target)


def meanings(shape: Shape, codes: tuple[int, ...]) -> Meanings:
    """The operand meanings of the names of a statement, by token, given the codes of ``shape.names``."""
    by_token = {token: OPERANDS[code] for (token, _), code in zip(shape.names, codes, strict=True)}
    return lambda token: by_token.get(token, OPERANDS[0])


def matcher_of(module: Module) -> Matcher:
    """The matcher of a module's version and target."""
    return matcher(module.version, module.target)


@memoized(64)  # statements of inline assembly are compared for a score of targets by turns
def matcher(version: Version, target: Target) -> Matcher:
    """The matcher for a version and target, shared by all modules."""
    return Matcher(version, target)
