"""The findings function by function, so that who shows them makes only those of edited functions again.

Where a function stands in the text is not part of its state: an edit before it moves its findings with it.
"""

from __future__ import annotations

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.diagnostic import Diagnostic
from ptx_lsp.named_tuples import NamedTuple


class FunctionState(NamedTuple):
    """The records from which the findings in a function are made."""

    generation: int
    """Increases when findings anywhere may be others."""
    of_statements: object
    of_flow: object

    def is_same(self, other: FunctionState) -> bool:
        """Whether the findings are the same, relative to the start of the function."""
        return (
            self.generation == other.generation
            and self.of_statements is other.of_statements
            and self.of_flow is other.of_flow
        )


class FunctionFindings(NamedTuple):
    """A function in which something is found."""

    function: Function
    state: FunctionState
    structural: list[Diagnostic]
    """The findings in heads, declarations and braces, in document offsets. They are not part of the state."""


def in_order(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Findings in the order of their places; those at one place by code, then the most severe first."""
    return sorted(diagnostics, key=lambda one: (one.span.start, one.code, one.severity))
