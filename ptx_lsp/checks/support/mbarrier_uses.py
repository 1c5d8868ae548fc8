"""The uses of mbarriers in a function, for the rules about them."""

from __future__ import annotations

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.mbarriers import Mbarriers


def mbarrier_uses(flow: Flow) -> Mbarriers:
    """The uses of mbarriers in a function; found once."""
    return flow.derived(_found)


def _found(flow: Flow) -> Mbarriers:
    return Mbarriers(flow.kernel)
