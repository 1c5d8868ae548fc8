"""Signature help: the possible forms of the instruction at the cursor, with the active operand."""

from __future__ import annotations

from ptx_lsp.analysis.cursor.unfinished import CursorRegion, unfinished_at
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.features.signature.calls import call_signatures
from ptx_lsp.features.signature.directives import directive_signatures
from ptx_lsp.features.signature.instructions import instruction_signatures
from ptx_lsp.features.signature.signature_info import Parameter, Signature, SignatureHelp

__all__ = ["Parameter", "Signature", "SignatureHelp", "signature_help"]


def signature_help(module: Module, offset: int, chosen: str = "") -> SignatureHelp | None:
    """Return the signatures at ``offset``; None in comments, strings and opcodes, and if none is known.

    Args:
        module: the document.
        offset: the cursor, in code points.
        chosen: the label of the signature that the user has selected; it stays active while it fits.

    """
    place = unfinished_at(module, offset)
    if place is None:
        return None
    if place.region is CursorRegion.DIRECTIVE:
        found = directive_signatures(place)
    elif place.region is CursorRegion.OPERAND and place.opcode:
        found = call_signatures(place) or instruction_signatures(place)
    else:
        return None
    if not found:
        return None
    active = next((at for at, one in enumerate(found) if one.label == chosen and one.fits == found[0].fits), 0)
    return SignatureHelp(tuple(found), active)
