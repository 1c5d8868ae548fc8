"""A check: the hooks of one rule file, found once and typed.

A rule file is a module with ``RULE`` and some of the hooks that :class:`Check` names. All other names of it
begin with ``_``, so that a misspelt hook is an error and not a check that is never asked.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Scope
from ptx_lsp.checks.support.finding import Finding, PlacedFinding, Rule
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.text import Span

if TYPE_CHECKING:
    from ptx_lsp.checks.support.fragment_finding import FragmentFinding
    from ptx_lsp.embedded.fragment import AsmFragment


class HookError(TypeError):
    """A rule file whose hooks do not make a check."""


class Check(NamedTuple):
    """A rule with its hooks; None for each that its file does not have."""

    name: str
    """The full name of the rule file."""
    rule: Rule
    check: Callable[[StatementContext], Iterator[Finding | None]] | None
    """Asked about a statement: one that the analysis flags, or that the filters below let through."""
    check_function: Callable[[Function], Iterator[PlacedFinding]] | None
    """Asked about a function whose head or braces have one of the faults that the rule names."""
    check_module: Callable[[Module], Iterator[PlacedFinding | None]] | None
    """Asked about the module as a whole. Its findings are in the order of their places. None among them is a pause: a
    check that looks at functions, declarations or lines of the header yields it between them."""
    module_facts: Callable[[Function], Hashable] | None
    """The facts that ``check_module`` needs of a function: its findings are kept as long as they are equal. Without
    this hook it is asked after every edit, and must not look at all functions."""
    check_flow: Callable[[Flow], Iterator[PlacedFinding | None]] | None
    """Asked about a function with a body, and with one of the instructions that the list of rules names, if any.
    None among the findings is a pause; a check that works for long yields it every few milliseconds."""
    ignores_numbers: Callable[[Flow], bool] | None
    """Whether ``check_flow``, which has found nothing in a function, finds nothing in others that differ from it only
    in the decimal numbers of instructions, such as offsets and the limits of loops."""
    check_empty: Callable[[], Iterator[Finding]] | None
    """Asked about a document without a statement."""
    accepts_shape: Callable[[Shape], Any] | None
    """Whether statements of a shape that the analysis has nothing against can be meant: None or False if they cannot.
    What it returns else is its *datum* of the shape, which ``prefilter_statement`` gets. A datum with a method
    ``ignores(digits)`` says whether another decimal literal of so many digits at most makes no difference."""
    prefilter_statement: Callable[[str, Any], bool] | None
    """Whether a statement of an accepted shape can be meant, by its text and the datum of its shape."""
    prefilter_names: Callable[[Module, Scope, Statement], bool] | None
    """Whether a statement that ``prefilter_statement`` lets through can be meant, by what its names mean."""
    prefilter_chunk: Callable[[str], bool] | None
    """Whether any statement can be meant, by the text of a whole chunk."""
    check_fragment: Callable[[AsmFragment], Iterator[FragmentFinding | None]] | None
    """Asked about a statement of inline assembly in a source of another language."""
    merge_group: Callable[[StatementContext, Span, Sequence[str]], Finding] | None
    """Makes one finding of all with the same group, from the first of them and the names of all."""

    @classmethod
    def of(cls, module: ModuleType) -> Check:
        """The check in a rule file.

        Raises:
            HookError: a public name is no hook, or a hook lacks the one that it serves.

        """
        rule = getattr(module, "RULE", None)
        if not isinstance(rule, Rule):
            raise HookError(f"{module.__name__} has no RULE")
        for name, value in vars(module).items():
            is_own = isinstance(value, (FunctionType, type)) and value.__module__ == module.__name__
            if is_own and not name.startswith("_") and name not in HOOKS:
                raise HookError(f"{module.__name__}.{name} is no hook: these are {', '.join(HOOKS)}")
        check = cls(module.__name__, rule, *(getattr(module, name, None) for name in HOOKS))
        if all(getattr(check, name) is None for name in _ASKED):
            raise HookError(f"{module.__name__} has none of {', '.join(_ASKED)}")
        if (check.check_function is not None) != bool(rule.faults):
            raise HookError(f"{module.__name__} needs check_function and a rule for faults, or neither")
        for given, needed in _NEEDED.items():
            if getattr(check, given) is not None and getattr(check, needed) is None:
                raise HookError(f"{module.__name__} has {given} and no {needed}, which it is for")
        return check

    @property
    def page(self) -> str:
        """The words of ``ptx-lsp explain``: the docstring of its first hook with one."""
        import inspect

        hooks = (getattr(self, name) for name in _ASKED)
        return next((words for hook in hooks if hook is not None and (words := inspect.getdoc(hook))), "")


_ASKED = ("check", "check_function", "check_module", "check_flow", "check_fragment")
_NEEDED = {
    "accepts_shape": "check",
    "merge_group": "check",
    "prefilter_statement": "accepts_shape",
    "prefilter_names": "accepts_shape",
    "prefilter_chunk": "accepts_shape",
    "module_facts": "check_module",
    "ignores_numbers": "check_flow",
}
"""Hooks that only serve another hook."""
HOOKS = tuple(name for name in Check._fields if name not in ("name", "rule"))
"""The names of the functions that a rule file may have."""
