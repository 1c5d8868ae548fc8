"""Snapshots of hovers: for each example of an instruction page the hover of the instruction and of each qualifier.

The files of ``tests/features/hovers`` have them as a plain-text client shows them; ``test_snapshots.py`` compares.
After a change of a page, or of how hovers look, write the files anew and read the differences::

    python -m tests.features.snapshots
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.hover import hover
from ptx_lsp.features.hover.parts.hover_info import HoverInfo
from ptx_lsp.features.hover.parts.render import plain
from ptx_lsp.grammar_files import page_paths, read_grammar
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.tree import Instruction
from tests.annotated import read

COMMAND = "python -m tests.features.snapshots"
FOLDER = Path(__file__).with_name("hovers")
_EXAMPLE = re.compile(r"^```ptx[ \t]*\n(//-.*?)^```", re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"\.?[\w:]+")
_RULE = "=" * 72


def instruction_pages() -> list[str]:
    """The pages of instructions, as ``isa/memory/ld.md``."""
    return [path for path in page_paths() if path.startswith("isa/")]


def file_of(page: str) -> Path:
    """The file with the snapshots of a page."""
    return FOLDER / f"{page.removeprefix('isa/').removesuffix('.md')}.txt"


def snapshot(page: str) -> str:
    """The hovers of a page; one that was shown before is left out."""
    seen: set[str] = set()
    parts = []
    for statement, infos in _statements(page):
        new = [text for text in dict.fromkeys(map(plain, infos)) if text not in seen]
        seen.update(new)
        if new:
            parts.append("\n".join((_RULE, statement, _RULE, "", "\n\n----\n\n".join(new), "")))
    return "\n".join(parts)


def hovers_of(page: str) -> list[HoverInfo]:
    """All hovers of the examples of a page."""
    return [info for _, infos in _statements(page) for info in infos]


@cache
def _statements(page: str) -> list[tuple[str, list[HoverInfo]]]:
    """The statements of a page's examples with an instruction of the page, with the hovers of their opcodes."""
    names = next(one.names for one in catalogue().instructions if one.path == page)
    mnemonics = {name.partition(".")[0] for name in names}
    found = []
    for example in _EXAMPLE.findall(read_grammar(page)):
        semantics = Checker(read(example).text).semantics
        document = semantics.module.document
        for number, chunk in enumerate(document.chunks):
            for index, start in enumerate(chunk.starts()[: len(chunk)]):
                statement = chunk.statement(index)
                tree = statement.shape.tree
                if isinstance(tree, Instruction) and tree.opcode[0] in mnemonics:
                    begin = document.chunk_start(number) + start
                    infos = [hover(semantics, begin + statement.span(token).start) for token in tree.opcode_tokens]
                    text = " ".join(statement.text[statement.lead :].split())
                    found.append((text, [info for info in infos if info is not None]))
    return found


def main() -> None:
    """Write all files, and remove those of pages that are gone."""
    wanted = {file_of(page): snapshot(page) for page in instruction_pages()}
    for old in FOLDER.rglob("*.txt"):
        if old not in wanted:
            old.unlink()
    for path, text in wanted.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{path.relative_to(FOLDER)}\n")


if __name__ == "__main__":
    main()
