"""The inline assembly of a text."""

from __future__ import annotations

from collections.abc import Sequence

from ptx_lsp.hosts.blocks import Block, Lexer, MacroTable, Stops
from ptx_lsp.hosts.host_tables import languages
from ptx_lsp.hosts.site import Site
from ptx_lsp.stepwise import run_to_completion


def find_sites(text: str, host: str) -> list[Site]:
    """The statements and calls of a text in the order of their places. Never raises on any text."""
    if not may_have_sites(text, host):
        return []
    macros = MacroTable()
    lexer = lexer_of(text, host, macros)
    block = run_to_completion(lexer.block(0, lexer.beginning(), Stops()))
    macros.fill([block])
    place([block], (0,), 0, 1)
    return [found.site for found in block.sites]


def may_have_sites(text: str, host: str) -> bool:
    """Whether a text contains one of the words of its language."""
    return any(word in text for one in languages() if one.host == host for word in one.words)


def lexer_of(text: str, host: str, macros: MacroTable, mode: str | None = None) -> Lexer:
    """The lexer of a language for a text; sites look up macros in the table when they are read.

    Its ``mode`` is found out from the text unless it is known.
    """
    if host in ("python", "mojo"):
        from ptx_lsp.hosts.py_scan import PythonLexer

        return PythonLexer(text, host, macros)
    if host == "rust":
        from ptx_lsp.hosts.rust_scan import RustLexer

        return RustLexer(text)
    if host in ("llvm", "mlir"):
        from ptx_lsp.hosts.ir_scan import IrLexer

        return IrLexer(text, host, macros)
    from ptx_lsp.hosts.c_scan import CppLexer

    return CppLexer(text, macros, mode)


def can_change_mode(text: str, host: str, start: int, end: int) -> bool:
    """Whether new text in ``[start, end)`` can give a lexer another ``mode`` than the empty one that it had."""
    if host != "cuda-cpp":
        return False
    from ptx_lsp.hosts.c_conditions import AROUND, has_conditions

    return has_conditions(text[max(start - AROUND, 0) : end + AROUND])


def place(blocks: Sequence[Block], starts: Sequence[int], first: int, stop: int) -> None:
    """Sets the offsets of the sites of the blocks ``[first, stop)``, with the ``starts`` of all blocks."""
    known: dict[tuple[int, int], int] = {}
    for number in range(first, stop):
        start = starts[number]
        for found in blocks[number].sites:
            code = found.block
            found.site.start = start + found.start
            found.site.block = start + code if code >= 0 else _opened(blocks, starts, (number, code), known)


def _opened(
    blocks: Sequence[Block], starts: Sequence[int], at: tuple[int, int], known: dict[tuple[int, int], int]
) -> int:
    """The offset of the bracket with a code below 0 in a block of lines; ``known`` has those that were looked up."""
    passed: list[tuple[int, int]] = []
    number, code = at
    # Each block of lines has the brackets that are open at its end; most are open since before it.
    while code < -1 and (number, code) not in known:
        passed.append((number, code))
        number -= 1
        code = blocks[number].brackets[-2 - code]
    found = known[number, code] if code < -1 else starts[number] + code if code >= 0 else -1
    known.update((one, found) for one in passed)
    return found


def open_brackets(blocks: Sequence[Block], start: int) -> list[int]:
    """The brackets that are open after some blocks of lines, the first of which begins at ``start``.

    Offsets; ``-2 - n`` for the bracket ``n`` of those that are open at the start.
    """
    places: list[int] | None = None
    for block in blocks:
        before = places
        places = [
            start + code if code >= 0 else code if before is None or code == -1 else before[-2 - code]
            for code in block.brackets
        ]
        start += block.length
    return places or []
