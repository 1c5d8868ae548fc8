"""Sort qualifiers in the manual's order, for one instruction or the whole file."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.rules.style import documented_order
from ptx_lsp.diagnostic import Edit
from ptx_lsp.features.code_actions.action import REWRITE, SORT_QUALIFIERS, ActionRequest, CodeAction
from ptx_lsp.syntax.shape import SHAPES


def sort_here(request: ActionRequest) -> Iterator[CodeAction]:
    """Sort the qualifiers of the instruction under the cursor; omitted if a finding's fix does so."""
    context = request.context
    if context is None or context.instruction is None or not documented_order.accepts_shape(context.statement.shape):
        return
    start = request.start_of(context)
    if any(
        one.code == documented_order.RULE.code and _is_in(one.span.start - start, context)
        for one in request.diagnostics
    ):
        return
    for finding in documented_order.check(context):
        fix = finding.diagnostic.fixes[0].shifted(start)
        yield CodeAction(fix.title, fix.edits, kind=REWRITE)


def _is_in(offset: int, context: StatementContext) -> bool:
    return 0 <= offset < len(context.statement.text)


def sorted_everywhere(request: ActionRequest) -> Iterator[CodeAction]:
    """Sort the qualifiers of all instructions of the file."""
    if any(_watched(request)):
        title = "write all qualifiers in the manual's order"
        yield CodeAction(title, kind=SORT_QUALIFIERS, compute_edits=lambda: _sorted(request))


def _watched(request: ActionRequest) -> Iterator[StatementContext]:
    """Yield the instructions whose qualifier order matches no page."""
    module = request.module
    known: dict[int, bool] = {}
    for function in module.functions:
        for chunk in function.chunks:
            for index, number in enumerate(chunk.shapes):
                if number not in known:
                    shape = SHAPES[number]
                    known[number] = not shape.errors and bool(shape.opcode) and documented_order.accepts_shape(shape)
                if known[number]:
                    yield StatementContext(module, function, chunk, index)


def _sorted(request: ActionRequest) -> Iterator[Edit]:
    for context in _watched(request):
        for finding in documented_order.check(context):
            yield from finding.diagnostic.fixes[0].shifted(request.start_of(context)).edits
