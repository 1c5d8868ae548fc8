"""Small pieces of sentences that several checks share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ptx_lsp.compared_words import most_similar
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.process_cache import memoized
from ptx_lsp.similar_words import Spellings
from ptx_lsp.text import Span


def listed(words: Sequence[str], limit: int = 8) -> str:
    """Words of which one is expected, cut after ``limit``.

    >>> listed([".u8", ".u16", ".u32"]), listed([".u8", ".u16", ".u32"], 2)
    ('.u8, .u16 or .u32', '.u8, .u16, …')
    """
    return one_of(words) if len(words) <= limit else ", ".join([*words[:limit], "…"])


def nearest(word: str, candidates: Iterable[str], fits: Callable[[str], bool] = lambda _: True) -> str | None:
    """The candidate most similar to ``word`` that ``fits``, if one is similar enough to be meant."""
    return nearest_of(word, (_spellings(tuple(candidates)),), fits)


@memoized(64)
def _spellings(words: tuple[str, ...]) -> Spellings:
    """A list of words, which mostly is that of a page: the same slip is often in many places."""
    return Spellings(words)


def nearest_of(word: str, candidates: Iterable[Spellings], fits: Callable[[str], bool] = lambda _: True) -> str | None:
    """As :func:`nearest` for candidates of which many words are looked up: in time that does not grow with them."""
    likely: set[str] = set()
    for one in candidates:
        likely |= one.likely(word, _AT_MOST)
    most = _AT_MOST * _LONG // max(len(word), _LONG)
    some = sorted(likely)[:most]
    found = with_like_ends(word, some) if len(word) > _LONG else most_similar(word, some, _TRIED, _SIMILAR, _WORK)
    found.sort(key=lambda one: sorted(one) != sorted(word))  # two letters that changed places come before all else
    return next(filter(fits, found), None)


def with_like_ends(word: str, candidates: Iterable[str]) -> list[str]:
    """The candidates most similar to a long word, best first: how many letters their beginnings and ends share.

    The letters between are not compared, which would take long: names of so many characters are made by programs, and a
    slip in one is short.
    """
    wanted = word.encode()
    best: list[tuple[float, str]] = []
    for one in candidates:
        other = one.encode()
        length = min(len(wanted), len(other))
        # Of two numbers with these bytes, the bits of the exclusive or are 0 where the texts are the same.
        begin = int.from_bytes(wanted[:length], "big") ^ int.from_bytes(other[:length], "big")
        end = int.from_bytes(wanted[-length:], "big") ^ int.from_bytes(other[-length:], "big")
        same = length - (begin.bit_length() + 7) // 8
        same += min(length - same, ((end & -end).bit_length() - 1) // 8 if end else length)
        ratio = 2 * same / (len(wanted) + len(other))
        if ratio >= _SIMILAR:
            best.append((ratio, one))
    return [one for _, one in sorted(best, reverse=True)[:_TRIED]]


_SIMILAR = 0.6
_AT_MOST = 200
_TRIED = 3
_LONG = 100
_WORK = 1 << 16
"""Enough to compare so many words of 18 letters."""


def did_you_mean(span: Span, suggestion: str | None) -> tuple[str, tuple[Fix, ...]]:
    """The end of a message and the fix for a suggestion; both empty without one."""
    if suggestion is None:
        return "", ()
    return f"; did you mean '{suggestion}'?", (Fix(f"replace with '{suggestion}'", (Edit(span, suggestion),)),)


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "operand"), counted(3, "operand")
    ('1 operand', '3 operands')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def one_of(words: Sequence[str]) -> str:
    """Words of which one is expected.

    >>> one_of(["a", "b", "c"]), one_of(["a"])
    ('a, b or c', 'a')
    """
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else "".join(words)


_ARTICLES = {
    "register": "a register",
    "integer": "an integer",
    "float": "a float constant",
    "address": "an address",
    "vector": "a vector",
    "label": "a label",
    "function": "a function",
    "variable": "a variable",
    "special register": "a special register",
    "texture": "a texture",
    "arguments": "an argument list",
    "predicate": "a predicate",
    "sink": "'_'",
    "_": "'_'",
    "generic": "a variable",
    ".global": "a .global variable",
    ".shared": "a .shared variable",
    ".local": "a .local variable",
    ".const": "a .const variable",
    ".param": "a .param variable",
    ".texref": "a .texref",
    ".samplerref": "a .samplerref",
    ".surfref": "a .surfref",
}


def kinds(wanted: Sequence[str]) -> str:
    """The kinds of operands that are allowed, in words: the three commonest at most.

    >>> kinds(["register", "integer"])
    'a register or an integer'
    """
    return one_of([_ARTICLES.get(word, word) for word in wanted[:3]])
