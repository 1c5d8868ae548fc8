"""Reads a page or the shared vocabulary from Markdown into records, strictly. Used where nothing compiled is at hand."""

from __future__ import annotations

from functools import cache

from ptx_lsp.isa.assemble import Assembler
from ptx_lsp.isa.files import read_grammar
from ptx_lsp.isa.instruction import Instruction
from ptx_lsp.isa.notation import read_fence
from ptx_lsp.isa.page import read_isa_fence, read_page
from ptx_lsp.isa.shared import Shared, read_shared
from ptx_lsp.isa.source import Body
from ptx_lsp.isa.strict import check_forms, check_lines
from ptx_lsp.isa.target_names import target_names

SHARED_PATH = "vocabulary/shared.md"


@cache
def shared_body() -> Body:
    """The lines that hold for the forms of all pages."""
    text = read_isa_fence(read_grammar(SHARED_PATH), SHARED_PATH)
    return read_fence(text, SHARED_PATH, target_names()).common


@cache
def load_shared() -> Shared:
    """The lists that all forms share."""
    return read_shared(shared_body(), SHARED_PATH)


def load_instruction(path: str, text: str | None = None) -> Instruction:
    """Read one page.

    Args:
        path: the page in the grammar folder: ``isa/memory/ld.md``.
        text: its text; by default the file's.

    Raises:
        PageError: with file, line and column of what is wrong.
    """
    page = read_page(read_grammar(path) if text is None else text, path)
    fence = read_fence(page.fence, path, target_names())
    assembler = Assembler(path, page.names, fence, shared_body())
    forms = assembler.forms()
    check_lines(path, page, fence, assembler.used)
    check_forms(path, page, fence, forms, load_shared())
    return Instruction(page.names, page.title, path, tuple(forms), load_shared())
