"""The page of a concept: the memory model, proxies, descriptors in shared memory …"""

from __future__ import annotations

from collections.abc import Iterable

from ptx_lsp.isa.concepts import Concept, concept_of


def concept_page(topic: str) -> str | None:
    """Return the page of a concept by its name or any of its usual words."""
    found = concept_of(topic)
    return None if found is None else found.text


def see_also(found: Iterable[Concept]) -> str:
    """Return the last line of a page with links to concepts; empty if there are none."""
    links = ", ".join(f"[{one.short_title}]({one.address})" for one in found)
    return f"See also: {links}." if links else ""
