"""The statements that some check may speak about, kept up to date edit by edit.

A chunk is examined again only when it, its surroundings or the names of the module that stand in it changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Generator, Hashable, Iterable

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.module.set_aside import SetAside, Swallowing
from ptx_lsp.analysis.semantics.surroundings import Surroundings
from ptx_lsp.analysis.statements.examine import Examiner
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.chunk import Chunk


class _Flagged(NamedTuple):
    """The flagged statements of a chunk, and under which circumstances they were found."""

    surroundings: Hashable
    statements: list[int]


class FlaggedStatements:
    """The flagged statements of the chunks of a module.

    Args:
        module: the module.
        surroundings: what they depend on in the function of a chunk.

    """

    def __init__(self, module: Module, surroundings: Surroundings) -> None:
        self._module = module
        self._surroundings = surroundings
        self._examiner = Examiner(module)
        self._flagged: dict[Chunk, _Flagged] = {}
        self._swallowed: SetAside[Chunk, _Flagged] = SetAside()

    def of(self, function: Function, chunk: Chunk) -> list[int]:
        """The flagged statements of a chunk, in order."""
        return run_to_completion(self.finding(function, chunk))

    def finding(self, function: Function, chunk: Chunk) -> Generator[None, None, list[int]]:
        """Find the flagged statements of a chunk, in order, in steps of a few milliseconds."""
        surroundings = yield from self._surroundings.finding(function, chunk)
        held = self._flagged.get(chunk)
        if held is None or held.surroundings != surroundings:
            statements = yield from self._examiner.examining(function, chunk)
            held = self._flagged[chunk] = _Flagged(surroundings, statements)
        return held.statements

    def known(self, function: Function, chunk: Chunk) -> list[int] | None:
        """The flagged statements of a chunk, if they were found already."""
        held = self._flagged.get(chunk)
        if held is None or held.surroundings != self._surroundings.known(function, chunk):
            return None
        return held.statements

    def set_unflagged(self, function: Function, chunk: Chunk) -> None:
        """Take over that none of the statements of a chunk is flagged; its surroundings must have been found."""
        self._flagged[chunk] = _Flagged(self._surroundings.known(function, chunk), [])

    def forget(self, chunks: Iterable[Chunk], swallowing: Swallowing | None = None) -> None:
        """Some chunks are gone; what a comment swallowed may come back."""
        if swallowing is not None and swallowing.swallowed:
            self._swallowed.take(self._flagged, swallowing.swallowed, swallowing.before)
        for chunk in chunks:
            self._flagged.pop(chunk, None)

    def give_back(self, swallowing: Swallowing) -> None:
        """Take over what is known of chunks that a comment has given back."""
        if swallowing.given_back:
            self._swallowed.give_back(self._flagged, swallowing.given_back, swallowing.after)

    def forgetting_users(self, names: frozenset[str]) -> Generator[None, None, frozenset[Chunk]]:
        """The module declares other things by some names: forget and return the chunks in which some stand.

        In steps of a few milliseconds.
        """
        if not names or not self._flagged:
            return frozenset()
        stands_in = _finder(names)
        users = []
        for number, chunk in enumerate(list(self._flagged), 1):
            if stands_in(chunk.text):
                users.append(chunk)
            if not number % _SEARCHED_IN_A_STEP:
                yield
        self.forget(users)
        return frozenset(users)

    def forget_all(self) -> None:
        """Prefixes of registers mean other things anywhere."""
        self._flagged.clear()

    def clear(self) -> None:
        """The version, the target or the texture mode is another."""
        self._flagged.clear()
        self._examiner = Examiner(self._module)


_SEARCHED_IN_A_STEP = 256
_DIGITS = "0123456789"
_FEW = 8
"""So many names are searched one by one."""
_BEGINNING = 3
"""The number of characters by which a word is recognised as one that may be a name."""


def _finder(names: Collection[str]) -> Callable[[str], bool]:
    """A function that returns whether one of some names may stand in a text; digits may follow the name of a group.

    Many names are not searched one by one, but all words that begin as some of them: such words are few.
    """
    if len(names) <= _FEW:
        escaped = map(re.escape, names)
        # The literal comes first, so that the engine skips to it.
        as_words = re.compile("|".join(rf"{name}(?<![\w$]{name})\d*+(?![\w$])" for name in escaped)).search
        return lambda text: any(name in text for name in names) and as_words(text) is not None
    stems = {name.removeprefix("%").rstrip(_DIGITS) for name in names}
    beginnings = sorted({stem[:_BEGINNING] for stem in stems})
    words = re.compile(rf"(?:{'|'.join(map(re.escape, beginnings))})[\w$]*+").findall
    return lambda text: not stems.isdisjoint([word.rstrip(_DIGITS) for word in set(words(text))])
