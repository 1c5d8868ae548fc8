"""Rendering of :class:`HoverInfo` as Markdown or plain text for a narrow window.

Clients show about 12 lines of 72 columns before they scroll. Aligned text in a
fence is the only kind of table that all of them display well; a newline inside a paragraph is
kept by some and joined by others, so lines are broken where both look right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from ptx_lsp.features.hover.parts.hover_info import LONGEST_NAME, FurtherReading, HoverInfo, HoverRow

WIDTH = 72
"""The width of a line in columns."""
FENCED_LINES = 10
"""The maximum number of lines in all fences together."""
LEAD_LINES = 6
"""The maximum number of lines of the description."""
VISIBLE_LINES = 11
"""The number of lines that VS Code shows without scrolling."""
PROSE_WIDTH = 100
"""The number of characters of prose that VS Code shows on a line, in a proportional font."""

_WORDS = re.compile(r"(?:`[^`]*`|\[[^\]`]*\]\(#L\d+\)|[^\s`])+|`")
_STARTS_A_BLOCK = re.compile(r"[-+*>#=]|\d+[.)]")
_MARKS = re.compile(r"`|\*\*")
_EMPHASIS = re.compile(r"(?<=[\s(])\*(\w+)\*(?=[\s,.:;)])")
_LINE = re.compile(r"\[([^\]`]*)\]\((#L\d+)\)")
"""Matches a link to a line of the document."""
_CUT = " …"
_CODE_OR_TARGET = re.compile(r"`[^`]*`|\bsm_\d+[af]?\b")
"""Matches code spans and targets. Between two plain targets some clients render emphasis: ``_80 and sm_``."""


def markdown(info: HoverInfo, uri: str = "", opens_pages: bool = False) -> str:
    """Return the hover in the Markdown subset that all clients support: paragraphs, bold, code, fences, one link.

    Args:
        info: the content.
        uri: the document's address for links to its lines; without it these are plain text.
        opens_pages: whether the client can open the pages of the server.

    """
    return _linked(_markdown(info if opens_pages else replace(info, pages=())), uri)


def _linked(text: str, uri: str) -> str:
    """Insert the document's address into links, or remove the links if it is empty."""
    if not uri or set(uri) & set(" ()<>[]"):
        return _LINE.sub(r"\1", text)
    return _LINE.sub(lambda found: f"[{found[1]}]({uri}{found[2]})", text)


def _markdown(info: HoverInfo) -> str:
    code = _code_lines(info)
    title = f"**{info.title}**" if info.title else ""
    link = _link(info.link) if info.link is not None else ""
    parts = [_fence("ptx", code)] if code and not title else []
    parts.append(_BREAK.join(_headline(info, title, link)))
    if code and title:
        parts.append(_fence("ptx", code))
    parts.append(_BREAK.join(_mistakes(info)))
    description = [*_lead(info), _BREAK.join(_hazards(info))]
    if not info.rows_first:
        parts += description
    excerpt = _excerpt(info)
    if excerpt and info.excerpt is not None:
        parts.append(_fence(info.excerpt.language, excerpt))
    parts.append(_BREAK.join(_link(one) if one.url else one.title for one in info.places))
    rows = _table(info)
    if rows:
        parts.append(_fence("text", rows))
    parts.append(_BREAK.join("\n".join(_wrapped(note)) for note in info.notes))
    if info.rows_first:
        parts += description
    # Each on a line of its own: editors that hide the address of a link break the line as if it were shown.
    parts.append(_BREAK.join(map(_link, info.pages)))
    return "\n\n".join(filter(None, parts))


def _link(further: FurtherReading) -> str:
    return f"[{further.title}]({further.url})"


def plain(info: HoverInfo) -> str:
    """Return the hover as plain text, without markup and addresses."""
    code = "\n".join(_code_lines(info))
    link = f"see {info.link.title}" if info.link is not None else ""
    headline = _bare("\n".join(_headline(info, info.title, link)))
    parts = [headline, code] if info.title else [code, headline]
    parts.append(_bare("\n".join(_mistakes(info))))
    description = [*(_bare(paragraph) for paragraph in _lead(info)), _bare("\n".join(_hazards(info)))]
    facts = [
        "\n".join(_excerpt(info)),
        _bare("\n".join(one.title for one in info.places)),
        "\n".join(_table(info)),
        _bare("\n".join("\n".join(_wrapped(note)) for note in info.notes)),
    ]
    parts += [*facts, *description] if info.rows_first else [*description, *facts]
    return "\n\n".join(filter(None, parts))


_BREAK = "  \n"
"""A line break in Markdown."""


def _headline(info: HoverInfo, title: str, link: str) -> list[str]:
    """Return title, availability and link as they are marked up, on as few lines as they need."""
    found: list[str] = []
    width = 0
    facts = _wrapped(info.availability) if info.availability else []
    named = info.link.title if info.link is not None else ""
    for text, shown in ((title, info.title), *((fact, fact) for fact in facts), (link, named)):
        if not text:
            continue
        if found and width + len(_DOT) + len(shown) <= WIDTH:
            found[-1] += _DOT + text
            width += len(_DOT) + len(shown)
        else:
            found.append(text)
            width = len(shown)
    return found


_DOT = " · "


def _fence(language: str, lines: Iterable[str]) -> str:
    return f"```{language}\n" + "\n".join(lines) + "\n```"


def _bare(text: str) -> str:
    return _EMPHASIS.sub(r"\1", _MARKS.sub("", _LINE.sub(r"\1", text)))


def _width(text: str) -> int:
    """Return the width of prose in columns, including code and bold markers, which some clients show."""
    return len(_LINE.sub(r"\1", text) if "](#" in text else text)


def _excerpt(info: HoverInfo) -> list[str]:
    """Return the lines of the source excerpt, truncated to the width."""
    if info.excerpt is None:
        return []
    # External text must not contain the end of the fence or a horizontal rule.
    harmless = (line.replace("```", "'''").replace("---", "- -") for line in info.excerpt.lines[: FENCED_LINES // 2])
    lines = [line.expandtabs(4).rstrip() for line in harmless]
    shared = min((len(line) - len(line.lstrip()) for line in lines if line), default=0)
    return [line[shared : shared + WIDTH - 1] + "…" * (len(line) > shared + WIDTH - 1) for line in lines]


def _code_lines(info: HoverInfo) -> list[str]:
    """Return the code; lines that are too long are broken before an operand or a qualifier."""
    pieces = (piece for line in info.code for piece in _broken(line[:_LONGEST_CODE]))
    return list(islice(pieces, FENCED_LINES // 2))


_LONGEST_CODE = FENCED_LINES * WIDTH
"""The characters of a line of which pieces are shown: a list of parameters can have a megabyte."""


def _broken(line: str) -> Iterator[str]:
    indent = ""
    while len(line) > WIDTH:
        at = max(line.rfind("  ", 1, WIDTH), line.rfind(", ", 1, WIDTH) + 1)
        if at <= len(indent):
            at = line.rfind(".", len(indent) + 1, WIDTH)
        if at <= len(indent):
            at = WIDTH
        yield line[:at].rstrip()
        indent = "    "
        line = indent + line[at:].lstrip()
    yield line


def _lead(info: HoverInfo) -> list[str]:
    """Return the paragraphs of prose within :data:`LEAD_LINES`; the first one is always included."""
    found: list[str] = []
    left = LEAD_LINES
    for paragraph in info.lead:
        lines = _wrapped(paragraph)
        if found and len(lines) > left:
            continue
        shown = lines[:left]
        if len(shown) < len(lines):
            shown[-1] = _shortened(shown[-1] + " ", WIDTH - len(_CUT)).rstrip() + _CUT
        found.append("\n".join(shown))
        left -= len(shown)
        if left <= 0:
            break
    return found


def _wrapped(paragraph: str) -> list[str]:
    """Wrap to :data:`WIDTH` columns. Code spans stay whole; no line begins like a Markdown list."""
    lines: list[str] = []
    paragraph = _CODE_OR_TARGET.sub(lambda found: f"`{found[0].strip('`')}`", paragraph)
    for word in (piece for found in _WORDS.findall(paragraph) for piece in _pieces(found)):
        fits = lines and _width(lines[-1]) + 1 + _width(word) <= WIDTH
        if lines and (fits or _STARTS_A_BLOCK.match(word)):
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines


def _pieces(word: str) -> Iterator[str]:
    """Yield a word; a code span longer than a line is split into several, before qualifiers."""
    while len(word) > WIDTH and word.startswith("`") and word.count("`") == len("``"):
        at = max(word.rfind(".", 2, WIDTH - 1), word.rfind(" ", 2, WIDTH - 1))
        at = at if at > 0 else WIDTH - 1
        yield word[:at].rstrip() + "`"
        word = "`" + word[at:].lstrip()
    yield word


def _table(info: HoverInfo) -> list[str]:
    """Return the picture unchanged, and the rows: in one line each if all is visible then, or if there are many.

    Rows that come first are visible anyway: they are shortened only where the rest is visible then too.
    """
    limit = max(FENCED_LINES - len(_code_lines(info)) - len(_excerpt(info)), 0)
    picture = [line.rstrip()[:WIDTH] for line in info.picture[:limit]]
    limit -= len(picture)
    room = VISIBLE_LINES - _lines_around(info) - len(picture)
    if info.rows_first and room < len(info.rows):
        return picture + _row_lines(info.rows, limit)
    return picture + _row_lines(info.rows, min(limit, max(room, len(info.rows))))


def _lines_around(info: HoverInfo) -> int:
    """Return the number of visible lines of everything but the table."""
    return _lines_of_facts(info) + sum(map(_visible_lines, _hazards(info)))


def _lines_of_facts(info: HoverInfo) -> int:
    """Return the number of visible lines of everything but the table and the hazards."""
    prose = [*_headline(info, info.title, ""), *_mistakes(info), *_lead(info), *info.notes]
    return len(_code_lines(info)) + len(_excerpt(info)) + sum(map(_visible_lines, prose))


def _visible_lines(prose: str) -> int:
    """Return the number of lines that a paragraph takes where its own line breaks do not count."""
    return -(-len(_bare(prose)) // PROSE_WIDTH)


def _mistakes(info: HoverInfo) -> list[str]:
    return ["\n".join(_wrapped(one)) for one in info.mistakes]


def _hazards(info: HoverInfo) -> list[str]:
    """Return the hazards; if the hover is too long, the last ones are shortened.

    Below rows that come first the description counts only where all of it is visible then.
    """
    texts = [one.text for one in info.hazards]
    room = VISIBLE_LINES - _lines_of_facts(info) - len(info.picture) - len(info.rows)
    if info.rows_first and sum(_visible_lines(one.short or one.text) for one in info.hazards) > room:
        room += sum(map(_visible_lines, _lead(info)))
    for at in reversed(range(len(texts))):
        if info.hazards[at].short and sum(map(_visible_lines, texts)) > room:
            texts[at] = info.hazards[at].short
    return ["\n".join(_wrapped(text)) for text in texts]


def _row_lines(rows: tuple[HoverRow, ...], limit: int) -> list[str]:
    """Return the table in at most ``limit`` lines: a column of names and their descriptions.

    If it is too long, rows are reduced to one line from the last one up; of rows that still do not fit, the names are
    listed.
    """
    if not rows or limit <= 0:
        return []
    widest = max((len(row.name) for row in rows if len(row.name) <= LONGEST_NAME), default=0)
    blocks = [_block(row, widest) for row in rows]
    for at in reversed(range(len(blocks))):
        if sum(map(len, blocks)) > limit:
            blocks[at] = [_in_one_line(blocks[at])]
    lines = [line for block in blocks for line in block]
    if len(lines) <= limit:
        return lines
    left = " ".join(row.name for row in rows[limit - 1 :])
    return [*lines[: limit - 1], f"also  {_shortened(left, WIDTH - 8)}{_CUT if len(left) > WIDTH - 8 else ''}"]


def _in_one_line(block: list[str]) -> str:
    """Truncate a row at the end of a clause that fits, else at a word."""
    if len(block) == 1:
        return block[0]
    text = " ".join([block[0], *(line.strip() for line in block[1:])])
    for clause in reversed(list(_CLAUSE.finditer(text, 0, WIDTH + 1))):
        kept = text[: clause.start()]
        if len(kept) >= _FEWEST_COLUMNS and all(kept.count(pair[0]) == kept.count(pair[1]) for pair in _PAIRS):
            return kept
    return _shortened(text, WIDTH - len(_CUT)) + _CUT


_CLAUSE = re.compile(r"[,:;] ")
_PAIRS = ("{}", "[]", "()")
_FEWEST_COLUMNS = 44
"""The minimum width of a text that is cut at a clause without an ellipsis."""


def _block(row: HoverRow, widest: int) -> list[str]:
    """Return the lines of a row: the text in the second column, or directly after a long name."""
    text = _bare(row.text)
    beside = len(row.name) <= widest
    indent = " " * (widest + 2)
    words = text.split()
    lines = [row.name.ljust(widest + 2) if beside else row.name + "  "]
    start = True
    for word in words:
        if not start and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append(indent + word)
        else:
            lines[-1] += word if start else " " + word
        start = False
    return [line.rstrip() for line in lines]


def _shortened(text: str, width: int) -> str:
    if len(text) <= width:
        return text
    at = text.rfind(" ", 0, width)
    return text[: at if at > 0 else width].rstrip()
