"""Words of other modules that this one lacks: the qualifiers and instructions of newer versions and targets.

Asked of the search of completion itself, for the versions and targets that the gates of the forms name.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from functools import cache

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.completion.offers import endings, next_words, offers, readings
from ptx_lsp.isa.model.gate import AcceptancePolicy, Gate, Need
from ptx_lsp.isa.model.language_level import DOCUMENTED, LanguageLevel, language_level
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.process_cache import memoized

_SUFFIXES = {"": 0, "f": 1, "a": 2}


@memoized(1024)
def newer_offers(opcode: tuple[str, ...], version: Version, target: Target) -> dict[str, Need]:
    """The qualifiers that could follow in a newer module and cannot in this one, each with what the module lacks."""
    words = _words(opcode, DOCUMENTED)
    for known in offers(opcode, version, target):
        words.pop(known, None)
    if not words:
        return {}
    wanted = _AllBut(words)
    return _needs(words, lambda module: _words(opcode, module, wanted), _gates(opcode, words), version, target)


@memoized(16)
def opcode_names(version: Version, target: Target) -> dict[str, Need | None]:
    """The names of all instructions, sorted, each with what the module lacks for it; None if nothing.

    Names without a page are among them: nothing is known to be lacking. Of what is gone there are none.
    """
    needs = ((name, _need_of(name, version, target)) for name in _all_names())
    return {name: need for name, need in needs if need is not _NOWHERE}


def opcode_names_read_ahead(version: Version, target: Target) -> Iterator[None]:
    """Do the work of :func:`opcode_names` name by name, in steps of less than a millisecond."""
    for name in _all_names():
        _need_of(name, version, target)
        yield


@cache
def _all_names() -> tuple[str, ...]:
    without_page = (name for name in catalogue().vocabulary.mnemonics if name[0].isalpha())
    return tuple(sorted({*catalogue().names, *without_page}))


@memoized(1024)
def _need_of(name: str, version: Version, target: Target) -> Need | None:
    """The need of a module for an instruction; :data:`_NOWHERE` if no newer one has it either."""
    opcode = opcode_of(name)
    if not _exists(opcode, DOCUMENTED):
        return None if catalogue().is_listed_only(opcode) else _NOWHERE
    if _exists(opcode, language_level(version, target, AcceptancePolicy.LATEST)):
        return None
    return _needs({name: None}, _opcode_alone(name, opcode), _gates(opcode), version, target).get(name, _NOWHERE)


_NOWHERE = Need(until=True)


def opcode_of(name: str) -> tuple[str, ...]:
    """A name in its parts: ``("cp", ".async")``.

    >>> opcode_of("cp.async")
    ('cp', '.async')
    """
    first, *rest = name.split(".")
    return (first, *(f".{word}" for word in rest))


def _opcode_alone(name: str, opcode: tuple[str, ...]) -> Callable[[LanguageLevel], Iterable[str]]:
    return lambda module: (name,) if _exists(opcode, module) else ()


def _exists(opcode: tuple[str, ...], module: LanguageLevel) -> bool:
    """Whether a legal spelling begins so."""
    return any(True for reading in readings(opcode, module) for _ in endings(reading, module))


class _AllBut:
    """Holds every word but some."""

    def __init__(self, words: Container[str]) -> None:
        self._words = words

    def __contains__(self, word: object) -> bool:
        return word not in self._words


def _words(opcode: tuple[str, ...], module: LanguageLevel, skipped: Container[str] | None = None) -> dict[str, None]:
    """The words that can come next, but for ``skipped`` ones."""
    found: dict[str, None] = {}
    for reading in readings(opcode, module):
        found.update(dict.fromkeys(next_words(reading, module, found if skipped is None else skipped)))
    return found


def _needs(
    left: dict[str, None],
    allowed: Callable[[LanguageLevel], Iterable[str]],
    gates: Iterable[Gate],
    version: Version,
    target: Target,
) -> dict[str, Need]:
    """For each word the nearest module that has it: a newer version, else another target, else both.

    What is found is taken out of ``left``.
    """
    words = tuple(left)
    found: dict[str, Need] = {}
    for wanted in _modules(gates, version, target):
        newer = max(wanted.version or version, version)
        other = wanted.targets[0] if wanted.targets else target
        for word in allowed(language_level(newer, other, AcceptancePolicy.LATEST)):
            if word in left:
                del left[word]
                found[word] = wanted
        if not left:
            break
    return {word: found[word] for word in words if word in found}


def _modules(gates: Iterable[Gate], version: Version, target: Target) -> Iterator[Need]:
    """Other versions and targets, the nearest first; plain targets before those of a family, ``a`` last."""
    named = {since for gate in gates for part in (gate, *gate.others) for since in part.since}
    vocabulary = catalogue().vocabulary
    first = {word.target: word.version for word in vocabulary.targets.values()}
    targets = sorted(
        {one for since in named for one in since.targets if one in first and not target.implies(one)},
        key=lambda one: (_SUFFIXES[one.suffix], one.canonical < target.canonical, one.canonical, one.number),
    )
    versions = sorted({since.version for since in named if since.version > version} & set(vocabulary.versions))
    for newer in versions:
        yield Need(version=newer)
    for other in targets:
        if first[other] <= version:
            yield Need(targets=(other,))
    for newer in sorted({*versions, *(first[one] for one in targets if first[one] > version)}):
        for other in targets:
            if first[other] <= newer:
                yield Need(newer, (other,))


def _gates(opcode: tuple[str, ...], words: Iterable[str] = ()) -> set[Gate]:
    """All gates of the forms that an opcode may become, if given with one of ``words``."""
    found: set[Gate] = set()
    wanted = frozenset(words)
    for instruction in catalogue().beginning_with(opcode):
        for prepared in instruction.prepared.get(opcode[0], ()):
            if wanted and wanted.isdisjoint(prepared.homes):
                continue
            form = prepared.form
            found.update(form.gates)
            found.update(group.gate for slot in form.slots for group in slot.groups)
            found.update(row.gate for table in form.tables for row in table.rows)
            found.update(rule.gate for rule in form.rules)
    return found


def short_need(need: Need) -> str:
    """A need in few columns: ``PTX 8.6 sm_100a``; of several targets that would do the first.

    >>> short_need(Need(Version(8, 6), (Target(100, "a"),)))
    'PTX 8.6 sm_100a'
    """
    return " ".join(filter(None, (f"PTX {need.version}" if need.version else "", *map(str, need.targets[:1]))))
