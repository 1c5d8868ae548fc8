"""E303 missing-qualifier."""

from __future__ import annotations

from collections.abc import Iterator
from os.path import commonpath

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.operands import read_operands
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.checks.support.mismatches import OF_QUALIFIERS, mismatches, mnemonic
from ptx_lsp.checks.support.wording import listed
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.match import match
from ptx_lsp.isa.model.match_result import Match, Mismatch, Problem
from ptx_lsp.text import Span

RULE = error("E303").for_problems(Problem.MISSING_QUALIFIER)


def check(context: StatementContext) -> Iterator[Finding]:
    """A required qualifier or type is missing.

    ```ptx
    //- sm_80 ptx 7.0
    cvt.f32.s32 %f1, %r1;
    // <--- error[E303]: 'cvt' requires .rn, .rz, .rm or .rp
    // ptxas: Rounding modifier required for instruction 'cvt'
    ```

    **Right:** `cvt.rn.f32.s32 %f1, %r1;`

    **Fixes offered:** insert it, if only one is possible.
    """
    for mismatch in mismatches(context, Problem.MISSING_QUALIFIER):
        span = context.opcode_span()
        fixes: tuple[Fix, ...] = ()
        if len(mismatch.wanted) == 1:
            fixes = tuple(_insertion(context))
            message = f"'{mnemonic(context)}' requires '{mismatch.wanted[0]}' here"
        elif mismatch.wanted:
            message = f"'{mnemonic(context)}' requires {listed(mismatch.wanted)}"
        else:
            message = f"'{mnemonic(context)}' requires another qualifier"
        yield RULE.at(span, mismatch.message or message, fixes=fixes)


def _insertion(context: StatementContext) -> Iterator[Fix]:
    """The opcode with all further words that only one will do for, each where the page has it; nothing if none fits."""
    tree, found = context.instruction, context.match
    assert tree is not None
    opcode = tree.opcode
    words: list[str] = []
    operands = read_operands(context.statement.shape, context.codes, context.statement, context.statement)
    while found is not None and len(words) < _MOST:
        word = next((one.wanted[0] for one in found.mismatches if _is_single(one)), None)
        if word is None:
            break
        tried: list[tuple[tuple[str, ...], Match | None]] = []
        for one in _with(opcode, word, found):
            tried.append((one, match(one, operands, context.module.version, context.module.target)))
            if not _faults(tried[-1][1]):
                break
        opcode, found = min(tried, key=lambda one: _faults(one[1]))
        words.append(word)
    if words and _faults(found) < _faults(context.match):
        yield Fix(_title(tree.opcode, opcode, words, found), (_edit(context, tree.opcode, opcode),))


def _title(written: tuple[str, ...], opcode: tuple[str, ...], words: list[str], found: Match | None) -> str:
    """The title of the fix, with what it writes and where: ``append '.f32' ('.ctype')``."""
    if len(words) > 1:
        return "insert " + " and ".join(f"'{word}'" for word in words)
    word = words[0]
    at = (
        len(written)
        if opcode[:-1] == written
        else next(at for at, one in enumerate(opcode) if opcode[at:] != written[at:] and one == word)
    )
    slot = ""
    if found is not None and found.fits and len(found.places) == len(opcode):
        slot = found.form.slots[found.places[at]].name
    role = f" ('{slot}')" if slot and slot != word else ""
    return f"append '{word}'{role}" if at == len(written) else f"insert '{word}'{role} after '{written[at - 1]}'"


def _edit(context: StatementContext, written: tuple[str, ...], opcode: tuple[str, ...]) -> Edit:
    """The edit of the opcode, no longer than needed if the opcode is written without blanks."""
    span = context.opcode_span()
    old, new = "".join(written), "".join(opcode)
    start = len(commonpath((old, new)))
    end = len(commonpath((old[start:][::-1], new[start:][::-1])))
    if span.end - span.start != len(old):
        return Edit(span, new)
    return Edit(Span(span.start + start, span.end - end), new[start : len(new) - end])


_MOST = 6


def _faults(found: Match | None) -> int:
    """The number of mistakes in the qualifiers."""
    return _MOST if found is None else sum(one.problem in OF_QUALIFIERS for one in found.mismatches)


def _is_single(mismatch: Mismatch) -> bool:
    return mismatch.problem is Problem.MISSING_QUALIFIER and len(mismatch.wanted) == 1


def _with(opcode: tuple[str, ...], word: str, found: Match) -> Iterator[tuple[str, ...]]:
    """An opcode with a word more: first before those whose places in the form are further back, then elsewhere."""
    slots = found.form.slots
    taken = set(found.places) if word in opcode and len(found.places) == len(opcode) else set()
    able = [place for place, slot in enumerate(slots) if word in slot.choices]
    home = next((place for place in able if place not in taken), len(slots))
    homes = [next((place for place, slot in enumerate(slots) if one in slot.choices), -1) for one in opcode]
    if len(found.places) == len(opcode):
        homes = [place if place >= 0 else other for place, other in zip(found.places, homes, strict=True)]
    first = next((at for at, place in enumerate(homes) if at and place > home), len(opcode))
    for at in (first, *(at for at in range(len(opcode), 0, -1) if at != first)):
        yield (*opcode[:at], word, *opcode[at:])
