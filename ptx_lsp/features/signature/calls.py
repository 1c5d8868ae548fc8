"""Signatures of calls: results and parameters, by the names of the function's declaration.

Source: PTX ISA, "Control Flow Instructions: call", "Function Declarations and Definitions".
"""

from __future__ import annotations

from ptx_lsp.analysis.cursor.callee import Callee, CalleeParameter, callee_at
from ptx_lsp.analysis.cursor.unfinished import UnfinishedStatement
from ptx_lsp.features.signature.signature_info import WIDTH, Signature, SignatureLabel


def call_signatures(place: UnfinishedStatement) -> list[Signature]:
    """Return the signature of the called function; empty if none is named or it is not declared."""
    return [_signature(place, callee) for callee in callee_at(place)]


def _signature(place: UnfinishedStatement, callee: Callee) -> Signature:
    results, parameters = callee.results, callee.parameters
    label = _label(callee, typed=True)
    if len(label.text) > WIDTH:
        label = _label(callee, typed=False)
    level, at = place.path[1] if len(place.path) > 1 and place.path[1][0] == "(" else ("", 0)
    active: int | None = None
    if level:
        is_result = callee.is_before_name(place)
        count = len(results if is_result else parameters)
        if at < count:
            active = at if is_result else len(results) + at
    return Signature(label.text, tuple(label.parameters), active, _words(callee))


def _label(callee: Callee, *, typed: bool) -> SignatureLabel:
    label = SignatureLabel("call ")
    if callee.results:
        _add(label, callee.results, typed=typed)
        label.add(", ")
    label.add(callee.shown)
    if callee.parameters:
        label.add(", ")
        _add(label, callee.parameters, typed=typed)
    if callee.is_indirect:
        label.add(f", {callee.name}")
    return label


def _add(label: SignatureLabel, formals: tuple[CalleeParameter, ...], *, typed: bool) -> None:
    label.add("(")
    for number, formal in enumerate(formals):
        label.add(", " * bool(number))
        text = f"{formal.name}: {formal.layout}" if typed else formal.name
        label.add(text, f"{formal.name}: {formal.layout.space} {formal.layout}")
    label.add(")")


def _words(callee: Callee) -> str:
    if callee.is_indirect:
        return "call of a function by its address"
    noreturn = "; it does not return" if callee.signature.noreturn else ""
    return f"call of `{callee.name}`{noreturn}"
