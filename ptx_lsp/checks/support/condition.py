"""Statements in which a rule can find something: flagged statements are shown only to the rules that may mean them.

Where each line is wrong, most of the time would go into asking sixty rules about each. What a statement is, and what
the matcher said of it, is looked at once (:func:`traits_of`), and decides for most rules.
"""

from __future__ import annotations

from ptx_lsp.analysis.statements.context import StatementContext, is_broken
from ptx_lsp.isa.model.match_result import Problem
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.tree import Targets

_NONE: frozenset[Problem] = frozenset()
_NO_CODES: frozenset[str] = frozenset()


class Traits(NamedTuple):
    """The properties of a statement on which the conditions of rules depend."""

    tree: type
    """The class of its tree; ``NoneType`` without one."""
    problems: frozenset[Problem]
    """The kinds of the mismatches and notes of its match."""
    errors: frozenset[str]
    """The codes of its syntax errors."""
    has_unknown_name: bool
    """Whether it uses a name that means nothing here: not declared, not visible, or not declared yet. A list of
    targets may always: it can name several in one word."""


class StatementCondition(NamedTuple):
    """A necessary condition for findings of a rule in a statement. The default holds for every statement."""

    trees: tuple[type, ...] = ()
    """The statement has a tree of one of these classes; empty: any or none."""
    problems: frozenset[Problem] = _NONE
    """The match of the instruction has a mismatch or note of one of these kinds; empty: whatever it has."""
    is_of_syntax: bool = False
    """The statement has a syntax error with the code of the rule."""
    is_of_names: bool = False
    """The statement uses a name that means nothing here."""

    def may_hold(self, code: str, traits: Traits) -> bool:
        """Whether a rule with this ``code`` can find something in a statement."""
        return (
            (not self.trees or issubclass(traits.tree, self.trees))
            and (not self.problems or not self.problems.isdisjoint(traits.problems))
            and (not self.is_of_syntax or code in traits.errors)
            and (not self.is_of_names or traits.has_unknown_name)
        )


def traits_of(context: StatementContext) -> Traits:
    """The properties of a statement on which the conditions of rules depend."""
    from ptx_lsp.syntax.errors import syntax_errors  # imported late: only files with flagged statements need it

    errors = syntax_errors(context.statement) if is_broken(context) else ()
    found = context.match
    return Traits(
        type(context.statement.shape.tree),
        frozenset([one.problem for one in (*found.mismatches, *found.notes)]) if found is not None else _NONE,
        frozenset([one.code for one in errors]) if errors else _NO_CODES,
        0 in context.codes or isinstance(context.statement.shape.tree, Targets),
    )
