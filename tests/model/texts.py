"""Random PTX and random edits: examples of pages, pieces of compiled and handwritten files, and garbage."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

from benchmarks import kept
from ptx_lsp.grammar_files import page_paths, read_grammar
from tests.checks.test_incremental import DEBUG, DEBUG_PIECES, GENERATED, GENERATED_PIECES, MODULE, PIECES, STRUCTURE

_ROOT = Path(__file__).parent.parent.parent
_EXAMPLE = re.compile(r"^```ptx[ \t]*\n//-(?P<words>.*)\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)
_KEPT = ("f1k.ptx", "calls.sm_80.lineinfo.ptx", "atomics.sm_90a.plain.ptx", "bulk_copies.sm_100a.debug.ptx")
_REGISTERS = (
    ".reg .pred %p<16>; .reg .b16 %h<16>; .reg .b32 %r<64>; .reg .b64 %rd<64>; .reg .f32 %f<64>; .reg .f64 %fd<9>;"
)
_GARBAGE = (
    *"{}()[]<>,;:.@%!|\"\\/*_+-=&^~?'`#$ \t\n\r\v\f\0",
    *("/*", "*/", "//", '"', "\r\n", "\r", "\n\n", "é", "😀", "漢", "\u2028", "\u0301", "\ufeff", "\x85"),
    *("0x", "0f3F800000", "0d", "1e9", "99999999999999999999", "-1", "1U", "0b12", ".b32", ".reg", ".entry", ".func"),
    *("%r", "%r1", "%p1", "%tid.x", "%r<9>", "ret;", "bra L;", "L:", "mov", "ld.global.", "@!%p1", "{", "}", ";"),
)


@cache
def _examples() -> tuple[tuple[str, str], ...]:
    """The examples of the instruction pages: the words of the first line, and the text."""
    pages = (read_grammar(path) for path in page_paths())
    return tuple((one["words"], one["body"]) for page in pages for one in _EXAMPLE.finditer(page))


@cache
def _files() -> tuple[tuple[str, ...], ...]:
    """The lines of files."""
    paths = sorted((_ROOT / "benchmarks" / "handwritten").glob("*.ptx")) + sorted((_ROOT / "examples").glob("*.ptx"))
    texts = [path.read_text("utf-8") for path in paths] + [kept.read(name) for name in _KEPT]
    return tuple(tuple(text.splitlines(keepends=True)) for text in texts)


PASTED = tuple(piece for piece in PIECES if not any("\ud800" <= one <= "\udfff" for one in piece))
"""Without lone surrogates: two that meet are one character in the next message."""


def example(draw: random.Random) -> str:
    """An example of a page, as a module."""
    words, body = draw.choice(_examples())
    target = next((word for word in words.split() if word.startswith("sm_")), "sm_90a")
    version = words.split()[words.split().index("ptx") + 1] if "ptx" in words.split() else "9.0"
    header = f".version {version}\n.target {target}\n.address_size 64\n"
    if "module" in words.split():
        return body if ".version" in body else header + body
    more = draw.choice(_examples())[1] if draw.random() < 0.3 else ""
    name = draw.choice(("kernel", "twice", "main"))
    return f"{header}.visible .entry {name}(.param .u64 out)\n{{\n{_REGISTERS}\n{body}{more}\nret;\n}}\n"


def excerpt(draw: random.Random, most: int) -> str:
    """Consecutive lines of a file, with its first ones before them."""
    lines = draw.choice(_files())
    start = draw.randrange(len(lines))
    count = draw.randrange(1, most)
    head = lines[: draw.choice((0, 10, 15))] if start > 15 else ()
    return "".join((*head, *lines[start : start + count]))


def garbage(draw: random.Random, most: int) -> str:
    """Tokens and characters without sense."""
    return "".join(draw.choice(_GARBAGE) for _ in range(draw.randrange(most)))


def piece(draw: random.Random) -> str:
    """What someone pastes."""
    kind = draw.random()
    if kind < 0.45:
        return draw.choice(PASTED)
    if kind < 0.65:
        return draw.choice(STRUCTURE)
    if kind < 0.72:
        return draw.choice((*DEBUG_PIECES, *GENERATED_PIECES))
    if kind < 0.82:
        return draw.choice(_examples())[1]
    if kind < 0.9:
        return garbage(draw, 12)
    return excerpt(draw, 12)


def document(draw: random.Random) -> str:
    """The text of a file."""
    kind = draw.random()
    if kind < 0.3:
        text = draw.choice((MODULE, MODULE, DEBUG, GENERATED))
    elif kind < 0.55:
        text = example(draw)
    elif kind < 0.9:
        text = excerpt(draw, draw.choice((20, 20, 60, 60, 60, 300)))
    elif kind < 0.96:
        text = garbage(draw, 200)
    else:
        text = ""
    if draw.random() < 0.25:
        text = other_line_ends(draw, text)
    if draw.random() < 0.1:
        at = draw.randrange(len(text) + 1)
        text = f"{text[:at]}{garbage(draw, 8)}{text[at:]}"
    return text


def other_line_ends(draw: random.Random, text: str) -> str:
    """The text with other line ends, all or some of them."""
    ends = draw.choice((("\r\n",), ("\r",), ("\r\n", "\n"), ("\r\n", "\n", "\r")))
    return re.sub(r"\r\n|\n|\r", lambda _: draw.choice(ends), text)
