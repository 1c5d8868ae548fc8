"""What holds for every text: nothing is lost, twice is once, the findings stay, nvcc's files stay as they are."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks import kept
from benchmarks.mutations.bases import handwritten
from ptx_lsp.checks.engine.checker import check_text
from ptx_lsp.diagnostic import Edit
from ptx_lsp.features.formatting import Options, format_document, format_ranges, formatted
from ptx_lsp.features.formatting.document import newline_of
from ptx_lsp.features.formatting.edits import edits_of
from ptx_lsp.features.formatting.layout import lay_out
from ptx_lsp.features.formatting.ranges import within
from ptx_lsp.features.formatting.region import FormatState, region_of
from ptx_lsp.preferences import Format
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents.lines import DocumentLines
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.split import split
from ptx_lsp.syntax.tokens import tokenize
from ptx_lsp.syntax.trivia import comments, mask_open_comments
from ptx_lsp.text import Span

BROKEN = sorted((Path(__file__).parents[2] / "diagnostics").glob("*.ptx"))
STYLES = [
    Options.of(Format()),
    Options.of(Format(style="nvcc")),
    Options.of(Format(width=40, align=False, align_comments=False)),
    Options.of(Format(blank_lines=0, width=0, operand_column=20)),
    Options.of(Format(tabs="always", label_indent=2, width=60)),
]
COMPILED = (
    "atomics.sm_80.lineinfo.ptx",
    "calls.sm_100a.debug.ptx",
    "calls.sm_75.unoptimised.ptx",
    "llvm_calls.sm_86.llvm.ptx",
    "libm_double.sm_80.plain.ptx",
    "scoped_asm.sm_80.plain.ptx",
    "tensor_cores.sm_90a.plain.ptx",
    "textures.sm_75.plain.ptx",
    "tiny_floats.sm_120.plain.ptx",
    "warps.sm_75.plain.ptx",
)
JUNK = (
    "",
    " ",
    "\n",
    ";",
    "{",
    "}",
    '"',
    "/*",
    "*/",
    "//",
    ".",
    "%",
    "a",
    ",",
    '# 1 "x"\n',
    "\t",
    "@",
    "\n\n\n",
    " \n",
    "/",
    "é",
    "(",
    ")",
    "L: ",
    "\n.source_begin\n",
    "\n.source_end\n",
    "// ptx-lsp: ignore\n",
    "+",
    "-",
    ":",
    "\0",
    "\f",
    "@@x",
    "=",
    "<",
    ">",
    "|",
    "!",
    "&",
    ".entry f(",
    ".func ",
    ".reg .b32 x",
    "add.s32 %r1, %r2, %r3",
    "\r",
    "\r\n",
    "// x",
)


def words(text: str) -> list[list[str]]:
    """The tokens of each statement."""
    found = ([part[one.start : one.end].rstrip() for one in tokenize(part)] for part in split(text))
    return [statement for statement in found if statement]


def said(text: str) -> list[str]:
    """The comments."""
    text = mask_open_comments(text)
    return [part[one.start : one.end].rstrip() for part in split(text) for one in comments(part)]


def check_properties(text: str, options: Options) -> None:
    after = formatted(text, options)
    assert re.sub(r"[ \t\r\n\f]+", "", after) == re.sub(r"[ \t\r\n\f]+", "", text)
    assert words(after) == words(text)
    assert said(after) == said(text)
    assert formatted(after, options) == after


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_broken_files(path: Path) -> None:
    text = path.read_text("utf-8")
    for options in STYLES:
        check_properties(text, options)


@pytest.mark.parametrize("name", sorted(handwritten()))
def test_written_by_hand(name: str) -> None:
    for options in STYLES:
        check_properties(handwritten()[name], options)


def applied_by_client(document: Document, edits: list[Edit]) -> str:
    """The text after edits whose places are sent as lines and columns."""
    lines, pieces, end = DocumentLines(document.chunks, Encoding.UTF_16), list[str](), 0
    for edit in edits:
        start, stop = (lines.offset(lines.position(offset)) for offset in edit.span)
        pieces += (document.slice(Span(end, start)), edit.text)
        end = stop
    return "".join((*pieces, document.slice(Span(end, document.length))))


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
@pytest.mark.parametrize("ratio", [0.2, 0.6])
def test_mixed_line_ends(path: Path, ratio: float) -> None:
    """The protocol has no place inside a line end of two characters."""
    chance = random.Random(path.stem)
    lines = path.read_text("utf-8").split("\n")
    text = "".join(line + ("\r\n" if chance.random() < ratio else "\n") for line in lines)
    for options in STYLES[:2]:
        document = Document(text)
        once = applied_by_client(document, format_document(document, options))
        assert once == formatted(text, options)
        assert not format_document(Document(once), options)


@pytest.mark.parametrize("name", COMPILED[:4])
def test_compiled(name: str) -> None:
    check_properties(kept.read(name), STYLES[0])


@pytest.mark.parametrize("seed", range(8))
def test_mutated_texts(seed: int) -> None:
    chance = random.Random(seed)
    texts = [path.read_text("utf-8") for path in BROKEN] + list(handwritten().values())
    for _ in range(40):
        text = chance.choice(texts)
        start = chance.randrange(len(text))
        text = text[start : start + chance.choice([100, 400, 1500])]
        for _ in range(chance.choice([0, 1, 2, 5])):
            first = chance.randrange(len(text) + 1)
            last = min(len(text), first + chance.choice([0, 1, 1, 3, 10]))
            text = text[:first] + chance.choice(JUNK) + text[last:]
        check_properties(text, chance.choice(STYLES))


def findings(text: str) -> Counter[tuple[str, str]]:
    """Codes and messages, without the lines that they name."""
    return Counter((one.code, re.sub(r"line \d+", "line", one.message)) for one in check_text(text))


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_findings_stay(path: Path) -> None:
    text = path.read_text("utf-8")
    assert findings(formatted(text)) == findings(text)


def test_the_layout_of_nvcc() -> None:
    """Of the whole corpus 99.945 % of the lines stay as they are (a million); a few templates of LLVM differ."""
    lines = same = 0
    for name in kept.names()[3::10]:
        before = kept.read(name).split("\n")
        after = formatted("\n".join(before), STYLES[1]).split("\n")
        lines += len(before)
        same += (
            sum((Counter(before) & Counter(after)).values())
            if len(before) != len(after)
            else sum(one == other for one, other in zip(before, after, strict=True))
        )
    assert lines > 20_000
    assert same / lines >= 0.999


def test_our_layout_can_be_made_nvccs_again() -> None:
    """What nvcc writes is known from the tokens alone: indentation, tabs, calls over several lines."""
    text = kept.read("calls.sm_80.plain.ptx")
    text = re.sub(r"\t// begin inline asm\n.*?// end inline asm\n", "", text, flags=re.DOTALL)
    again = formatted(formatted(text, STYLES[0]), STYLES[1])
    before, after = (Counter(re.findall(r"^(?!\s*//).*\S.*$", one, re.MULTILINE)) for one in (text, again))
    lost = before - after
    brace = re.compile(r"\t[{}] ")
    assert [line for line in lost if not brace.match(line)] == []  # the comment behind a brace keeps our two blanks


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_edits_lead_to_the_formatted_text(path: Path) -> None:
    text = path.read_text("utf-8")
    edits = format_document(Document(text), STYLES[0])
    assert all(before.span.end <= after.span.start for before, after in pairwise(edits))
    after = text
    for edit in reversed(edits):
        assert after[edit.span.start : edit.span.end].isspace() or edit.span.start == edit.span.end
        after = after[: edit.span.start] + edit.text + after[edit.span.end :]
    assert after == formatted(text)


@pytest.mark.parametrize("name", ["calls.sm_80.plain.ptx", "libm_double.sm_80.lineinfo.ptx", *sorted(handwritten())])
def test_ranges_agree_with_the_whole(name: str) -> None:
    """Formatting of lines makes the edits that formatting of all makes there, and no others."""
    text = handwritten().get(name) or kept.read(name)
    document = Document(text)
    chance = random.Random(name)
    for options in STYLES:
        region = region_of(document, 0, len(document.chunks), FormatState())
        whole = lay_out(region, options, newline_of(document))
        for _ in range(5):
            start = chance.randrange(len(text))
            first = text.rfind("\n", 0, start) + 1
            last = text.find("\n", start + chance.choice([0, 50, 500, 3000]))
            end = last if last >= 0 else len(text)
            wanted = edits_of(text, within(region.text, whole, first, end))
            assert format_ranges(document, [Span(start, end)], options) == wanted


@pytest.mark.parametrize(
    "line",
    [
        "2e999;bar.sync;mov.b32",
        "ld.global.u32{{f6;",
        "@%p1bra.uni$_0;add.s32%r1,%r1,1;@%p1bra.uni$_1;add.s32%r1,%r1,1; bra.uni$_2;",
        "mov.b32 %r1,99999999999999999999;bar.sync; /* x */ bar.sync;",
        "add.s32 %r1; foo; add.s32 %r1,\n%q1,1; foo;",
        "é; foo /* \n */ ; foo; \nfoo;",
    ],
)
@pytest.mark.parametrize("style", range(len(STYLES)))
def test_the_rest_of_a_broken_line_stays_on_it(line: str, style: int) -> None:
    text = f".version 8.0\n.target sm_90\n.entry k()\n{{\n.reg .b32 %r<9>;\n{line}\n}}\n"
    after = formatted(text, STYLES[style])
    assert formatted(after, STYLES[style]) == after

    def said(one: str) -> Counter[tuple[str, str]]:
        return Counter((found.code, found.message.partition("(line")[0]) for found in check_text(one))

    assert said(after) == said(text)
