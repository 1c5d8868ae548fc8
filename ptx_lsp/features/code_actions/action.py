"""A change that the user can choose, and what it is asked about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ptx_lsp.analysis.cursor.cursor import Cursor, at
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.diagnostic import Diagnostic, Edit
from ptx_lsp.text import Span

QUICK_FIX = "quickfix"
REWRITE = "refactor.rewrite"
FIX_ALL = "source.fixAll.ptx-lsp"
RAISE_HEADER = "source.raiseHeader.ptx-lsp"
LOWER_HEADER = "source.lowerHeader.ptx-lsp"
SORT_QUALIFIERS = "source.sortQualifiers.ptx-lsp"

KINDS = (QUICK_FIX, REWRITE, FIX_ALL, RAISE_HEADER, LOWER_HEADER, SORT_QUALIFIERS)
"""LSP's names of the kinds of actions that there are."""


@dataclass(frozen=True)
class CodeAction:
    """A change that the user can choose.

    What takes long to work out is worked out by ``later``, when the user has chosen it; else ``edits`` are known.
    """

    title: str
    edits: tuple[Edit, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    """The findings that it mends."""
    is_preferred: bool = False
    """Whether "fix this" should do it without asking."""
    kind: str = QUICK_FIX
    """LSP's name of the kind."""
    later: Callable[[], Iterable[Edit]] | None = field(default=None, compare=False)
    """Works out the edits, where they are not known yet."""
    disabled: str = ""
    """Why it cannot be done here; empty if it can."""

    def worked_out(self) -> tuple[Edit, ...]:
        """The edits, in the order of the text."""
        edits = self.edits if self.later is None else self.later()
        return tuple(sorted(edits, key=lambda edit: edit.span))


@dataclass(frozen=True)
class Asked:
    """What the actions are offered for."""

    semantics: Semantics
    diagnostics: Sequence[Diagnostic]
    """All findings of the text."""
    span: Span
    """The selection, or an empty span at the cursor."""
    is_automatic: bool = False
    """Whether nobody asked: the cursor came here. What costs more than a look at the statement is then left out."""

    @property
    def module(self) -> Module:
        """The functions, scopes and header of the text."""
        return self.semantics.module

    @cached_property
    def cursor(self) -> Cursor | None:
        """What the beginning of the selection touches."""
        return at(self.semantics, self.span.start)

    @cached_property
    def context(self) -> StatementContext | None:
        """The statement under the cursor, also where the cursor stands behind its last token on the same line."""
        if self.cursor is not None:
            return self.cursor.context
        module, offset = self.module, self.span.start
        if not module.document.chunks or not 0 <= offset <= module.document.length:
            return None
        for before in (0, 1):
            if not 0 <= offset - before < module.document.length:
                continue
            number, index, inside = module.document.locate(offset - before)
            chunk = module.document.chunks[number]
            context = StatementContext(module, module.function_of(chunk), chunk, index)
            if context.statement.lead <= inside:
                return context
        return None

    def start_of(self, context: StatementContext) -> int:
        """Where the text of a statement begins in the document."""
        return self.module.positions.statement_start(context.chunk, context.index)
