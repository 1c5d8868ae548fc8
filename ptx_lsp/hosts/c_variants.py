"""The alternatives of a statement with ``#if`` within it: its text with all branches but the chosen ones blank."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from itertools import product

from ptx_lsp.hosts.c_tokens import BLOCK_COMMENT, LINE_COMMENT, LITERAL, raw_literal
from ptx_lsp.hosts.site import TargetGuard
from ptx_lsp.hosts.target_conditions import condition
from ptx_lsp.lazy_sequence import LazySequence
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized
from ptx_lsp.stepwise import listed

_MOST = 8
_MOST_GUARDS = 16
_IN_A_STEP = 512
"""Directives."""
_DIRECTIVE = r"(?:(?<=\n)|(?<=\A))[ \t]*#[ \t]*(?P<word>\w*)(?P<rest>[^\n]*+(?:(?:(?<=\\)|(?<=\\\r))\n[^\n]*+)*+)"
_TOKEN = re.compile(rf"{_DIRECTIVE}|{LINE_COMMENT}|{BLOCK_COMMENT}|(?P<raw>\bR\")|{LITERAL}")
_ON_LINES = re.compile(r"/\*|\bR\"|\\\r?\n").search
"""The beginning or a part of what may have several lines."""
_LINE = re.compile(r"(?m:^)[ \t]*+#[ \t]*+(?P<word>\w*+)(?P<rest>[^\n]*+)")


class Branch(NamedTuple):
    """A branch of an ``#if`` within a statement."""

    start: int
    end: int
    guards: tuple[TargetGuard, ...]
    """The conditions under which it is compiled, as far as they concern the target."""
    is_dead: bool


class _Group(NamedTuple):
    """An ``#if`` with its branches; the last one is empty if there is no ``#else``."""

    branches: list[Branch]
    text: str
    """The conditions, by which two groups can be the same."""


def finding_variants(text: str) -> Generator[None, None, Sequence[tuple[str, tuple[TargetGuard, ...]]]]:
    """The texts of equal length that a statement can be, at most 8, and the conditions of each; in steps."""
    if "#" not in text:
        return ((text, ()),)
    directives, groups = yield from _finding_groups(text)
    choices = yield from listed(_choices(groups))

    def chosen_text(number: int) -> tuple[str, tuple[TargetGuard, ...]]:
        guards: list[TargetGuard] = []
        blanks = list(directives)
        for group, chosen in zip(groups, choices[number], strict=True):
            blanks += [(one.start, one.end) for one in group.branches if one is not chosen]
            guards += chosen.guards
        return _blanked(text, blanks), tuple(guards)

    return LazySequence(len(choices), chosen_text)


def _choices(groups: list[_Group]) -> Iterator[tuple[Branch, ...]]:
    """Choices of a branch for each group: all of them if they are few, else each branch at least once if possible."""
    alive = [[one for one in group.branches if not one.is_dead] or group.branches[:1] for group in groups]
    count = 1
    for branches in alive:
        count = min(count * len(branches), _MOST + 1)
    if count <= _MOST:
        are_different = len({group.text for group in groups}) == len(groups)
        seen = set()
        for choice in product(*alive):
            if are_different:
                yield choice
            elif (key := _consistent(groups, choice)) is not None and key not in seen:
                seen.add(key)
                yield choice
        return
    for number in range(min(_MOST, max(len(branches) for branches in alive))):
        yield tuple(branches[min(number, len(branches) - 1)] for branches in alive)


def _consistent(groups: list[_Group], choice: tuple[Branch, ...]) -> tuple[int, ...] | None:
    """The numbers of the chosen branches; None if two groups with the same conditions have different ones."""
    numbers = tuple(
        next(number for number, one in enumerate(group.branches) if one is chosen)
        for group, chosen in zip(groups, choice, strict=True)
    )
    by_text: dict[str, int] = {}
    for group, number in zip(groups, numbers, strict=True):
        if by_text.setdefault(group.text, number) != number:
            return None
    return numbers


def _finding_groups(text: str) -> Generator[None, None, tuple[list[tuple[int, int]], list[_Group]]]:
    """The places of all directives, and the outermost ``#if`` with their branches; in steps of some hundred.

    Of an ``#if`` within a branch the first branch is taken.
    """
    directives: list[tuple[int, int]] = []
    groups: list[_Group] = []
    reader = _Conditions()
    rests: list[int] = []  # of each open #if: the end of its first branch, -1 within it
    start = 0
    for token in _LINE.finditer(text) if _ON_LINES(text) is None else _directives(text):
        at = token.end()
        word = token["word"]
        directives.append(token.span())
        if not len(directives) % _IN_A_STEP:
            yield
        if word in ("if", "ifdef", "ifndef"):
            rests.append(-1)
            if len(rests) == 1:
                reader = _Conditions()
                reader.open(word, token["rest"])
                start = at
        elif word.startswith("el") and len(rests) == 1:
            reader.close_branch(start, token.start())
            reader.open(word, token["rest"])
            start = at
        elif word.startswith("el") and rests and rests[-1] < 0:
            rests[-1] = at
        elif word == "endif" and rests:
            rest = rests.pop()
            if rests and rest >= 0:
                directives.append((rest, token.start()))
            elif not rests:
                reader.close_branch(start, token.start())
                groups.append(reader.group(at))
    if rests:  # The statement ends within it: in its first branch.
        reader.close_branch(start, len(text))
        groups.append(_Group([reader.branches[0], *(one._replace(is_dead=True) for one in reader.branches[1:])], ""))
    return directives, groups


def with_like_conditions(text: str) -> str:
    """A text that is equal for statements that differ only in conditions that do not concern the target.

    Equal conditions of one statement are equal in it, and all lengths are the same. Empty if it is not known.
    """
    if _ON_LINES(text) is not None:
        return ""
    numbers: dict[str, int] = {}

    def like(line: re.Match[str]) -> str:
        word, rest = line.groups()
        if not word.startswith(("if", "el")) or word == "else":
            return line[0]
        meaning = branch_meaning(word, rest)
        if meaning.guards or meaning.negated or meaning.value is not None or meaning.is_device:
            return line[0]
        number = numbers.setdefault(" ".join(rest.split()), len(numbers))
        return f"#{word} #{number} {len(line[0])}"

    return _LINE.sub(like, text)


def _directives(text: str) -> Iterator[re.Match[str]]:
    """The lines that are directives, outside of literals and comments."""
    at = 0
    while (token := _TOKEN.search(text, at)) is not None:
        at = token.end()
        if token["raw"]:
            raw = raw_literal(text, token.start("raw"), len(text))
            at = raw[2] if raw is not None else at
        if token["word"] is not None:
            yield token


class _Conditions:
    """The branches of one ``#if``, in the order in which they are read."""

    def __init__(self) -> None:
        self.branches: list[Branch] = []
        self._texts: list[str] = []
        self._negated: tuple[TargetGuard, ...] = ()
        self._guards: tuple[TargetGuard, ...] = ()
        self._is_dead = False
        self._is_decided = False
        self._has_else = False

    def open(self, word: str, rest: str) -> None:
        """A directive that begins a branch."""
        self._texts.append(f"{word} {' '.join(rest.split())}")
        if word == "else":
            self._has_else = True
            self._guards, self._is_dead = self._negated, self._is_decided
            return
        meaning = branch_meaning(word, rest)
        self._guards = (*self._negated, *meaning.guards)
        self._negated = (*self._negated, *meaning.negated)[:_MOST_GUARDS]
        self._is_dead = self._is_decided or meaning.value is False
        self._is_decided = self._is_decided or meaning.value is True

    def close_branch(self, start: int, end: int) -> None:
        """The end of the branch that was opened last."""
        self.branches.append(Branch(start, end, self._guards, self._is_dead))

    def group(self, at: int) -> _Group:
        """All branches; without ``#else`` an empty one at ``at``."""
        if not self._has_else:
            self.branches.append(Branch(at, at, self._negated, self._is_decided))
        return _Group(self.branches, "\n".join(self._texts))


class BranchMeaning(NamedTuple):
    """The condition of a directive ``#if``, ``#ifdef``, ``#elif`` ..."""

    guards: tuple[TargetGuard, ...]
    """Those of its branch; none if the condition does not concern the target."""
    negated: tuple[TargetGuard, ...]
    """Those of the branches after it."""
    value: bool | None
    """The value of a constant condition."""
    is_device: bool
    """Whether its branch is compiled only for devices."""
    is_device_otherwise: bool


@memoized(1024)
def branch_meaning(word: str, rest: str) -> BranchMeaning:
    """The condition of a directive, by its word and the text after it."""
    text = one_line(rest)
    is_negated = word.endswith("ndef")
    if word.endswith("def"):
        text = f"defined({text.partition(' ')[0]})"
    found = condition(text)
    if found.is_constant is not None:
        return BranchMeaning((), (), found.is_constant is not is_negated, False, False)
    if found.kind == "other":
        return BranchMeaning((), (), None, False, False)
    holds = TargetGuard(found.kind, text, False, found.holds)
    fails = TargetGuard(found.kind, text, True, found.fails)
    devices = (not found.holds_on_host, not found.fails_on_host)
    if is_negated:
        return BranchMeaning((fails,), (holds,), None, *reversed(devices))
    return BranchMeaning((holds,), (fails,), None, *devices)


_COMMENTS = re.compile(rf"{LINE_COMMENT}|{BLOCK_COMMENT}|\\\r?\n|\s+")


def one_line(text: str) -> str:
    """The text with one space for each run of white space, comments and splices."""
    if text.isidentifier():  # as most operands are
        return text
    return " ".join(_COMMENTS.sub(" ", text).split())


def _blanked(text: str, places: list[tuple[int, int]]) -> str:
    parts = []
    at = 0
    for start, end in sorted(places):
        if end <= at:
            continue
        start = max(start, at)
        parts += [text[at:start], " " * (end - start)]
        at = end
    return "".join((*parts, text[at:]))
