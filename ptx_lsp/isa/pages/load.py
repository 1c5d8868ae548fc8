"""Reads a page or the shared vocabulary from Markdown into records, strictly: where nothing compiled is at hand."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from ptx_lsp.grammar_files import read_grammar
from ptx_lsp.isa.model.form import InstructionForm, literals
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.shared import ORDER_CLASSES, WORD_LISTS, Shared
from ptx_lsp.isa.pages.assemble import Assembler
from ptx_lsp.isa.pages.notation import read_fence
from ptx_lsp.isa.pages.page import read_isa_fence, read_page
from ptx_lsp.isa.pages.source import Body, PageError
from ptx_lsp.isa.vocabulary.target_names import target_names
from ptx_lsp.named_tuples import NamedTuple

SHARED_PATH = "vocabulary/shared.md"


@cache
def shared_body() -> Body:
    """The lines that hold for the forms of all pages."""
    text = read_isa_fence(read_grammar(SHARED_PATH), SHARED_PATH)
    return read_fence(text, SHARED_PATH, target_names()).common


@cache
def load_shared() -> Shared:
    """The lists that all forms share."""
    return _read_shared(shared_body())


class LoadedPage(NamedTuple):
    """An instruction with the lines that it was read from."""

    instruction: InstructionPage
    common: Body
    groups: list[tuple[Body, list[InstructionForm]]]
    used: set[int]
    """Identities of the definitions that some form uses."""


def load_page(path: str, text: str | None = None) -> LoadedPage:
    """Read one page.

    Args:
        path: the page in the grammar folder: ``isa/memory/ld.md``.
        text: its text; by default the file's.

    Raises:
        PageError: with file, line and column of what cannot be read.
    """
    page = read_page(read_grammar(path) if text is None else text, path)
    fence = read_fence(page.fence, path, target_names())
    assembler = Assembler(path, page.names, fence, shared_body())
    groups = assembler.groups()
    forms = tuple(form for _, built in groups for form in built)
    instruction = InstructionPage(page.names, page.title, path, forms, load_shared())
    return LoadedPage(instruction, fence.common, groups, assembler.used)


def load_instruction(path: str) -> InstructionPage:
    """The instruction of one page; see :func:`load_page`."""
    return load_page(path).instruction


def _read_shared(body: Body) -> Shared:
    """The lists in the vocabulary's fence; its placeholders and operands are left to the forms."""
    lists = _lists(body, WORD_LISTS)
    for name in WORD_LISTS:
        if name not in lists:
            raise PageError(SHARED_PATH, (1, 1), f"the list '{name}' is missing")
    return Shared(
        {word: name for name in ORDER_CLASSES for word in lists[name]},
        frozenset(lists["free"]),
        frozenset(lists["repeatable"]),
        frozenset(lists["meaningless"]),
        {str(name): str(cell[0]) for name, cell in body.kinds.items() if name.startswith(".")},
    )


def _lists(body: Body, names: Collection[str]) -> dict[str, list[str]]:
    """The words of definitions that are plain lists."""
    lists: dict[str, list[str]] = {}
    for definition in body.definitions:
        name = str(definition.columns[0])
        if name in names:
            words = [str(word) for row in definition.rows for word in row.cells[0] if isinstance(word, str)]
            lists[name] = [word for word in literals(tuple(words)) if word is not None]
    return lists
