"""Matrix descriptors in the layout of another generation."""

from __future__ import annotations

from ptx_lsp.analysis.descriptors.packed_operands import KnownOperand
from ptx_lsp.layouts.decode import FieldFaultKind, decode
from ptx_lsp.layouts.layout import Layout
from ptx_lsp.layouts.load import layouts

_FAMILY = "smem-desc-"


def is_foreign(known: KnownOperand) -> bool:
    """Whether a value breaks its own layout where another one of the family has no fault."""
    return _other(known) is not None


def own_layout(known: KnownOperand) -> str:
    """The title of the layout that the value follows, without marks."""
    other = _other(known)
    return other.title.replace("`", "") if other is not None else ""


def _other(known: KnownOperand) -> Layout | None:
    proved = known.proved
    if not proved.layout.name.startswith(_FAMILY) or not proved.value:
        return None
    if not any(finding.fault in (FieldFaultKind.FIXED, FieldFaultKind.RESERVED) for finding in proved.findings):
        return None
    for layout in layouts().values():
        if layout is not proved.layout and layout.name.startswith(_FAMILY):
            other = decode(layout, proved.value, known=proved.known)
            if not other.findings and proved.known >> 32 == (1 << 32) - 1:
                return layout
    return None
