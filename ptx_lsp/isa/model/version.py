"""Versions of the PTX language, as written after ``.version``."""

from __future__ import annotations

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized


class Version(NamedTuple):
    """A version of the PTX language; ordered, so that 8.10 comes after 8.9.

    >>> Version.parse("8.10") > Version.parse("8.9")
    True
    """

    major: int
    minor: int

    @staticmethod
    @memoized(1 << 10)
    def parse(text: str) -> Version:
        """Read ``"8.6"``.

        Raises:
            ValueError: if the text is not two numbers with a dot between them.
        """
        major, dot, minor = text.partition(".")
        if not (dot and major.isdecimal() and minor.isdecimal()):
            raise ValueError(f"not a PTX version: {text!r}")
        return Version(int(major), int(minor))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"

    @property
    def previous(self) -> Version:
        """The release before this one; the first release has none and answers itself."""
        older = [release for release in RELEASES if release < self]
        return max(older, default=self)


RELEASES: tuple[Version, ...] = tuple(
    Version(major, minor)
    for major, count in ((1, 6), (2, 4), (3, 3), (4, 4), (5, 2), (6, 6), (7, 9), (8, 9), (9, 6))
    for minor in range(count)
)
"""Every released version, oldest first: 1.0 to 9.5. Source: PTX ISA, "Release Notes"; ptxas 13.5 for the last."""
