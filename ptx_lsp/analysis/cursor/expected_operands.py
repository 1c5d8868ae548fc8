"""The operands that the forms of an unfinished instruction expect at the cursor."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.cursor.completed_statement import CompletedStatement
from ptx_lsp.isa.matching.fitting import Fitting
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.form import FormOperand
from ptx_lsp.isa.model.operand_pattern import Alternative
from ptx_lsp.named_tuples import NamedTuple


class ExpectedOperand(NamedTuple):
    """The operand that one form expects, for one set of optional operands."""

    fitting: Fitting
    operand: FormOperand | None
    """The operand of the form at the cursor, brackets included; None for an element of a vector."""
    alternatives: tuple[Alternative, ...]
    """The alternatives at the cursor; empty for an address without brackets."""
    name: str
    """Its name on the page."""
    is_written: bool
    is_base: bool = False
    """Whether it is the first part of an address."""


def expected_operands(draft: CompletedStatement) -> Iterator[ExpectedOperand]:
    """The expected operands at the cursor, form by form, for forms that accept the operands before it."""
    for form in draft.forms:
        for fitting in form.fittings:
            if accepts_operands_before(fitting, draft):
                operand = fitting.operands()[draft.path[0]]
                yield from _inside(fitting, operand, draft.path[1:], is_written=fitting.is_written(operand))


def accepts_operands_before(fitting: Fitting, draft: CompletedStatement) -> bool:
    """Whether a form with these optional operands accepts the operands before the cursor and the brackets around it."""
    operands, at = fitting.operands(), draft.path[0]
    if at >= len(operands) or len(operands) < len(draft.written) and draft.is_whole:
        return False
    plain = [_without_selector(one) for one in draft.before]
    return all(map(fitting.accepts, operands, plain)) and _opens(fitting, operands[at], draft.written[at])


def _without_selector(written: ActualOperand) -> ActualOperand:
    return written._replace(selector="") if written.selector else written


def _opens(fitting: Fitting, operand: FormOperand, written: ActualOperand) -> bool:
    """Whether an operand can begin with the bracket at the cursor."""
    if written.kind not in ("vector", "address", "arguments") or operand.kind == written.kind:
        return True
    return written.kind == "vector" and any(one.length or one.elements for one in _alternatives(fitting, operand.name))


def _inside(
    fitting: Fitting, operand: FormOperand, path: tuple[int, ...], *, is_written: bool
) -> Iterator[ExpectedOperand]:
    """The expected operands at a path inside an operand."""
    if not path:
        spaces = () if operand.kind != "name" else _alternatives(fitting, operand.name)
        yield ExpectedOperand(fitting, operand, spaces, operand.name, is_written)
    elif path[0] < 0:
        if operand.pair and fitting.wants_pair(operand):
            yield ExpectedOperand(fitting, None, _alternatives(fitting, operand.pair), operand.pair, is_written=True)
    elif operand.kind in ("address", "vector"):
        parts = fitting.operands(operand.parts)
        if operand.kind == "address" and path == (0,):
            yield ExpectedOperand(
                fitting, None, tuple(fitting.spaces(operand)), operand.name, is_written=False, is_base=True
            )
        elif path[0] < len(parts):
            yield from _inside(fitting, parts[path[0]], path[1:], is_written=is_written)
    elif operand.kind == "name" and len(path) == 1:
        for one in _alternatives(fitting, operand.name):
            if one.length is not None:
                yield ExpectedOperand(fitting, None, (one._replace(length=None),), operand.name, is_written)
            elif path[0] < len(one.elements):
                yield ExpectedOperand(fitting, None, one.elements[path[0]].alternatives, operand.name, is_written)


def _alternatives(fitting: Fitting, name: str) -> tuple[Alternative, ...]:
    return tuple(one for kind in fitting.kinds(name) for one in kind.alternatives)
