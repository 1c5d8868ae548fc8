"""``ptx-lsp explain``: the page of a code or an instruction, drawn on a terminal, as Markdown into a pipe."""

from __future__ import annotations

import sys

from ptx_lsp import codes
from ptx_lsp.cli.terminal import printable

_WIDTH = 100
"""Columns at most: longer lines are hard to read."""


def explain(topic: str) -> int:
    """Print the page of ``topic``; 0, or 2 if there is none."""
    page = code_pages(topic) or instruction_page(topic)
    if page is None:
        print(f"ptx-lsp: nothing is known of '{printable(topic)}'{_did_you_mean(topic)}", file=sys.stderr)
        return 2
    _print(page)
    return 0


def code_pages(topic: str) -> str | None:
    """The pages of all codes that ``topic`` names (a name can have two numbers), as Markdown."""
    numbers = [number for number, name in codes.NAMES.items() if topic.upper() == number or topic == name]
    if not numbers:
        return None
    from ptx_lsp.cli.code_pages import code_page

    return "\n".join(map(code_page, numbers))


def instruction_page(topic: str) -> str | None:
    """The page of the instruction that ``topic`` names or begins with (``add``, ``add.s32``), as Markdown."""
    from ptx_lsp.isa.catalogue import catalogue
    from ptx_lsp.isa.files import read_grammar

    instruction = catalogue().instruction(_opcode(topic))
    return read_grammar(instruction.path) if instruction else None


def _opcode(topic: str) -> tuple[str, ...]:
    """The parts of an opcode as it is written: ``("cp", ".async", ".bulk")``."""
    first, *rest = topic.split(".")
    return (first, *(f".{part}" for part in rest))


def _did_you_mean(topic: str) -> str:
    from ptx_lsp.isa.catalogue import catalogue

    if catalogue().status(_opcode(topic)) == "known":
        return " but that it is an instruction: it has no page yet"
    near = [word for word in (codes.nearest(topic), *catalogue().nearest(topic, 2)) if word]
    return f"; did you mean {' or '.join(repr(word) for word in near)}?" if near else ""


def _print(page: str) -> None:
    if not sys.stdout.isatty():
        sys.stdout.write(page)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.print(Markdown(page, code_theme="ansi_dark", hyperlinks=True), width=min(_WIDTH, console.width))
