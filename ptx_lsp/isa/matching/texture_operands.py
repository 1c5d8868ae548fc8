"""Operands that ptxas takes where textures are read: ``lenient = texture``, with lines that name the operands' parts.

It finds a type for a vector of unlike elements from left to right, looks at the layer of an array by itself, and lets
a single value stand for all coordinates. The pages list what one should write; all of this is measured.
"""

from __future__ import annotations

from ptx_lsp.isa.matching.filled_form import FilledForm
from ptx_lsp.isa.matching.texture_types import CONSTANTS, FLOATS, INTEGERS, common_element, element_type, is_word
from ptx_lsp.isa.matching.values import alternative_fits
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.language_level import DOCUMENTED
from ptx_lsp.isa.model.operand_pattern import Alternative
from ptx_lsp.isa.vocabulary.register_types import BITS, vector_of

_EXPANDED_SHAPES = frozenset({".3d", ".cube", ".acube"})

_CUBES = frozenset({".cube", ".acube"})


class TextureOperands:
    """The operands of one form by what they are for a texture."""

    def __init__(self, filled: FilledForm) -> None:
        self._filled = filled
        self._there = {operand.name for operand in filled.operands()}

    def is_a(self, name: str, *parts: str) -> bool:
        """Whether an operand is one of some parts."""
        return any(self._filled.deviates(part, name) for part in parts if self._filled.listed(part))

    def has(self, part: str) -> bool:
        """Whether an operand for a part is written, also as a part of another one."""
        index, values = self._filled.form.form.slot_numbers, self._filled.values
        return any(
            name in self._there or name in index and values[index[name]] is not None for name in self.names(part)
        )

    def names(self, part: str) -> tuple[str, ...]:
        """The names of the operands for a part; none if the form has no such part."""
        return tuple(name for row in self._filled.listed(part) for name in row.about)


def displaced_fits(filled: FilledForm, written: ActualOperand, following: ActualOperand | None) -> bool:
    """Whether coordinates fit where not all of the address stands in the brackets, in the unified texture mode.

    ptxas then wants them in the shape of what follows the address: the level, a derivative, or else the offset. Beside
    a level, and of a cube, it takes no offset but with a depth.
    """
    texture = TextureOperands(filled)
    next_part = next((part for part in ("level", "gradients") if texture.has(part)), "offset")
    wanted = _last(filled.kinds(texture.names("coordinates")[0])[0].alternatives[0])
    cube = filled.value(".geom") in _CUBES
    if (cube or next_part == "level") and texture.has("offset") and not texture.has("depth"):
        return False
    is_vector = following is not None and following.kind == "vector"
    if next_part == "level" and filled.value(wanted.type) != ".f32" and not is_vector:
        return False
    name = texture.names(next_part)[0]
    if next_part == "gradients" and (cube or _is_expanded(filled, texture, name)):
        return False
    for shape in (alternative for kind in filled.kinds(name) for alternative in kind.alternatives):
        count = len(shape.elements) or (filled.count(shape.length) if shape.length is not None else None)
        if count is None and written.kind == "register" and shape.what == "type" and not shape.exact:
            if written.type in (".b32", ".f32") and alternative_fits(filled, wanted, written, wider=False):
                return True
        elif count == len(written.parts) and written.kind == "vector":
            common = common_element([part for part in written.parts if part.kind != "unknown"])
            if common is None or _fits(filled, wanted, common, untyped=True):
                return common is not None or any(part.kind == "unknown" for part in written.parts)
    return False


def fits(filled: FilledForm, name: str, written: ActualOperand) -> bool:
    """Whether the operand called ``name`` can be what is written."""
    texture = TextureOperands(filled)
    alternatives = [alternative for kind in filled.kinds(name) for alternative in kind.alternatives]
    if written.kind == "vector":
        return any(_vector(filled, texture, name, wanted, written.parts) for wanted in alternatives)
    is_coordinate = texture.is_a(name, "coordinates")
    is_bare = is_coordinate and written.kind != "unknown"
    if is_bare and texture.has("sampler") and not filled.deviates("bare-with-sampler"):
        return False
    vector = vector_of(written.type) if written.kind == "register" else None
    if vector is not None:
        parts = (written._replace(type=vector[1]),) * vector[0]
        alike = [wanted for wanted in alternatives if len(wanted.elements) <= 1]
        return _is_loose(texture, name) and any(_vector(filled, texture, name, wanted, parts) for wanted in alike)
    if is_bare:
        if written.kind == "register":
            return any(alternative_fits(filled, _last(wanted), written, wider=False) for wanted in alternatives)
        return written.kind == "function"
    if written.kind == "function":
        return texture.is_a(name, "sampler", "level-functions")
    if written.type == ".f16x2" and not _is_loose(texture, name):
        return False
    return any(alternative_fits(filled, wanted, written, wider=False) for wanted in alternatives)


def _is_loose(texture: TextureOperands, name: str) -> bool:
    """Whether vector registers, packed halves and integers of one type pass for an operand's elements."""
    return texture.is_a(name, "result", "coordinates", "level")


def is_old_texture(written: ActualOperand) -> bool:
    """Whether it is a ``.tex`` variable, which PTX up to 1.4 has for a ``.texref``."""
    return written.kind == "variable" and written.space == ".tex"


def handle_fits(filled: FilledForm, name: str, written: ActualOperand) -> bool:
    """Whether a texture may be given by a register here.

    Where mistakes are looked for, it may: the gate of the row is reported then.
    """
    if written.kind != "register" or filled.level is DOCUMENTED or not TextureOperands(filled).has("sampler"):
        return True
    return filled.deviates("handle-with-sampler", name)


def _last(wanted: Alternative) -> Alternative:
    """The kind of each coordinate."""
    return wanted.elements[-1].alternatives[0] if wanted.elements else wanted._replace(length=None)


def _vector(
    filled: FilledForm, texture: TextureOperands, name: str, wanted: Alternative, parts: tuple[ActualOperand, ...]
) -> bool:
    """Whether the elements of a vector fit."""
    if wanted.elements:
        elements = [kind.alternatives[0] for kind in wanted.elements]
    else:
        count = filled.count(wanted.length) if wanted.length is not None else None
        elements = [wanted._replace(length=None, sinks=False)] * (count or 0)
    if not parts or len(parts) != len(elements) or any(part.sign or part.selector for part in parts):
        return False
    shown = [(one, part) for one, part in zip(elements, parts, strict=True) if part.kind not in ("sink", "unknown")]
    if any(part.kind == "sink" for part in parts) and not (wanted.sinks and shown):
        return False
    if _is_expanded(filled, texture, name) and not all(_fits_alone(filled, one, part) for one, part in shown):
        return False
    leading = _leading(filled, elements)
    if leading:
        return _layered(filled, elements[leading - 1], elements[-1], parts, leading)
    element = elements[0]
    pairs = texture.is_a(name, "result") and filled.value(element.type) == ".f16x2"
    if pairs and any(part.kind == "special" or part.type == ".pred" for part in parts):
        return False
    common = common_element([part for _, part in shown])
    if pairs:
        return not shown or common in (".b32", ".f16x2")
    return not shown or _fits(filled, element, common, untyped=_is_loose(texture, name))


def _leading(filled: FilledForm, elements: list[Alternative]) -> int:
    """The number of elements in front that are no coordinates: a layer, a sample; none if all are of one type."""
    types = [filled.value(element.type) for element in elements]
    same = 1
    while same < len(types) and types[same] == types[0]:
        same += 1
    return same if same < len(types) else 0


def _layered(
    filled: FilledForm, wanted: Alternative, last: Alternative, parts: tuple[ActualOperand, ...], leading: int
) -> bool:
    """Whether coordinates fit after a layer: they only have to agree, and the last element in front is an integer."""
    index, rest = parts[leading - 1], [part for part in parts[leading:] if part.kind != "unknown"]
    if index.kind != "unknown" and (index.type == ".f16x2" or not _fits(filled, wanted, element_type(index))):
        return False
    if not all(part.kind == "unknown" or is_word(element_type(part)) for part in parts[: leading - 1]):
        return False
    if all(part.kind == "integer" for part in parts):
        return _fits(filled, last, "integer")
    # After a constant ptxas does not ask for the size.
    open_size = index.kind in ("integer", "unknown")
    common = common_element(rest, sized=not open_size)
    return not rest or common is not None and (open_size or is_word(common))


def _is_expanded(filled: FilledForm, texture: TextureOperands, name: str) -> bool:
    """Whether ptxas writes the instruction as several, each of which checks the operand's elements by themselves."""
    if not texture.is_a(name, "coordinates", "gradients") or not texture.has("gradients"):
        return False
    # Packed halves are left alone where a single value stands for the offset.
    halves = filled.value(".dtype") == ".f16x2" and texture.has("offset")
    shaped = filled.value(".geom") in _EXPANDED_SHAPES
    return (shaped or texture.has("depth") and not halves) and filled.deviates("expanded-gradients")


def _fits(filled: FilledForm, wanted: Alternative, name: str | None, *, untyped: bool = False) -> bool:
    """Whether the type that elements have in common is the one that is wanted."""
    if name is None:
        return False
    want = filled.value(wanted.type) or ""
    if name == "integer" or name == INTEGERS and want != ".f32":
        return want[1:2] in ("b", "u", "s")
    if name in (INTEGERS, FLOATS) or name in CONSTANTS:
        return want == ".f32"
    if name == ".f16x2" and not untyped:
        return False
    if untyped and name[1:2] in ("u", "s") and BITS.get(name) == BITS.get(want):
        return True
    return alternative_fits(filled, wanted, ActualOperand("register", name), wider=False)


def _fits_alone(filled: FilledForm, wanted: Alternative, part: ActualOperand) -> bool:
    """Whether an element would do as a single value: there a special register has a type."""
    return _fits(filled, wanted, ".u32" if part.kind == "special" else element_type(part))
