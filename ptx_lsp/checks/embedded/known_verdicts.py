"""The verdicts on fragments that are known, by all that they depend on."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ptx_lsp.checks.embedded.likeness import Likeness, has_own_names, ignores_numbers, likeness
from ptx_lsp.checks.embedded.wanted import Wanted
from ptx_lsp.derived_values import once
from ptx_lsp.diagnostic import Diagnostic
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.target_sets import TargetSet
from ptx_lsp.process_cache import ProcessCache

VERDICTS: ProcessCache[object, tuple[Diagnostic, ...]] = ProcessCache(1 << 13)
"""By the fragment and the targets: headers repeat the same statements, and a file is checked again as it is edited."""
_CODES: ProcessCache[object, frozenset[str]] = ProcessCache(1 << 10)
"""The codes of the findings in fragments that are alike."""
_UNREADABLE: ProcessCache[object, bool] = ProcessCache(1 << 10)
"""Fragments that are alike and have errors that no name and no number makes."""
_OF_OTHER_TEXT = ("E1", "E301", "E302")
"""Codes of errors in text that may be no PTX."""
_OF_ANY_NUMBER = frozenset({"E101", "E102", "E104", "E110"})
"""Codes of errors that have the same cause whatever numbers a statement has."""

IsSilenced = Callable[[str], bool]
"""Whether comments around a statement silence a code."""


class Question:
    """A fragment with all else that a verdict depends on: targets, version, and the findings that are wanted.

    Of findings that comments silence a verdict may have none: if all of those in a fragment that is like it are such.
    Whether a fragment is PTX may be uncertain: if it does not read as such, its findings are not wanted.
    """

    def __init__(
        self,
        fragment: AsmFragment,
        targets: TargetSet,
        version: str | None,
        wanted: Wanted,
        silences: IsSilenced | None = None,
        *,
        is_certain: bool = True,
    ) -> None:
        self.fragment = fragment
        self._silences = silences
        self._is_certain = is_certain
        self._wanted = wanted
        self._others = (targets.name, version, wanted)
        self.key: object = (fragment.key, self._others)
        """Equal only for equal verdicts."""

    @once
    def _like(self) -> Likeness | None:
        return self.fragment.derived(likeness)

    @property
    def kind(self) -> object:
        """Equal for those of which one may show that no findings in the others are wanted; None if none can."""
        like = self._like if self._silences is not None or not self._is_certain else None
        return None if like is None else self._like_key(like, with_numbers=False)

    def _like_key(self, like: Likeness, *, with_numbers: bool) -> object:
        return like.text, like.numbers if with_numbers else None, like.lengths, self.fragment.key[1:], self._others

    @property
    def is_open(self) -> bool:
        """Whether the verdict is not known, and may be wanted."""
        return self.known() is None and not self.is_like_other_text

    @property
    def is_like_other_text(self) -> bool:
        """Whether it may be no PTX, and one that is like it does not read as such."""
        like = self._like if _UNREADABLE and not self._is_certain else None
        return like is not None and self._like_key(like, with_numbers=False) in _UNREADABLE

    def is_other_text(self, found: Iterable[Diagnostic]) -> bool:
        """Whether it may be no PTX and does not read as such, by the findings in it."""
        return not self._is_certain and any(one.code.startswith(_OF_OTHER_TEXT) for one in found)

    def known(self) -> tuple[Diagnostic, ...] | None:
        """The verdict, if it is known."""
        if self.fragment.is_unknown or self.fragment.is_blank:
            return ()
        found = VERDICTS.get(self.key)
        if found is None and (like := self._like) is not None:
            found = VERDICTS.get(self._like_key(like, with_numbers=False))
            if found is None and like.numbers and like.has_names:
                found = VERDICTS.get(self._like_key(like, with_numbers=True))
            if found is not None:
                VERDICTS[self.key] = found
            elif self._are_silenced(like):
                return ()
        return found

    def _are_silenced(self, like: Likeness) -> bool:
        """Whether comments silence all codes of the findings in fragments that are like this one."""
        if self._silences is None:
            return False
        found = _CODES.get(self._like_key(like, with_numbers=False))
        if found is None and like.numbers and like.has_names:
            found = _CODES.get(self._like_key(like, with_numbers=True))
        return found is not None and all(map(self._silences, found))

    def keep(self, found: tuple[Diagnostic, ...]) -> None:
        """Keep the verdict; for fragments that are like this one that nothing is found, or the codes if they matter."""
        VERDICTS[self.key] = found
        if found and self._silences is None and self._is_certain or (like := self._like) is None:
            return
        if not self._is_certain and any(one.code in _OF_ANY_NUMBER for one in found):
            if has_own_names(self.fragment.checked):
                _UNREADABLE[self._like_key(like, with_numbers=False)] = True
            return
        if not like.numbers or ignores_numbers(self.fragment.checked, self._wanted.least):
            key = self._like_key(like, with_numbers=False)
        elif like.has_names:
            key = self._like_key(like, with_numbers=True)
        else:
            return
        if not found:
            VERDICTS[key] = ()
        elif has_own_names(self.fragment.checked):
            _CODES[key] = frozenset(one.code for one in found)
