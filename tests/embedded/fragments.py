"""The fragment of a single statement."""

from __future__ import annotations

from ptx_lsp.embedded.fragment import AsmFragment, fragments_of
from ptx_lsp.hosts.find import find_sites

from .annotated_host import whole


def fragment_of(source: str, host: str = "cuda-cpp") -> AsmFragment:
    """The fragment of the only statement of a source, in its first variant."""
    text = whole(source) if host == "cuda-cpp" else source
    (site,) = find_sites(text, host)
    return fragments_of(site)[0]
