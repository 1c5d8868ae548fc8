"""Refactoring: add, update or remove a comment that decodes the bits of a literal.

``mov.b32 %r1, 0x08200490;  // idesc: bf16→f32 M128 N128``
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.cursor.cursor import Cursor, CursorKind
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.diagnostic import Edit
from ptx_lsp.features.code_actions.action import REWRITE, ActionRequest, CodeAction
from ptx_lsp.features.code_actions.descriptors import descriptor_at
from ptx_lsp.features.code_actions.statement_lines import end_offset
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.layouts.decode import decode
from ptx_lsp.layouts.layout_lookup import layout_of
from ptx_lsp.layouts.load import layouts
from ptx_lsp.layouts.lop3 import expression_of
from ptx_lsp.layouts.selectors import byte_list, describe_selection, modes, selected_bytes
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.constants import integer_or_none
from ptx_lsp.syntax.tree import Instruction, OperandKind
from ptx_lsp.text import Span

_LONGEST_LINE = 4096
_LARGEST_TABLE = 0xFF
_BLANKS = "  "


class _Meaning(NamedTuple):
    """The decoded meaning of a literal."""

    value: int
    about: str
    """The prefix of the comment: ``idesc``."""
    text: str
    digits: int
    """The minimum number of hexadecimal digits."""


def field_comments(request: ActionRequest) -> Iterator[CodeAction]:
    """Offer the actions for the comment. They use data flow in the function, so only on explicit request."""
    cursor = request.cursor
    if (
        request.is_automatic
        or cursor is None
        or cursor.what is not CursorKind.NUMBER
        or cursor.context.statement.shape.errors
    ):
        return
    tree = cursor.context.instruction
    if tree is None:
        return
    end = end_offset(request.module, cursor.context)
    rest = _rest_of_line(request.module, end)
    if rest.strip() and _OURS.match(rest) is None:
        return
    trailing = Span(end, end + len(rest.rstrip()))
    if rest.strip():
        yield CodeAction("remove the comment with its meaning", (Edit(trailing, ""),), kind=REWRITE)
    found = _meaning(cursor, tree)
    if found is None:
        return
    comment = f"{_BLANKS}// {found.about}: {found.text}"
    if rest.strip():
        if rest.strip() != comment.strip():
            yield CodeAction("update the comment with its meaning", (Edit(trailing, comment),), kind=REWRITE)
        return
    digits = f"0x{found.value:0{found.digits}x}"
    edits = [Edit(trailing, comment)]
    if cursor.word[:2].lower() != "0x":
        edits.insert(0, Edit(cursor.span, digits))
        title = f"write '{digits}' with its meaning in a comment"
    else:
        title = "write its meaning in a comment"
    yield CodeAction(title, tuple(edits), kind=REWRITE)


def _rest_of_line(module: Module, offset: int) -> str:
    document = module.document
    text = document.slice(Span(offset, min(offset + _LONGEST_LINE, document.length)))
    return text.partition("\n")[0].rstrip("\r")


def _own_names() -> str:
    return "|".join(map(re.escape, (*layouts(), "prmt", "lop3")))


_OURS = re.compile(rf"[ \t]*// (?:{_own_names()}): [^\r\n]*$")
"""Matches a comment that this action wrote."""


def _meaning(cursor: Cursor, tree: Instruction) -> _Meaning | None:
    """Return the decoded meaning of the literal under the cursor."""
    context = cursor.context
    value = integer_or_none(cursor.word)
    at = next((at for at, one in enumerate(tree.operands) if one.first <= cursor.token < one.last), None)
    if value is None or at is None or tree.operands[at].kind is not OperandKind.INTEGER or tree.operands[at].sign:
        return None
    written = [" ".join(context.text_of(one).split()) for one in tree.operands]
    if tree.opcode[0] == "lop3" and at == 4 and value <= _LARGEST_TABLE:
        return _Meaning(value, "lop3", expression_of(value, written[1:4]), 2)
    if tree.opcode[0] == "prmt" and at == 3:
        mode = next((word for word in tree.opcode if word in modes()), "")
        bytes_ = selected_bytes(
            value, mode, [name for name, text in zip("ab", written[1:3], strict=True) if text == "0"]
        )
        meaning = describe_selection(bytes_)
        return _Meaning(value, "prmt", byte_list(bytes_) + (f", {meaning}" if meaning else ""), 4)
    found = descriptor_at(cursor, cursor.semantics.packed(context.function))
    if found is not None:
        packed, _ = found
        reading = decode(packed.layout, value, packed.spelling)
        if reading.findings:
            return None
        return _Meaning(value, packed.layout.name, reading.short or reading.summary, packed.layout.width // 4)
    match = context.match
    role = match.roles[at] if match is not None and at < len(match.roles) else ""
    spelling = frozenset((*tree.opcode, str(context.module.target)))
    named = (one for one in catalogue().vocabulary.named_values if role and one.is_for(role, tree.opcode))
    means = next((one.means for one in named if int(one.text, 16) == value), "")
    for name in match.instruction.names if match is not None and role else ():
        layout = layout_of(name, role, spelling)
        if layout is not None:
            reading = decode(layout, value, spelling)
            is_legal = not reading.findings and all(one.meaning is not None for one in reading.fields)
            return _Meaning(value, layout.name, means or reading.summary, 1) if is_legal else None
    return None
