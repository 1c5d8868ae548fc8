"""Hover of addresses: base and offset, state space, size and alignment of the access."""

from __future__ import annotations

from collections.abc import Iterable

from ptx_lsp.analysis.cursor.cursor import touched
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.accesses import extents
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.storage import layout_of
from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.analysis.synchronization.ordering_facts import is_in_tensor_memory
from ptx_lsp.features.hover.parts.counts import counted
from ptx_lsp.features.hover.parts.declaration_text import declaration
from ptx_lsp.features.hover.parts.expression_text import address_note
from ptx_lsp.features.hover.parts.hover_info import HoverInfo, line_link
from ptx_lsp.features.hover.parts.operand_rows import GENERIC, words_of
from ptx_lsp.features.hover.parts.operand_types import type_in_words
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind
from ptx_lsp.text import Span


def bracketed(semantics: Semantics, offset: int) -> HoverInfo | None:
    """Return the hover of the address whose bracket, sign or offset is at ``offset``; or of the guard at its ``@``."""
    found = touched(semantics.module, offset)
    if found is None:
        return None
    context, token, base = found
    tree = context.instruction
    if tree is None:
        return None
    if tree.guard is not None and token < tree.opcode_tokens[0]:
        return _guard(context, tree, base)
    for at, operand in enumerate(tree.operands):
        if operand.first <= token < operand.last and (operand.kind is OperandKind.ADDRESS or operand.indexed):
            return _address(semantics, context, operand, at, base)
    return None


def _guard(context: StatementContext, tree: Instruction, base: int) -> HoverInfo | None:
    guard = tree.guard
    if guard is None:
        return None
    span = Span(context.span(0).start, context.span(guard.name).end).shifted(base)
    name, when = context.word(guard.name), "false" if guard.negated else "true"
    text = f"guard: threads for which `{name}` is {when} execute the instruction, the others skip it"
    symbol = context.symbols.get(guard.name)
    return HoverInfo(span, code=(declaration(symbol),) if symbol is not None else (), lead=(text,))


def _address(semantics: Semantics, context: StatementContext, operand: Operand, at: int, start: int) -> HoverInfo:
    match = context.match
    span = context.operand_span(operand).shifted(start)
    base = operand.parts[0] if operand.kind is OperandKind.ADDRESS and operand.parts else operand
    words, facts = "", []
    spaces = catalogue().vocabulary.spaces
    written: Iterable[str] = context.instruction.opcode if context.instruction is not None else ()
    if match is not None and at < len(match.roles) and match.roles[at]:
        words = words_of(context, match, match.roles[at])
        kind = type_in_words(context, match, match.roles[at], operand).split(" or ")
        written = () if words.startswith(GENERIC) else [word for word in kind if word in spaces] or written
    space = next((word for word in written if word in spaces), "")
    if space:
        lead = [f"address in `{space}`: {spaces[space].words}"]
    elif words and match is not None and is_in_tensor_memory(match, match.roles[at]):
        lead, words = [words], ""
    else:
        lead = ["generic address: the address determines the state space"]
    size, align = next((sizes for one, *sizes in extents(context) if one == operand), (0, 0))
    if size:
        facts.append(f"{counted(size, 'byte')} {'are' if size > 1 else 'is'} accessed")
    if align > 1:
        facts.append(f"it must be a multiple of {align}")
    notes = [address_note(semantics, context, operand), "; ".join(facts), _base(context, base, size)]
    if words and "address" not in words:
        notes.insert(0, words)
    code = (" ".join(context.text_of(operand).split()),)
    return HoverInfo(span, code=code, lead=tuple(lead), notes=tuple(filter(None, notes)))


def _base(context: StatementContext, base: Operand, size: int) -> str:
    """Return the bytes of the variable that are accessed, or the base register with its offset."""
    symbol = context.symbols.get(base.name) if base.name >= 0 else None
    if symbol is None:
        return ""
    offset = evaluate(context.statement, base.offset) if base.offset is not None else 0
    if not isinstance(offset, int):
        return ""
    if base.indexed:
        offset *= size
    name = context.word(base.name)
    if symbol.kind is SymbolKind.REGISTER:
        shown = f" {'+' if offset > 0 else '-'} {abs(offset)}" if offset else ""
        return f"`{name}{shown}`: a `{symbol.type}` register with an offset" if offset else ""
    layout = layout_of(symbol)
    if layout is None:
        return ""
    line = line_link(context.module.positions.line_of(symbol.place))
    total = f" of the {counted(layout.size, 'byte')}" if layout.size is not None else ""
    last = f" to {offset + size - 1}" if size > 1 else ""
    outside = layout.size is not None and (offset < 0 or offset + max(size, 1) > layout.size)
    noun = "bytes" if last else "byte"
    return f"{'✗ outside: ' if outside else ''}{noun} {offset}{last}{total} of `{name}` ({line})"
