"""The statement of a source from which a block of inline assembly in compiled PTX comes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ptx_lsp.embedded.fragment import AsmFragment, fragments_of
from ptx_lsp.hosts.site import Certainty, Site
from ptx_lsp.named_tuples import NamedTuple

_BEGIN, _END = "// begin inline asm", "// end inline asm"
_LOC = re.compile(r"[ \t]*\.loc[ \t]+(\d+)[ \t]+(\d+)[ \t]+(\d+)")
_FILE = re.compile(r'^[ \t]*\.file[ \t]+(\d+)[ \t]+"([^"\n]*)"', re.MULTILINE)
_LONGEST = 1 << 20
"""Characters of a block; a longer one is not compared."""
_OPERAND = r"[\w%$.+\-<>]++"
_SPACE = re.compile(r"\s+")
_OPCODE = re.compile(r"(?:^|[;{}])\s*(?:@!?[\w%$]+\s+)?([a-z]\w*(?:\.[\w:]+)*)")


class AsmBlock(NamedTuple):
    """A block of inline assembly in compiled PTX, or the place of another line."""

    lines: tuple[str, ...]
    """The lines of the block; empty if the line is in none."""
    line: int
    """The number of the line within the block, from 0."""
    file: str | None
    """The source that the last ``.loc`` names."""
    source_line: int
    """The line that it names, from 1; 0 without ``.loc``."""


def block_at(text: str, number: int) -> AsmBlock | None:
    """The block of inline assembly around a line of PTX, counted from 1; None if there is no such line."""
    lines = text.splitlines()
    if not 1 <= number <= len(lines):
        return None
    names = {found[1]: found[2] for found in _FILE.finditer(text)}
    at = number - 1
    begin = _above(lines, at)
    loc = next(
        (found for line in reversed(lines[: begin if begin is not None else at + 1]) if (found := _LOC.match(line))),
        None,
    )
    file, source_line = (names.get(loc[1]), int(loc[2])) if loc is not None else (None, 0)
    if begin is None:
        return AsmBlock((), 0, file, source_line)
    end = next((one for one in range(begin + 1, len(lines)) if lines[one].strip() == _END), len(lines))
    return AsmBlock(tuple(lines[begin + 1 : end]), at - begin - 1, file, source_line)


def _above(lines: list[str], at: int) -> int | None:
    """The line at which the block around a line begins."""
    for number in range(at, -1, -1):
        line = lines[number].strip()
        if line == _BEGIN:
            return number if number < at else None
        if line == _END and number < at:
            return None
    return None


class CompiledFrom(NamedTuple):
    """A statement from which a block can come."""

    site: Site
    fragment: AsmFragment

    def host_offset(self, line: int, word: str | None) -> int:
        """The offset in the source of a ``word`` in a line of the block, of the line's start without one."""
        starts = [0, *(match.end() for match in re.finditer("\n", self.fragment.text))]
        start = starts[min(line, len(starts) - 1)]
        text = self.fragment.text[start:].partition("\n")[0]
        inside = text.find(word) if word else -1
        if inside < 0:
            inside = len(text) - len(text.lstrip())
        return self.site.start + self.fragment.map.to_host(start + inside)


def statements_of(block: AsmBlock, sites: Iterable[Site]) -> list[CompiledFrom]:
    """The statements with the text of a block; if there is none, those with its instructions."""
    text = "\n".join(block.lines)
    if len(text) > _LONGEST:
        return []
    opcodes = _opcodes(text)
    found: list[CompiledFrom] = []
    similar: list[CompiledFrom] = []
    for one in _candidates(sites):
        if _opcodes(one.fragment.text) != opcodes and not one.fragment.unknown.opaque:
            continue
        (found if _pattern(one.fragment).fullmatch(_SPACE.sub(" ", text).strip()) else similar).append(one)
    return found or similar


def _candidates(sites: Iterable[Site]) -> Iterator[CompiledFrom]:
    for site in sites:
        if site.certainty is not Certainty.HOST:
            yield from (CompiledFrom(site, fragment) for fragment in fragments_of(site))


def _opcodes(text: str) -> list[str]:
    return _OPCODE.findall(text)


def _pattern(fragment: AsmFragment) -> re.Pattern[str]:
    """The text of a fragment with anything in the place of an operand."""
    parts, at = [], 0
    for mark in fragment.marks:
        if fragment.operand_of(mark) is not None:
            parts += [_literal(fragment.text[at : mark.span.start]), _OPERAND]
            at = mark.span.end
    parts.append(_literal(fragment.text[at:]))
    return re.compile("".join(parts).strip())


def _literal(text: str) -> str:
    return re.escape(_SPACE.sub(" ", text)).replace("\\ ", " ")
