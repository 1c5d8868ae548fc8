"""What a hover must say, and what every editor can show of it."""

from __future__ import annotations

import re

from ptx_lsp.features.hover import hover
from ptx_lsp.features.hover.parts.hover_info import HoverInfo
from ptx_lsp.features.hover.parts.render import FENCED_LINES, WIDTH, markdown, plain
from ptx_lsp.features.hover.source_locations import ReadLine

from .cursor import opened

LANGUAGES = ("ptx", "text", "cpp", "python", "rust", "julia")


def hovered(source: str, read_line: ReadLine | None = None) -> HoverInfo | None:
    """The hover at the cursor of a snippet."""
    checker, offset, _ = opened(source)
    return hover(checker.semantics, offset, read_line)


def check_hover(source: str, *expected: str, read_line: ReadLine | None = None) -> None:
    """The hover at the cursor holds every expected text; without any there is no hover."""
    info = hovered(source, read_line)
    if not expected:
        assert info is None, markdown(info)
        return
    assert info is not None
    text = markdown(info)
    unlinked = re.sub(r"(?: · )?\[[^\]]*\]\(https[^)]*\)", "", text)
    in_one_line = re.sub(r"`(sm_\w+)`", r"\1", " ".join(unlinked.split()))
    for piece in expected:
        assert piece in text or piece in in_one_line, text
    check_both(info)


def check_not_said(source: str, *unwanted: str) -> None:
    """There is a hover at the cursor, and it holds none of these."""
    info = hovered(source)
    assert info is not None
    for piece in unwanted:
        assert piece not in markdown(info), markdown(info)


def check_both(info: HoverInfo) -> None:
    """A hover fits as Markdown, with and without links to lines, and as plain text."""
    check_fits(markdown(info), is_markdown=True)
    check_fits(markdown(info, "file:///kernel.ptx"), is_markdown=True)
    check_fits(plain(info), is_markdown=False)


def check_fits(text: str, *, is_markdown: bool) -> None:
    """The limits that were measured in real editors."""
    lines = text.split("\n")
    visible = [re.sub(r"\]\((?:https|file)://[^)]*\)", "]", line) for line in lines]
    assert max(len(line) for line in visible) <= WIDTH + 8, max(visible, key=len)
    fenced, inside = 0, False
    for line in lines:
        if line.startswith("```"):
            inside = not inside
            assert not inside or line[3:] in LANGUAGES, "every fence has a language"
        elif inside:
            fenced += 1
        else:
            prose = re.sub(r"`[^`]*`", "", line)
            assert not is_markdown or not set("<|") & set(prose), f"editors take these for marks: {line}"
    assert not inside
    assert fenced <= FENCED_LINES
    assert "---" not in text
    assert "\n\n\n" not in text
    assert text.count("http") <= 1
    assert "http" not in text.split("\n\n", 2)[-1] or text.count("\n\n") < 2, "the link is at the top"
    if not is_markdown:
        assert "`" not in text
        assert "http" not in text
        assert "](" not in text
