"""Which operands ptxas takes where textures are read (``tex``, ``tld4``, ``txq``).

It finds a type for a vector of unlike elements from left to right, looks at the layer of an array by itself, and lets
a single value stand for all coordinates. The pages list what one should write; all of this is measured.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.gate import Gate
from ptx_lsp.isa.model.operand_pattern import Alternative
from ptx_lsp.isa.vocabulary.register_types import BITS, vector_of

if TYPE_CHECKING:
    from ptx_lsp.isa.matching.fitting import Fitting
    from ptx_lsp.isa.model.language_level import LanguageLevel

INSTRUCTIONS = frozenset({"tex", "tld4", "txq"})

SAMPLER_BESIDE_HANDLE = Gate.parse("4.3 sm_30")
"""Where a sampler may stand beside a texture's handle."""

NAME_BESIDE_SAMPLER = Gate.parse("ptxas 13.3")
"""The releases that take coordinates without braces beside a sampler."""

EXPANDED = Gate.parse("sm_90 ptxas 13.0")
"""Where ptxas writes ``tex.grad`` as several instructions, each of which checks its operands."""

_EXPANDED_SHAPES = frozenset({".3d", ".cube", ".acube"})

_HALVES = frozenset({"d", "c", "lod"})
"""The operands that a register of packed halves passes for, where integers are wanted."""

_NAMED = frozenset({"d", "c", "lod"})
"""The vectors that a vector register passes for."""

_UNTYPED = frozenset({"d", "c", "lod"})
"""The vectors of floats that integers of one type may fill."""

_CONSTANTS = frozenset({"integer", ".f32 constant", ".f64 constant"})

_INTEGERS, _FLOATS = "integers", "floats"
"""Constants beside registers of another size: ptxas no longer asks for the size."""


def gathered(
    mnemonic: str, operands: tuple[ActualOperand, ...]
) -> tuple[tuple[ActualOperand, ...], ActualOperand] | None:
    """The operands with all of the address in the brackets, where ``a`` stands in front of them, or ``c`` behind.

    ptxas minds no brackets: ``tex… d, a, [b, c]`` or ``d, [a, b], c``. Returned beside them is ``c``: see
    :func:`displaced_fits`.
    """
    if mnemonic not in INSTRUCTIONS or len(operands) < 3:
        return None
    address, c = operands[1:3]
    if address.kind == "address" and c.kind != "address":
        parts = address.parts
    elif c.kind == "address" and len(c.parts) == 2:
        address, parts, c = c, (address, c.parts[0]), c.parts[1]
    else:
        return None
    kinds = ("register", "texref", "samplerref")
    if len(parts) != 2 or any(part.kind not in kinds or part.sign for part in parts):
        return None
    return (operands[0], address._replace(parts=(*parts, c)), *operands[3:]), c


def divided(
    mnemonic: str, operands: tuple[ActualOperand, ...], module: LanguageLevel
) -> tuple[ActualOperand, ...] | None:
    """The operands with the end of the address after the brackets, where no sampler stands before it.

    ptxas reads ``tex… d, [a, c, e]`` as ``d, [a, c], e`` in the unified texture mode if ``c`` is a single register.
    """
    if mnemonic not in INSTRUCTIONS or len(operands) < 2:
        return None
    address = operands[1]
    if address.kind != "address" or len(address.parts) != 3 or any(part.sign for part in address.parts):
        return None
    _, coordinates, following = address.parts
    if coordinates.kind != "register" or following.kind not in ("register", "vector"):
        return None
    if following.kind == "register" and not module.allows(NAME_BESIDE_SAMPLER):
        return None
    return (operands[0], address._replace(parts=address.parts[:2]), following, *operands[2:])


def opened(operands: tuple[ActualOperand, ...]) -> tuple[ActualOperand, ...]:
    """Gathered operands with coordinates that are not known."""
    address = operands[1]._replace(parts=(*operands[1].parts[:2], ActualOperand("unknown")))
    return (operands[0], address, *operands[2:])


def displaced_fits(fitting: Fitting, written: ActualOperand, following: ActualOperand | None) -> bool:
    """Whether coordinates fit where not all of the address stands in the brackets, in the unified texture mode.

    ptxas then wants them in the shape of what follows the address: the level, a derivative, or else the offset. Beside
    a level, and of a cube, it takes no offset but with a depth.
    """
    names = {operand.name for operand in fitting.operands()}
    behind = next((name for name in ("lod", "dPdx") if name in names), "e")
    wanted = _last(fitting.kinds("c")[0].alternatives[0])
    cube = fitting.value(".geom") in (".cube", ".acube")
    if (cube or behind == "lod") and "e" in names and "f" not in names:
        return False
    if behind == "lod" and fitting.value(wanted.type) != ".f32" and (following is None or following.kind != "vector"):
        return False
    if behind == "dPdx" and (cube or _is_expanded(fitting, behind)):
        return False
    for shape in (alternative for kind in fitting.kinds(behind) for alternative in kind.alternatives):
        count = len(shape.elements) or (fitting.count(shape.length) if shape.length is not None else None)
        if count is None and written.kind == "register" and shape.what == "type" and not shape.exact:
            if written.type in (".b32", ".f32") and fitting.alternative(wanted, written, wider=False):
                return True
        elif count == len(written.parts) and written.kind == "vector":
            common = _common([part for part in written.parts if part.kind != "unknown"])
            if common is None or _fits(fitting, wanted, common, untyped=True):
                return common is not None or any(part.kind == "unknown" for part in written.parts)
    return False


def fits(fitting: Fitting, name: str, written: ActualOperand) -> bool:
    """Whether the operand called ``name`` can be what is written."""
    alternatives = [alternative for kind in fitting.kinds(name) for alternative in kind.alternatives]
    if written.kind == "vector":
        return any(_vector(fitting, name, wanted, written.parts) for wanted in alternatives)
    if name == "c" and written.kind != "unknown" and _has_sampler(fitting) and not fitting.allows(NAME_BESIDE_SAMPLER):
        return False
    vector = vector_of(written.type) if written.kind == "register" else None
    if vector is not None:
        parts = (written._replace(type=vector[1]),) * vector[0]
        alike = [wanted for wanted in alternatives if len(wanted.elements) <= 1]
        return name in _NAMED and any(_vector(fitting, name, wanted, parts) for wanted in alike)
    if name == "c" and written.kind != "unknown":
        if written.kind == "register":
            return any(fitting.alternative(_last(wanted), written, wider=False) for wanted in alternatives)
        return written.kind == "function"
    if written.kind == "function":
        return name == "b" or name == "lod" and fitting.form.form.mnemonic == "tex"
    if written.type == ".f16x2" and name not in _HALVES:
        return False
    return any(fitting.alternative(wanted, written, wider=False) for wanted in alternatives)


def is_old_texture(written: ActualOperand) -> bool:
    """Whether it is a ``.tex`` variable, which PTX up to 1.4 has for a ``.texref``."""
    return written.kind == "variable" and written.space == ".tex"


def handle_fits(fitting: Fitting, written: ActualOperand) -> bool:
    """Whether a texture may be given by a register here."""
    return written.kind != "register" or not _has_sampler(fitting) or fitting.allows(SAMPLER_BESIDE_HANDLE)


def _has_sampler(fitting: Fitting) -> bool:
    place = fitting.form.form.index.get("b")
    return place is not None and fitting.values[place] is not None


def _last(wanted: Alternative) -> Alternative:
    """What each coordinate is."""
    return wanted.elements[-1].alternatives[0] if wanted.elements else wanted._replace(length=None)


def _vector(fitting: Fitting, name: str, wanted: Alternative, parts: tuple[ActualOperand, ...]) -> bool:
    """Whether the elements of a vector fit."""
    if wanted.elements:
        elements = [kind.alternatives[0] for kind in wanted.elements]
    else:
        count = fitting.count(wanted.length) if wanted.length is not None else None
        elements = [wanted._replace(length=None, sinks=False)] * (count or 0)
    if len(parts) != len(elements) or any(part.sign or part.selector for part in parts):
        return False
    shown = [(one, part) for one, part in zip(elements, parts, strict=True) if part.kind not in ("sink", "unknown")]
    if any(part.kind == "sink" for part in parts) and not (wanted.sinks and shown):
        return False
    if _is_expanded(fitting, name) and not all(_fits_alone(fitting, one, part) for one, part in shown):
        return False
    leading = _leading(fitting, elements)
    if leading:
        return _layered(fitting, elements[leading - 1], elements[-1], parts, leading)
    element = elements[0]
    pairs = name == "d" and fitting.value(element.type) == ".f16x2"
    if pairs and any(part.kind == "special" or part.type == ".pred" for part in parts):
        return False
    common = _common([part for _, part in shown])
    if pairs:
        return not shown or common in (".b32", ".f16x2")
    return not shown or _fits(fitting, element, common, untyped=name in _UNTYPED)


def _leading(fitting: Fitting, elements: list[Alternative]) -> int:
    """How many elements in front are no coordinates: a layer, a sample; none if all are of one type."""
    types = [fitting.value(element.type) for element in elements]
    same = 1
    while same < len(types) and types[same] == types[0]:
        same += 1
    return same if same < len(types) else 0


def _layered(
    fitting: Fitting, wanted: Alternative, last: Alternative, parts: tuple[ActualOperand, ...], leading: int
) -> bool:
    """Whether coordinates fit behind a layer: they only have to agree, and the last element in front is an integer."""
    index, rest = parts[leading - 1], [part for part in parts[leading:] if part.kind != "unknown"]
    if index.kind != "unknown" and (index.type == ".f16x2" or not _fits(fitting, wanted, _type(index))):
        return False
    if not all(part.kind == "unknown" or _is_word(_type(part)) for part in parts[: leading - 1]):
        return False
    if all(part.kind == "integer" for part in parts):
        return _fits(fitting, last, "integer")
    # Behind a constant ptxas does not ask for the size.
    open_size = index.kind in ("integer", "unknown")
    common = _common(rest, sized=not open_size)
    return not rest or common is not None and (open_size or _is_word(common))


def _is_word(name: str | None) -> bool:
    """Whether something has 32 bits, or passes for it."""
    return name is not None and (name in _CONSTANTS or name == ".pred" or BITS.get(name) == BITS[".b32"])


def _is_expanded(fitting: Fitting, name: str) -> bool:
    """Whether ptxas checks each element of the operand by itself."""
    names = {operand.name for operand in fitting.operands()}
    if name not in ("c", "dPdx", "dPdy") or "dPdx" not in names:
        return False
    # Packed halves are left alone where a single value stands for the offset.
    halves = fitting.value(".dtype") == ".f16x2" and "e" in names
    shaped = fitting.value(".geom") in _EXPANDED_SHAPES
    return (shaped or "f" in names and not halves) and fitting.allows(EXPANDED)


def _fits(fitting: Fitting, wanted: Alternative, name: str | None, *, untyped: bool = False) -> bool:
    """Whether the type that elements have in common is the one that is wanted."""
    if name is None:
        return False
    want = fitting.value(wanted.type) or ""
    if name == "integer" or name == _INTEGERS and want != ".f32":
        return want[1:2] in ("b", "u", "s")
    if name in (_INTEGERS, _FLOATS) or name in _CONSTANTS:
        return want == ".f32"
    if name == ".f16x2" and not untyped:
        return False
    if untyped and name[1:2] in ("u", "s") and BITS.get(name) == BITS.get(want):
        return True
    return fitting.alternative(wanted, ActualOperand("register", name), wider=False)


def _fits_alone(fitting: Fitting, wanted: Alternative, part: ActualOperand) -> bool:
    """Whether an element would do as a single value: there a special register has a type."""
    return _fits(fitting, wanted, ".u32" if part.kind == "special" else _type(part))


def _type(part: ActualOperand) -> str | None:
    """The type of one element, constants having one of their own; None if it cannot be one."""
    if part.kind == "register":
        return part.type
    if part.kind == "special":
        return ".b64" if part.type.endswith("64") else ".b32"
    if part.kind == "integer":
        return "integer"
    return f"{part.type or '.f64'} constant" if part.kind == "float" else None


def _common(parts: Sequence[ActualOperand], *, sized: bool = True) -> str | None:
    """The type that elements have in common; None if there is none.

    Each must be of the class of the one before it, untyped ones are of all; and of the size of the first, unless that
    is a constant or the size does not count. Unlike ones together are untyped.
    """
    types = [name for part in parts if (name := _type(part)) is not None]
    if not types or len(types) < len(parts):
        return None
    first, size = types[0], _size(types[0])
    sizes = {other for name in types if (other := _size(name)) is not None}
    if sized and size is not None and sizes != {size}:
        return None
    if any(not _go_together(one, other) for one, other in itertools.pairwise(types)):
        return None
    if all(name == first or (first, name) in _SAME for name in types):
        return first
    if not sizes or sizes == {BITS[".b32"]}:
        return ".b32"
    if first in _CONSTANTS:
        return _INTEGERS if first == "integer" else _FLOATS
    return f".b{size}"


def _go_together(one: str, other: str) -> bool:
    """Whether two neighbours are of one class."""
    classes = {_class(one), _class(other)}
    return len(classes) == 1 or "" in classes


_SAME = frozenset(
    {(".f32", ".f32 constant"), (".f32 constant", ".f32"), (".f32 constant", ".f64 constant"), ("integer", ".s64")}
)
"""Unlike elements that still are of the first one's type."""


def _class(name: str) -> str:
    """What elements must have in common; empty for the untyped ones."""
    if name in _CONSTANTS:
        return "integer" if name == "integer" else "float"
    if name in (".pred", ".f16x2"):
        return name
    return {"b": "", "f": "float"}.get(name[1], "integer")


def _size(name: str | None) -> int | None:
    """The bits of an element; a predicate passes for 32, a constant for any."""
    return BITS[".b32"] if name == ".pred" else BITS.get(name or "")
