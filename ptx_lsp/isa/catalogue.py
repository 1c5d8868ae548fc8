"""All instructions, found by opcode."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from itertools import islice, takewhile

from ptx_lsp.derived_values import once
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.shared import Shared
from ptx_lsp.isa.store.stored import Library, open_library
from ptx_lsp.isa.vocabulary.vocabulary import Vocabulary
from ptx_lsp.process_cache import ProcessCache
from ptx_lsp.similar_words import SimilarWords

_MOST_KEPT = 1 << 12
"""Answers about mnemonics and opcodes that are kept: files can have any number of misspelt ones."""


@cache
def catalogue() -> Catalogue:
    """The one catalogue of the process."""
    return Catalogue(open_library())


class Catalogue:
    """The instruction pages under their names, and the vocabulary."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._by_mnemonic: dict[str, list[tuple[str, str]]] = {}
        for path, names in library.names.items():
            for name in names:
                self._by_mnemonic.setdefault(name.partition(".")[0], []).append((name, path))
        self._depth: ProcessCache[str, int] = ProcessCache(_MOST_KEPT)
        self._listed_only: ProcessCache[str, tuple[str, ...]] = ProcessCache(_MOST_KEPT)
        self._candidates: ProcessCache[tuple[str, ...], tuple[InstructionPage, ...]] = ProcessCache(_MOST_KEPT)

    @property
    def shared(self) -> Shared:
        """The lists that the forms of all pages share."""
        return self._library.shared

    @once
    def vocabulary(self) -> Vocabulary:
        """The words outside the pages."""
        return Vocabulary()

    @property
    def instructions(self) -> tuple[InstructionPage, ...]:
        """The instructions of all pages, by path."""
        return tuple(self.each_instruction())

    def each_instruction(self) -> Iterator[InstructionPage]:
        """The instructions of all pages by path, each read when it is asked for."""
        return map(self._library.instruction, self._library.names)

    @once
    def names(self) -> tuple[str, ...]:
        """The names of all instructions that have a page, sorted."""
        return tuple(sorted({name for names in self._library.names.values() for name in names}))

    @once
    def mnemonics(self) -> tuple[str, ...]:
        """The first words of all names, sorted."""
        return tuple(sorted({name.partition(".")[0] for name in (*self.names, *self.vocabulary.mnemonics)}))

    def candidates(self, opcode: tuple[str, ...]) -> tuple[InstructionPage, ...]:
        """The instructions an opcode may mean, that with the longest name first; empty if no page has a name for it.

        A page says nothing about a longer name that is listed and has no page: ``tcgen05.ld`` nothing about another
        instruction whose name begins so.
        """
        mnemonic = opcode[0]
        if mnemonic not in self._by_mnemonic:
            return ()
        depth = self._depth.get(mnemonic)
        if depth is None:
            names = (*(name for name, _ in self._by_mnemonic.get(mnemonic, ())), *self._without_page(mnemonic))
            depth = self._depth[mnemonic] = max((name.count(".") + 1 for name in names), default=1)
        beginning = opcode[:depth]
        known = self._candidates.get(beginning)
        if known is None:
            text = "".join(beginning)
            listed = max((len(name) for name in self._without_page(mnemonic) if _begins(name, text)), default=0)
            lengths: dict[str, int] = {}
            for name, path in self._by_mnemonic.get(mnemonic, ()):
                if len(name) > listed and _begins(name, text):
                    lengths[path] = max(lengths.get(path, 0), len(name))
            best = sorted(lengths, key=lambda path: -lengths[path])
            known = self._candidates[beginning] = tuple(map(self._library.instruction, best))
        return known

    def _without_page(self, mnemonic: str) -> tuple[str, ...]:
        """The listed names with this first word that are on no page, under whatever name."""
        found = self._listed_only.get(mnemonic)
        if found is None:
            listed = self._listed.get(mnemonic, ())
            entries = self._by_mnemonic.get(mnemonic, ())
            # A page named `mad24.lo` describes `mad24`; one named `cp.async.bulk.tensor` not `cp.async.bulk`.
            described = {
                max((word for word in listed if _begins(word, name)), key=len, default="") for name, _ in entries
            }
            rest = (name for name in listed if name not in described)
            found = self._listed_only[mnemonic] = tuple(name for name in rest if not self._is_spelled(name))
        return found

    def _is_spelled(self, listed: str) -> bool:
        """Whether a page with a shorter name has forms that spell a listed one: ``add.cc`` is on that of ``add``."""
        mnemonic, *rest = listed.split(".")
        paths = dict.fromkeys(path for name, path in self._by_mnemonic.get(mnemonic, ()) if _begins(name, listed))
        words = {"." + word for word in rest}
        forms = (form for path in paths for form in self._library.instruction(path).forms)
        return any(words.issubset(word for slot in form.slots for word in slot.choices) for form in forms)

    def beginning_with(self, opcode: tuple[str, ...]) -> tuple[InstructionPage, ...]:
        """The instructions that an opcode may become: its candidates, and those whose name it is the beginning of."""
        text = "".join(opcode) + "."
        longer = {path: None for name, path in self._by_mnemonic.get(opcode[0], ()) if name.startswith(text)}
        known = self.candidates(opcode)
        return (*known, *(found for found in map(self._library.instruction, longer) if found not in known))

    def instruction(self, opcode: tuple[str, ...]) -> InstructionPage | None:
        """The page of an opcode: that whose name is the longest beginning of it."""
        return next(iter(self.candidates(opcode)), None)

    def status(self, opcode: tuple[str, ...]) -> str:
        """``page`` if a page describes the opcode, ``known`` if only its name is listed, else ``unknown``."""
        if self.candidates(opcode):
            return "page"
        text = "".join(opcode)
        return "known" if any(_begins(name, text) for name in self.vocabulary.mnemonics) else "unknown"

    def is_listed_only(self, opcode: tuple[str, ...]) -> bool:
        """Whether the opcode is an instruction of the manual without a page, even under a longer name."""
        text = "".join(opcode)
        return not self.candidates(opcode) and any(_begins(name, text) for name in self._without_page(opcode[0]))

    @once
    def _listed(self) -> dict[str, tuple[str, ...]]:
        """The listed names by their first word."""
        found: dict[str, list[str]] = {}
        for name in self.vocabulary.mnemonics:
            found.setdefault(name.partition(".")[0], []).append(name)
        return {mnemonic: tuple(names) for mnemonic, names in found.items()}

    def names_from(self, text: str) -> list[str]:
        """The names with a page that begin with ``text``, sorted."""
        return _starting(self.names, text)

    @once
    def _known(self) -> tuple[str, ...]:
        """The names of all instructions, with and without a page, sorted."""
        return tuple(sorted({*self.names, *self.vocabulary.mnemonics}))

    @once
    def _similar_names(self) -> SimilarWords:
        return SimilarWords([*self._known, *self.mnemonics])

    @once
    def _similar_mnemonics(self) -> SimilarWords:
        return SimilarWords(self.mnemonics)

    def nearest(self, word: str, count: int = 3) -> tuple[str, ...]:
        """The names most like a misspelt opcode, best first; nothing if none is near."""
        text = word.lower()
        longer = _starting(self._known, text)
        near = self._similar_names.near(text, count, 0.7)
        heads = self._similar_mnemonics.near(text.partition(".")[0], count)
        return tuple(dict.fromkeys([*near[:1], *longer, *near, *heads]))[:count]


def _starting(names: tuple[str, ...], text: str) -> list[str]:
    """Those of some sorted names that begin with ``text``."""
    return list(takewhile(lambda name: name.startswith(text), islice(names, bisect_left(names, text), None)))


def _begins(name: str, opcode: str) -> bool:
    """Whether an opcode begins with a name, as a whole word or more."""
    return opcode == name or opcode.startswith(name + ".")
