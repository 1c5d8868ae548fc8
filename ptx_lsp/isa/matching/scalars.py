"""Single values: registers, constants, special registers and names, compared with the type that is wanted."""

from __future__ import annotations

from ptx_lsp.isa.matching.filled_form import FilledForm
from ptx_lsp.isa.matching.unchecked import SHORT_VECTOR
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.gate import Releases
from ptx_lsp.isa.model.operand_pattern import LOWER_HALF, Alternative, in_ranges
from ptx_lsp.isa.model.version import Version
from ptx_lsp.isa.vocabulary.register_types import BITS, fits_type, of_any_size, vector_of

FLOAT_CONSTANTS = {
    ".f32": frozenset({".f32", ".f64", ".b32"}),
    ".f64": frozenset({".f32", ".f64", ".b64"}),
    "": frozenset({".f32", ".f64", ".b32", ".b64"}),
}
"""The types that a floating-point constant fits: ``0f3F800000`` is ``.f32``, all others are ``.f64``."""

OLD_BF16 = frozenset({".bf16", ".bf16x2"})
OLD_BF16_RELEASES, NEW_BF16_RELEASES = Releases(until=Version(13, 1)), Releases(Version(13, 1))
"""Before CUDA 13.1 one or two registers in braces passed for such a value; since then the name of a function does."""


def scalar_fits(filled: FilledForm, wanted: Alternative, written: ActualOperand, wider: bool) -> bool:
    """Whether a single value can be what is written."""
    kind, holders = written.kind, filled.holders
    name = filled.value(wanted.type)
    if name is None:
        return False
    if kind == "register":
        if written.offset and (name not in OLD_BF16 or NEW_BF16_RELEASES.has(filled.level.judge)):
            written = written._replace(type=of_any_size(written.type, name, holders))
        if wanted.exact:
            return written.type == name
        if wider and filled.listed("wider") and _is_too_wide(filled, written.type, name):
            return False
        if written.type == ".f16x2" and name in (".u32", ".s32", ".pred") and not _is_of_opcode(filled, wanted.type):
            # It passes for the type in the opcode, not for counts, masks and addresses beside it.
            return False
        return fits_type(written.type, name, holders, wider=wider)
    if wanted.register:
        return False
    if kind == "integer" or kind == "variable" and written.offset:
        return name not in holders and name[1:2] in ("b", "u", "s", "p" if kind == "integer" else "")
    if kind == "function":
        return _function_fits(filled, wanted.type, name)
    return kind == "float" and name in FLOAT_CONSTANTS[written.type]


def _function_fits(filled: FilledForm, word: str, name: str) -> bool:
    """Whether the name of a function passes for a value of a type: for any of the opcode's."""
    for row in filled.listed("functions"):
        if name in row.about:
            return not filled.allows(row.gate)
    if name in OLD_BF16 and not NEW_BF16_RELEASES.has(filled.level.judge):
        return False
    return _is_of_opcode(filled, word) and not any(not row.about for row in filled.listed("functions"))


def _is_too_wide(filled: FilledForm, have: str, want: str) -> bool:
    """Whether ptxas refuses a register for a smaller value."""
    return BITS.get(have, 0) > BITS.get(want, 0) and filled.deviates("wider", have)


def _is_of_opcode(filled: FilledForm, word: str) -> bool:
    """Whether the kind of an operand is the type of the opcode, or the doubled one of a wide product.

    The type of the opcode is a place, or a word that the form always has: the ``.u32`` of a count is another one, even
    if the opcode has it too.
    """
    is_fixed = any(choices.keys() == {word} for choices in filled.form.choices)
    return filled.value(word) != word or is_fixed or ".wide" in filled.values


def is_old_bf16(filled: FilledForm, wanted: Alternative, written: ActualOperand) -> bool:
    """Whether this passes for a ``.bf16`` or ``.bf16x2`` in releases that did not look closely."""
    name = filled.value(wanted.type) or ""
    return (
        name in OLD_BF16
        and OLD_BF16_RELEASES.has(filled.level.judge)
        and written.kind == "vector"
        and not filled.deviates("braced-halves")
        and len(written.parts) <= SHORT_VECTOR
        and all(part.kind == "register" and part.type == filled.holders[name] for part in written.parts)
    )


def special_fits(filled: FilledForm, wanted: Alternative, written: ActualOperand) -> bool:
    """Whether a special register has the type and length that are wanted; more bits are cut off."""
    name = filled.value(wanted.type) if wanted.type else None
    if name is None:
        return True
    narrower = written.narrow or not filled.deviates("narrow-specials")
    vector = vector_of(written.type)
    length = filled.count(wanted.length) if wanted.length is not None else None
    if vector is not None or length is not None:
        return vector is not None and vector[0] == length and fits_type(vector[1], name, filled.holders, wider=narrower)
    return fits_type(written.type, name, filled.holders, wider=narrower)


def constant_fits(filled: FilledForm, ranges: tuple[tuple[int, int, int], ...], value: int | float | None) -> bool:
    """Whether a constant is in range, or 32 bits of it are where ptxas compares no more."""
    if in_ranges(ranges, value):
        return True
    if not isinstance(value, int) or not filled.deviates("cut-constants"):
        return False
    # Of a constant that is longer still the part that counts is not known.
    return abs(value) > LOWER_HALF or in_ranges(ranges, value & LOWER_HALF)


def with_constant(written: ActualOperand) -> ActualOperand:
    """The value that ptxas reads where a constant is added to a name: a special register for one without a type."""
    if written.kind == "special" and vector_of(written.type) is None:
        return written._replace(kind="register", type=".pred" if written.type == ".pred" else ".b32")
    # The sum is no place to jump to; it is a value like the name of a function.
    return written._replace(kind="function", offset=False) if written.kind == "label" and not written.role else written
