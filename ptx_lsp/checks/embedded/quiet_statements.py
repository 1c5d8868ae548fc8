"""Statements in which nothing is found: those that are alike need not be checked."""

from __future__ import annotations

from ptx_lsp.checks.embedded.likeness import ignores_numbers, likeness
from ptx_lsp.checks.embedded.numbered_words import NumberedForm, NumberedWords
from ptx_lsp.derived_values import Deriving
from ptx_lsp.embedded.alike_templates import AlikeTemplates
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.hosts.site import Certainty, Site
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import ProcessCache


class QuietStatements:
    """The fragments in which the rules about inline assembly found nothing, under one version and set of targets."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, bool], ProcessCache[object, bool]] = {}
        """Whether the rules about PTX found nothing either, by what is wanted and whether it is certainly PTX."""
        self._silent: ProcessCache[object, bool] = ProcessCache(1 << 11)
        """Statements in which no rule finds anything, by all that tells it before they are read."""

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
        site, alike = fragment.site, fragment.site.alike
        if is_correct and alike is not None:
            words = alike.derived(NumberedWords)
            words.keep(fragment)
            form = words.form_of(site.text)
            if form is not None:
                self._silent[_silent_key(alike, site, least, form)] = True
                if form.numbers and ignores_numbers(fragment.checked, least):
                    self._silent[_silent_key(alike, site, least, form.without_numbers)] = True

    def is_silent(self, site: Site, least: int) -> bool:
        """Whether nothing is found in a statement, nor against PTX; it needs not be read for that.

        Args:
            site: the statement.
            least: the least severe findings that are wanted.

        """
        alike = site.alike if self._silent else None
        form = alike.derived(NumberedWords).form_of(site.text) if alike is not None else None
        if alike is None or form is None:
            return False
        if _silent_key(alike, site, least, form.without_numbers) in self._silent:
            return True
        return bool(form.numbers) and _silent_key(alike, site, least, form) in self._silent


def _silent_key(alike: Deriving, site: Site, least: int, form: NumberedForm) -> object:
    return alike, site.guards, site.macro, site.context, least, form


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
