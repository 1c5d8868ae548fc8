"""Statements in which nothing is found: those that are alike need not be checked."""

from __future__ import annotations

from ptx_lsp.checks.embedded.likeness import likeness
from ptx_lsp.embedded.alike_templates import AlikeTemplates
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.hosts.site import Certainty
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import ProcessCache


class QuietStatements:
    """The fragments in which the rules about inline assembly found nothing, under one version and set of targets."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, bool], ProcessCache[object, bool]] = {}
        """Whether the rules about PTX found nothing either, by what is wanted and whether it is certainly PTX."""

    def _table(self, fragment: AsmFragment, least: int) -> ProcessCache[object, bool]:
        key = least, fragment.site.certainty is Certainty.DEVICE
        if key not in self._known:
            self._known[key] = ProcessCache(1 << 11)
        return self._known[key]

    def find(self, fragment: AsmFragment, least: int) -> bool | None:
        """Whether nothing is found; None if rules about inline assembly may find something.

        Args:
            fragment: a fragment of the statement.
            least: the least severe findings that are wanted.

        """
        table = self._table(fragment, least)
        for kind in fragment.derived(_kinds):
            found = table.get(kind)
            if found is not None:
                return found
        return None

    def add(self, fragment: AsmFragment, least: int, *, is_correct: bool) -> None:
        """Note that the rules about inline assembly found nothing; ``is_correct``: and those about PTX neither."""
        table = self._table(fragment, least)
        for kind in fragment.derived(_kinds):
            table[kind] = is_correct and kind.is_all


class _Kind(NamedTuple):
    """A value that is equal only for fragments in which the rules find nothing if they do in none of them."""

    statement: object
    """All that the rules about inline assembly look at, besides the text."""
    text: object
    """The text, or what is like it."""
    is_all: bool = True
    """Whether rules about PTX find nothing either."""


def _kinds(fragment: AsmFragment) -> tuple[_Kind, ...]:
    """The kinds of a fragment; none if rules may look at something else in its statement."""
    site, variant = fragment.site, fragment.variant
    is_alike = site.alike is not None and site.alike.derived(AlikeTemplates).is_of(fragment.map)
    if is_alike:
        statement: tuple[object, ...] = site.alike, site.guards, site.macro
    elif fragment.operands or variant.clobbers or variant.problems or site.macro is not None:
        return ()
    else:
        marks = fragment.marks, tuple(fragment.replaced.unique), variant.are_operands_known
        statement = site.dialect, *marks, site.guards, variant.guards, *fragment.key[1:]
    like = fragment.derived(likeness)
    if like is None:
        return (_Kind(statement, fragment.text),)
    kinds = _Kind(statement, fragment.text), _Kind(statement, like)
    return (*kinds, _Kind(statement, like.text, is_all=False)) if is_alike else kinds
