"""Document links: text that a client can open.

* the path of a ``.file`` line or of a line marker ``# 12 "saxpy.cu"``, if the file exists;
* the numbers of a ``.loc`` line, which lead to the line and column of that file;
* an address ``https://…`` in a comment;
* an instruction after the words ``PTX ISA`` in a comment: its section of the manual;
* a code in a comment ``// ptx-lsp: ignore[E502]``.

An opcode is not a link, because every line would be underlined. Its hover links to the manual.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterable, Iterator

from ptx_lsp import codes
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.module.source_map import file_names, source_lines
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.page_condition import Spelling
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import collected, run_to_completion
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.tree import File
from ptx_lsp.syntax.trivia import comments, line_markers, trivia_length
from ptx_lsp.text import Span


class Link(NamedTuple):
    """A span with its target: exactly one of ``target``, ``instruction`` and ``code`` is set."""

    span: Span
    target: str = ""
    """An address."""
    instruction: str = ""
    """The name of an instruction, see :func:`manual_of`."""
    code: str = ""
    """The number of a finding: ``E502``."""
    words: str = ""
    """A short description of the target, shown as its tooltip."""


Find = Callable[[str, int], str | None]
"""Maps a path as written and a line (0: none) to the address of the file; None if it does not exist."""

_MARKER = re.compile(r'\#[ \t]*+(?:line[ \t]++)?(\d{1,9}+)[ \t]++"([^"\n]*+)"').match
_HINTS = ("://", "PTX ISA", "ptx-lsp:")
_ADDRESS = re.compile(r"https?://[^\s<>\"'`\\^{}|]++")
_MENTION = re.compile(r"PTX ISA(?:[ \t,:]++§?\d++(?:\.\d++)*+)?[ \t,:]++`?([a-z]\w*+(?:\.\w++(?:::\w++)*+)*+)")
_IGNORED = re.compile(r"ptx-lsp:[ \t]*+ignore(?:-file)?[ \t]*+\[([^\]\r\n]*+)")
_CODE = re.compile(r"[^\s,]++")


def links(module: Module, find: Find) -> list[Link]:
    """Return the links of a document, in text order, at once. ``find`` is called once for each path and line."""
    return run_to_completion(finding_links(module, find))


def finding_links(module: Module, find: Find) -> Generator[None, None, list[Link]]:
    """Find the links of a document, in text order and in steps; see :func:`links`."""
    found: list[Link] = []
    for kind in (_files, _locations, _markers):
        found += yield from collected(kind(module, find))
    for base, text in _comments(module):
        yield
        for of_comments in (_addresses, _mentions, _codes):
            found += yield from collected(of_comments(base, text))
    return sorted(found, key=lambda link: link.span)


def manual_of(instruction: str) -> str | None:
    """Return the address of an instruction's section of the manual; None if no page describes it."""
    mnemonic, *parts = instruction.split(".")
    qualifiers = [f".{part}" for part in parts]
    page = catalogue().instruction((mnemonic, *qualifiers))
    section = page.words.manual_of(Spelling(instruction, frozenset(qualifiers))) if page is not None else None
    return section.url if section is not None else None


# -------------------------------------------------------------------- files


def _files(module: Module, find: Find) -> Iterator[Link]:
    known: dict[str, str | None] = {}
    for function in module.functions:
        for place in function.files:
            statement = place.chunk.statement(place.statement)
            tree = statement.shape.tree
            if not isinstance(tree, File):
                continue
            path = statement.word(tree.name).strip('"')
            if path and path not in known:
                known[path] = find(path, 0)
            target = known.get(path)
            if target:
                quoted = module.positions.span_of(Place(place.chunk, place.statement, tree.name))
                yield Link(Span(quoted.start + 1, quoted.end - 1), target, words=f"open {path}")


_MOST_LOCATIONS = 2000
"""The maximum number of ``.loc`` lines with a link: clients ask for all of a document. Definition has no limit."""
_NUMBERS = re.compile(r"\d++\s++\d++\s++\d++")


def _locations(module: Module, find: Find) -> Iterator[Link]:
    document = module.document
    targets: dict[int, str] | None = None
    left = _MOST_LOCATIONS
    for number, chunk in enumerate(document.chunks):
        lines = source_lines(chunk)
        if lines and targets is None:
            there = {one: find(path, 0) for one, path in file_names(module).items()}
            targets = {one: target for one, target in there.items() if target}
        if not lines or not targets:
            continue
        start, starts = document.chunk_start(number), chunk.starts()
        for line in lines:
            file, row, column = line.place
            part = chunk.part(line.statement)
            match = _NUMBERS.search(part, trivia_length(part)) if file in targets and row else None
            if match is None:
                continue
            left -= 1
            if left < 0:
                return
            target = f"{targets[file]}#L{row}" + (f",{column}" if column else "")
            yield Link(Span(*match.span()).shifted(start + starts[line.statement]), target, words=f"open line {row}")


def _markers(module: Module, find: Find) -> Iterator[Link]:
    known: dict[tuple[str, int], str | None] = {}
    for base, part in _parts(module, ("#",)):
        for span in line_markers(part):
            match = _MARKER(part, span.start)
            if match is None or not match[2]:
                continue
            key = match[2], int(match[1])
            if key not in known:
                known[key] = find(*key)
            target = known[key]
            if target:
                yield Link(Span(*match.span(2)).shifted(base), target, words=f"open {key[0]} at line {key[1]}")


# -------------------------------------------------------------------- comments


def _comments(module: Module) -> Iterator[tuple[int, str]]:
    """Yield the comments that may hold links, with their start offsets."""
    for base, part in _parts(module, _HINTS):
        for span in comments(part):
            yield base + span.start, part[span.start : span.end].removesuffix("*/")


def _parts(module: Module, hints: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the statements that contain one of the given words, with their start offsets."""
    document = module.document
    for number, chunk in enumerate(document.chunks):
        indices: set[int] = set()
        for hint in hints:
            if hint in chunk.text:
                indices.update(_places(chunk, hint))
        start = document.chunk_start(number)
        for index in sorted(indices):
            yield start + chunk.starts()[index], chunk.part(index)


def _places(chunk: Chunk, hint: str) -> Iterator[int]:
    text, starts = chunk.text, chunk.starts()
    at = text.find(hint)
    while at >= 0:
        index = bisect_right(starts, at) - 1
        yield index
        at = text.find(hint, starts[index + 1])


def _addresses(base: int, text: str) -> Iterator[Link]:
    for match in _ADDRESS.finditer(text):
        address = _trimmed_address(match[0])
        if len(address) > len("https://"):
            start = base + match.start()
            yield Link(Span(start, start + len(address)), address, words="open in the browser")


def _trimmed_address(address: str) -> str:
    """Return an address without the punctuation of the sentence around it: a final dot, an unmatched bracket."""
    counts = {mark: address.count(mark) for mark in "()[]"}
    end = len(address)
    while end:
        last = address[end - 1]
        opening = _OPENING.get(last)
        if last not in ".,;:!?*" and (opening is None or counts[last] <= counts[opening]):
            break
        if last in counts:
            counts[last] -= 1
        end -= 1
    return address[:end]


_OPENING = {")": "(", "]": "["}


def _mentions(base: int, text: str) -> Iterator[Link]:
    for match in _MENTION.finditer(text):
        name = match[1]
        mnemonic, *parts = name.split(".")
        if catalogue().instruction((mnemonic, *(f".{part}" for part in parts))) is not None:
            yield Link(Span(*match.span(1)).shifted(base), instruction=name, words=f"PTX ISA: {name}")


def _codes(base: int, text: str) -> Iterator[Link]:
    for match in _IGNORED.finditer(text):
        for word in _CODE.finditer(match[1]):
            numbers = codes.numbers(word[0])
            if len(numbers) == 1:
                (number,) = numbers
                span = Span(*word.span()).shifted(base + match.start(1))
                yield Link(span, code=number, words=f"{number} {codes.NAMES[number]}")
