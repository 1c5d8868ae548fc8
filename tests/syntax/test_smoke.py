"""The layer in one look: a text becomes chunks of statements, each with a shape."""

from __future__ import annotations

from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.kind import Kind


def test_a_module_becomes_statements() -> None:
    text = ".version 8.5\n.target sm_90\n.visible .entry k()\n{\n\t.reg .b32 %r<2>;\n\tmov.u32 %r1, 0; // zero\n\tret;\n}\n"
    document = Document(text)
    statements = [chunk.statement(index) for chunk in document.chunks for index in range(len(chunk))]
    assert "".join(statement.text for statement in statements) == text
    assert [statement.kind for statement in statements] == [
        Kind.HEADER,
        Kind.HEADER,
        Kind.FUNCTION,
        Kind.OPEN,
        Kind.REGISTERS,
        Kind.INSTRUCTION,
        Kind.INSTRUCTION,
        Kind.CLOSE,
        Kind.EMPTY,
    ]
