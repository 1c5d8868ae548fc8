"""The order in which the manual writes the words of an opcode."""

from __future__ import annotations

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.prepared_form import PreparedForm
from ptx_lsp.process_cache import memoized


@memoized(1 << 12)
def is_documented(opcode: tuple[str, ...]) -> bool:
    """Whether the words of an opcode stand in the order of some form of its page, or it has no page."""
    forms = [form for page in catalogue().candidates(opcode) for form in page.prepared.get(opcode[0], ())]
    return not forms or any(_follows(opcode, form) for form in forms)


def _follows(opcode: tuple[str, ...], form: PreparedForm) -> bool:
    """Whether the words of an opcode can fill places of a form from left to right."""
    before = 0
    loose = {form.form.slot_numbers[name] for name in form.form.loose}
    for word in opcode[1:]:
        if not loose.isdisjoint(form.homes.get(word, ())):
            continue
        place = next((place for place in form.homes.get(word, ()) if place > before), None)
        if place is None:
            return False
        before = place
    return True
