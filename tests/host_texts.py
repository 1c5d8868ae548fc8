"""Short ways to look at the inline assembly of a host text."""

from __future__ import annotations

from ptx_lsp.hosts.find import find_sites
from ptx_lsp.hosts.site import PieceKind, Site, Variant


def cuda(text: str) -> list[Site]:
    """The statements of CUDA C++."""
    return find_sites(text, "cuda-cpp")


def python(text: str) -> list[Site]:
    """The calls of Python."""
    return find_sites(text, "python")


def template(of: Site | Variant) -> str:
    """The template, with ``<?>`` for each hole."""
    return "".join("<?>" if piece.kind == PieceKind.HOLE else piece.text for piece in of.pieces)


def operands(site: Site) -> list[tuple[str | None, str]]:
    """The constraints and expressions of the operands."""
    return [(one.constraint, one.expression) for one in site.operands]


def facts(site: Site) -> tuple[object, ...]:
    """All that is known of a site."""
    places = (site.start, site.text, site.block, site.macro)
    return (*places, site.host, site.dialect, site.guards, site.certainty, site.parts)


def check_places(text: str, sites: list[Site]) -> None:
    """Pieces follow each other without gaps, and what is verbatim stands in the host text."""
    for site in sites:
        assert text[site.start : site.span.end] == site.text
        for variant in site.variants:
            end = variant.pieces[0].start if variant.pieces else 0
            for piece in variant.pieces:
                assert piece.start == end <= piece.end <= len(site.text)
                assert piece.kind != PieceKind.VERBATIM or piece.text == site.text[piece.start : piece.end]
                end = piece.end
