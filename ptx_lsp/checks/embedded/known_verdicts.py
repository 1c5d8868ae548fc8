"""The verdicts on fragments that are known, by all that they depend on."""

from __future__ import annotations

from ptx_lsp.checks.embedded.likeness import Likeness, ignores_numbers, likeness
from ptx_lsp.checks.embedded.wanted import Wanted
from ptx_lsp.derived_values import once
from ptx_lsp.diagnostic import Diagnostic
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.target_sets import TargetSet
from ptx_lsp.process_cache import ProcessCache

VERDICTS: ProcessCache[object, tuple[Diagnostic, ...]] = ProcessCache(1 << 13)
"""By the fragment and the targets: headers repeat the same statements, and a file is checked again as it is edited."""


class Question:
    """A fragment with all else that a verdict depends on: targets, version, and the findings that are wanted."""

    def __init__(self, fragment: AsmFragment, targets: TargetSet, version: str | None, wanted: Wanted) -> None:
        self.fragment = fragment
        self._others = (targets.name, version, wanted)
        self.key: object = (fragment.key, self._others)
        """Equal only for equal verdicts."""

    @once
    def _like(self) -> Likeness | None:
        return likeness(self.fragment)

    def _like_key(self, like: Likeness, *, with_numbers: bool) -> object:
        return like.text, like.numbers if with_numbers else None, like.lengths, self.fragment.key[1:], self._others

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
        return found

    def keep(self, found: tuple[Diagnostic, ...]) -> None:
        """Keep the verdict, and if nothing is found, for fragments that are like this one."""
        VERDICTS[self.key] = found
        if found or (like := self._like) is None:
            return
        if not like.numbers or ignores_numbers(self.fragment.checked):
            VERDICTS[self._like_key(like, with_numbers=False)] = ()
        elif like.has_names:
            VERDICTS[self._like_key(like, with_numbers=True)] = ()
