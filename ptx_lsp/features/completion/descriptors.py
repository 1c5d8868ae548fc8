"""Descriptor templates, for a descriptor operand or a move into a register used as one.

Source: the tables of templates on the pages of grammar/layouts.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ptx_lsp.analysis.descriptors.packed_operands import is_looked_at
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.operand_request import LIKELY, OperandRequest
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.vocabulary.register_types import BITS
from ptx_lsp.layouts.decode import decode
from ptx_lsp.layouts.layout import Layout
from ptx_lsp.layouts.layout_lookup import layout_of
from ptx_lsp.layouts.templates import templates
from ptx_lsp.syntax.tree import OperandKind

_DETAIL = 20
"""The maximum width of the detail, in columns."""
_MOST_USES = 64
"""The maximum number of instructions examined that use one register."""
_Wanted = tuple[Layout, frozenset[str]]


def descriptors(request: OperandRequest) -> Iterator[Item]:
    """Yield the templates of the descriptor at the cursor that are legal in all instructions that use it."""
    found = _here(request) or _moved(request)
    wanted = list({(layout.name, spelling): (layout, spelling) for layout, spelling in found}.values())
    if not wanted:
        return
    layout, spelling = wanted[0]
    for template, reading in templates(layout, spelling):
        if any(other is not layout or decode(layout, reading.value, words).findings for other, words in wanted[1:]):
            continue
        if request.takes(ActualOperand("integer", value=reading.value)):
            detail = reading.short if len(reading.short) <= _DETAIL else ""
            key = ("descriptor", layout.name, template.name, reading.digits, " ".join(sorted(spelling)))
            yield request.item(reading.digits, ItemKind.VALUE, LIKELY, detail, key=key)


def _here(request: OperandRequest) -> list[_Wanted]:
    """Return the layout of the operand at the cursor."""
    opcode = request.draft.tree.opcode
    if not is_looked_at(opcode) or len(request.draft.path) > 1:
        return []
    spelling = frozenset((*opcode, str(request.place.context.module.target)))
    for form in request.draft.forms:
        for one in request.wanted:
            if one.fitting in form.fittings and one.name and not one.is_base:
                for name in form.instruction.names:
                    layout = layout_of(name, one.name, spelling)
                    if layout is not None:
                        return [(layout, spelling)]
    return []


def _moved(request: OperandRequest) -> list[_Wanted]:
    """Return the layouts of the descriptors into which the moved operand at the cursor flows."""
    draft, place = request.draft, request.place
    tree = draft.tree
    if tree.opcode[0] != "mov" or draft.path != (1,) or tree.operands[0].kind is not OperandKind.NAME:
        return []
    width = next((BITS[word] for word in tree.opcode[1:] if word in BITS), 0)
    if width not in (32, 64):
        return []
    context = place.context
    values = request.semantics.packed(context.function)
    name = draft.statement.word(tree.operands[0].name)
    found = list(islice(values.becomes(context.chunk, context.index, name), _MOST_USES))
    if not found:
        found = list(values.made_in(context.chunk, context.index))
    return [(packed.layout, packed.spelling) for _, packed in found if packed.layout.width == width]
