"""Pieces of PTX with places to fill in: ``grammar/snippets/*.md``."""

from __future__ import annotations

import os
import re
from functools import cache

from ptx_lsp.grammar_files import grammar_file, read_grammar
from ptx_lsp.isa.model.gate import Gate
from ptx_lsp.named_tuples import NamedTuple

_FILE = re.compile(
    r"# (?P<name>\w+): (?P<words>.+)\n\nPlace: (?P<place>module|body)\. Gate: (?P<gate>.+)\n"
    r"\n```ptx\n(?P<body>.*?)```\n(?:\n```ptx setting\n(?P<setting>.*?)```\n)?",
    re.DOTALL,
)
_PLACE = re.compile(r"\$\{(\d+)(?::([^}]*))?\}|\$0")


class Snippet(NamedTuple):
    """Lines with places to fill in."""

    name: str
    words: str
    place: str
    """``module`` or ``body``."""
    gate: Gate
    body: str
    """In the notation of LSP: ``${1:default}``, ``$0``. Defaults stand where a place is named first."""
    setting: str
    """Declarations without which the lines mean nothing; not a part of them."""

    @property
    def example(self) -> str:
        """The lines with the defaults in their places."""
        defaults: dict[str, str] = {}
        for found in _PLACE.finditer(self.body):
            if found[1] and found[2] is not None:
                defaults.setdefault(found[1], found[2])
        return _PLACE.sub(lambda found: defaults.get(found[1] or "", ""), self.body).replace("\\$", "$")


@cache
def snippets() -> dict[str, Snippet]:
    """All of them by name, in the order of their names."""
    folder = grammar_file("snippets")
    names = sorted(name for name in os.listdir(folder) if name.endswith(".md") and name != "README.md")
    return {found.name: found for found in map(_read, names)}


def _read(name: str) -> Snippet:
    found = _FILE.fullmatch(read_grammar(f"snippets/{name}"))
    if found is None or f"{found['name']}.md" != name:
        raise ValueError(f"{name} is not written as grammar/snippets/README.md says")
    return Snippet(
        found["name"],
        found["words"],
        found["place"],
        Gate.parse(found["gate"]),
        found["body"].rstrip("\n"),
        found["setting"] or "",
    )
