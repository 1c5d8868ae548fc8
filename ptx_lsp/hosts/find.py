"""The inline assembly of a text."""

from __future__ import annotations

from ptx_lsp.hosts.blocks import Block, Lexer, Stops
from ptx_lsp.hosts.host_tables import languages
from ptx_lsp.hosts.site import Site


def find_sites(text: str, host: str) -> list[Site]:
    """The statements and calls of a text in the order of their places. Never raises on any text."""
    if not may_have_sites(text, host):
        return []
    macros: dict[str, str | None] = {}
    lexer = lexer_of(text, host, macros)
    block = lexer.block(0, lexer.beginning(), Stops())
    macros.update(macro_table([block]))
    place([block])
    return [found.site for found in block.sites]


def may_have_sites(text: str, host: str) -> bool:
    """Whether a text contains one of the words of its language."""
    return any(word in text for one in languages() if one.host == host for word in one.words)


def lexer_of(text: str, host: str, macros: dict[str, str | None], mode: str | None = None) -> Lexer:
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


def macro_table(blocks: list[Block]) -> dict[str, str | None]:
    """The values of the macros of a file; None for those with several values, or with one that is not a literal."""
    table: dict[str, str | None] = {}
    for block in blocks:
        for name, value in block.macros:
            if table.setdefault(name, value) != value:
                table[name] = None
    return table


def place(blocks: list[Block]) -> None:
    """Sets the offsets of all sites."""
    start = 0
    brackets: list[int] = []
    for block in blocks:
        for found in block.sites:
            found.site.start = start + found.start
            found.site.block = _placed(found.block, start, brackets)
        # Most brackets are open since before the block of lines.
        brackets = [brackets[-2 - one] if one < -1 else _placed(one, start, brackets) for one in block.brackets]
        start += block.length


def _placed(code: int, start: int, brackets: list[int]) -> int:
    return start + code if code >= 0 else -1 if code == -1 else brackets[-2 - code]
