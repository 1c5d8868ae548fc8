"""Mapping of tokens to the terminals of the grammar.

A word with a dot is a keyword only in a directive, ``call`` only as an opcode and not as a label; elsewhere
they are a DOT and a NAME, as in ptxas. ``WARP_SZ``, ``function_name`` and ``inlined_at``
are never names.
"""

from __future__ import annotations

from collections.abc import Callable, Generator

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.patterns import compile_pattern, compiled_on_use
from ptx_lsp.stepwise import mapped, run_to_completion
from ptx_lsp.syntax.automaton.tables import load
from ptx_lsp.syntax.tokens import TokenKind, kind_of

_NAMES = {kind: kind.name for kind in TokenKind}
"""The terminals of tokens that are no keywords; those of lexical errors are not in the grammar."""
_NAME, _DOT, _MARK, _INTEGER, _FLOAT = map(TokenKind.__getitem__, ("NAME", "DOT", "MARK", "INTEGER", "FLOAT"))
"""Kinds that are compared with those of all tokens: to look one up in its class takes ten times as long."""
_RUN = 4  # minimum length of a run of numbers or names that becomes one terminal
_WITHOUT_RUNS = 2 * _RUN
"""A directive of so few tokens has no runs."""
IN_A_STEP = 4096  # the number of tokens after which there is a pause
_WITH_NAMES = frozenset({"TARGETS", "SPACE"})
"""Directives with one of these terminals may have long lists of names: lists of targets and declarations."""
_FEW = 32
_OF_DEBUGGING = frozenset({"DATA", "SECTION"})
"""In directives that begin with one of these terminals other words are keywords."""
_WITHOUT_NAMES = frozenset({"FUNCTION", "PROTOTYPE"})


TYPE = compiled_on_use(r"\.(?:[busf]\d+|b?f16(?:x2)?|pred|texref|samplerref|surfref)")
"""The words of types of declarations."""
KEYWORDS = frozenset({"WARP_SZ", "function_name", "inlined_at", "_"})
"""Reserved words: lexically names, but never names of symbols."""

_WordEntry = Callable[[str, TokenKind], str]
"""Gives what stands for a word of some kind."""
NO_OPCODE = "NO_OPCODE"
"""The terminal of a name like ``%r1`` in place of an opcode; not in the grammar, so always an error."""


class Terminals(NamedTuple):
    """``names[i]`` stands for the tokens from ``firsts[i]`` up to ``firsts[i + 1]``; ``firsts[-1]`` is the end."""

    names: list[str]
    firsts: list[int]


def terminals(words: list[str], kinds: list[TokenKind]) -> Terminals:
    """The terminals of tokens by their texts and kinds. Those with lexical errors are not in the grammar."""
    if not is_short(kinds):
        return run_to_completion(finding_terminals(words, kinds))
    if kinds[0] is not _DOT:
        names = _of_instruction(words, kinds, opcode_index(words, kinds))
    elif load().words.get(words[0]) in _OF_DEBUGGING:
        names = _of_debugging(words, kinds)
    else:
        names = list(map(_in_directive, words, kinds))
    return Terminals(names, [*range(len(names) + 1)])


def is_short(kinds: list[TokenKind]) -> bool:
    """Whether a statement has no runs and needs no pauses, as most: a generator would take as long as the rest."""
    return 0 < len(kinds) <= (_WITHOUT_RUNS if kinds[0] is _DOT else IN_A_STEP)


def finding_terminals(words: list[str], kinds: list[TokenKind]) -> Generator[None, None, Terminals]:
    """:func:`terminals` in steps of some thousand tokens."""
    directive = bool(kinds) and kinds[0] is _DOT
    is_of_debugging = directive and load().words.get(words[0]) in _OF_DEBUGGING
    if directive and not is_of_debugging:
        names = yield from by_word(_in_directive, words, kinds)
    else:
        opcode = -1 if directive else opcode_index(words, kinds)
        names = []
        for start in range(0, len(words), IN_A_STEP):
            end = start + IN_A_STEP
            if is_of_debugging:
                names += _of_debugging(words, kinds, start, end)
            else:
                names += _of_instruction(words, kinds, opcode, start, end)
            if end <= len(words):
                yield
    if directive and len(names) > _WITHOUT_RUNS:
        return (yield from _collapsing(names))
    return Terminals(names, [*range(len(names) + 1)])


def _of_debugging(words: list[str], kinds: list[TokenKind], start: int = 0, end: int = IN_A_STEP) -> list[str]:
    """The terminals of the tokens ``[start, end)`` of debugging information."""
    keyword = load().words[words[0]]
    names = _of_instruction(words, kinds, -1, start, end)
    if keyword == "DATA":
        names = ["DOT" if name == "UNIFIED" else name for name in names]
    return names if start else [keyword, *names[1:]]


def _of_instruction(
    words: list[str], kinds: list[TokenKind], opcode: int, start: int = 0, end: int = IN_A_STEP
) -> list[str]:
    """The terminals of the tokens ``[start, end)`` of an instruction or label; ``opcode`` is :func:`opcode_index`."""
    tables = load()
    keywords, marks = tables.words, tables.marks
    names: list[str] = []
    for index, (word, kind) in enumerate(zip(words[start:end], kinds[start:end], strict=True), start):
        if kind is _INTEGER:  # with marks most tokens, and nearly all in a table
            names.append("INTEGER")
            continue
        if kind is _MARK:
            names.append(marks.get(word, "STRAY"))
            continue
        name = _NAMES[kind]
        if kind is _NAME:
            if index == opcode:
                is_label = words[index + 1 : index + 2] == [":"]
                if word in KEYWORDS or word == "call" and not is_label:
                    name = keywords[word]
                elif word[0] in "$%" and not is_label:
                    name = NO_OPCODE
            elif word in KEYWORDS:
                name = keywords[word]
        elif kind is _DOT:
            if word == ".unified":
                name = "UNIFIED"
        elif kind is _FLOAT and word[1:2] in ("f", "F"):
            name = "EXACT"
        names.append(name)
    return names


class _KnownWords(dict[str, str]):
    """The entries of the words of a directive that is no debugging information: one depends on the word alone."""

    has_unclear = False
    """Whether there is a word such as ``.2e5``, which may be a qualifier or a number."""

    def __init__(self, entry: _WordEntry) -> None:
        super().__init__()
        self._entry = entry

    def __missing__(self, word: str) -> str:
        """The entry of a word that was not asked for before."""
        if word[0] == "." and word[1:2].isdecimal():
            self.has_unclear = True
        found = self[word] = self._entry(word, kind_of(word))
        return found


def _in_directive(word: str, kind: TokenKind) -> str:
    """The terminal of a word of a directive that is no debugging information."""
    if kind is TokenKind.NAME and word not in KEYWORDS:
        return "NAME"
    tables = load()
    if kind is TokenKind.MARK:
        return tables.marks.get(word, "STRAY")
    if kind is TokenKind.NAME:
        return tables.words[word]
    if kind is TokenKind.DOT:
        keyword = tables.words.get(word, "DOT")
        return "DOT" if keyword in ("UNIFIED", "DATA") else keyword
    return "EXACT" if kind is TokenKind.FLOAT and word[1:2] in ("f", "F") else _NAMES[kind]


def by_word(entry: _WordEntry, words: list[str], kinds: list[TokenKind]) -> Generator[None, None, list[str]]:
    """The entry of each word, in steps: a long statement has most of its words again and again."""
    if len(words) < _FEW:  # hardly any word stands there again
        return list(map(entry, words, kinds))
    known = _KnownWords(entry)
    found = yield from mapped(known.__getitem__, words)
    return list(map(entry, words, kinds)) if known.has_unclear else found


def opcode_index(words: list[str], kinds: list[TokenKind]) -> int:
    """The place of an instruction's mnemonic among its tokens, the first name outside the guard; -1 without one."""
    for index, kind in enumerate(kinds[:_LATEST_OPCODE]):
        if kind is _NAME and not (index and words[index - 1][0] in "@!"):
            return index
    return -1


_LATEST_OPCODE = 5


def _collapsing(names: list[str]) -> Generator[None, None, Terminals]:
    """Join long runs of numbers, names and sizes, and inner braces with numbers, so that large tables parse quickly.

    After a run of names there are always a comma and one name more, which an error may follow. In steps.
    """
    begin = names[:_BEFORE_NAMES]
    has_names = not _WITH_NAMES.isdisjoint(begin) and _WITHOUT_NAMES.isdisjoint(begin)
    letters = "".join((yield from mapped(_Letters(_LETTERS).__getitem__, names)))
    if len(names) > IN_A_STEP:
        yield
    short: list[str] = []
    firsts: list[int] = []
    end = 0
    for count, run in enumerate((_RUNS if has_names else _RUNS_OF_NUMBERS)(letters), 1):
        if not count % IN_A_STEP:
            yield
        start, after = run.span()
        short += names[end:start]
        short.append(run.lastgroup or "NAMES")
        firsts += range(end, start + 1)
        end = after
    if len(names) - end > IN_A_STEP:
        yield
    short += names[end:]
    firsts += range(end, len(names) + 1)
    if len(names) - end > IN_A_STEP:
        yield
    return Terminals(short, firsts)


_BEFORE_NAMES = 16
"""A directive says what it is in so many terminals."""


_LETTERS = {
    "INTEGER": "i",
    "FLOAT": "f",
    "EXACT": "e",
    "NAME": "n",
    "DATA": "d",
    "DOT": ".",
    "TARGETS": "t",
    "MINUS": "-",
    "COMMA": ",",
    "LBRACE": "{",
    "RBRACE": "}",
    "LSQB": "[",
    "RSQB": "]",
}
"""The terminals that make or surround runs, each as a letter: the runs are found by regular expressions."""


class _Letters(dict[str, str]):
    """The letters of all terminals; a space for those that neither make nor surround runs."""

    def __missing__(self, _: str) -> str:
        """The letter of another terminal."""
        return " "


_NUMBER = r"(?:e|-?[if])(?=[,}]|\Z)"
_MORE = _RUN - 1
_NUMBERS = rf"(?<=[{{,d])(?P<RUN>{_NUMBER}(?:,{_NUMBER}){{{_MORE},}}+)"
_ROW = rf"(?<=[{{,])(?P<ROW>\{{(?:{_NUMBER}(?:,{_NUMBER})*+)?+\}})(?=[,}}])"
_SIZES = rf"(?:(?<=n\[i\])|(?<=n\[\]))(?P<SIZES>(?:\[i\]){{{_RUN},}}+)"
_RUNS_OF_NUMBERS = compile_pattern(_NUMBERS).finditer
_RUNS = compile_pattern(rf"{_ROW}|{_NUMBERS}|{_SIZES}|(?<=[{{,.t])n(?:,n){{{_MORE},}}(?=,n)").finditer
