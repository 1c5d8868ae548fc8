"""Quick fix: replace an expression in place of ``lop3``'s look-up table, which must be a number, by that number.

Source: Logic and Shift Instructions: lop3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.diagnostic import Diagnostic, Edit
from ptx_lsp.features.code_actions.action import ActionRequest, CodeAction
from ptx_lsp.layouts.lop3 import in_letters, table
from ptx_lsp.text import Span

_LOP3 = re.compile(r"\s*(?:@!?[%$\w]+\s+)?lop3\.[\w.]+\s+[^,;]+,([^,;]+),([^,;]+),([^,;]+),\s*([^,;/]*[^,;/\s])\s*[,;]")
_OPERATOR = re.compile(r"[~&^|?]")


def logic_expressions(request: ActionRequest, here: list[Diagnostic]) -> Iterator[CodeAction]:
    """Offer the table value of the expression, if it can be parsed."""
    context = request.context
    if context is None or not context.statement.shape.errors:
        return
    lead = context.statement.lead
    found = _LOP3.match(context.statement.text, lead)
    if found is None or not _OPERATOR.search(found[4]):
        return
    *operands, text = found.groups()
    try:
        number = table(in_letters(text, operands))
    except ValueError:
        return
    span = Span(*found.span(4)).shifted(request.start_of(context))
    fixed = tuple(one for one in here if span.start <= one.span.start <= span.end)
    if fixed:
        yield CodeAction(f"write '0x{number:02X}'", (Edit(span, f"0x{number:02X}"),), fixed, is_preferred=True)
