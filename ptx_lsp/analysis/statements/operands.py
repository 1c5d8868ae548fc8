"""Conversion of operand trees to the records that the matcher compares."""

from __future__ import annotations

from collections.abc import Mapping

from ptx_lsp.analysis.symbols.symbols import OPERANDS
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind

_ANY_VALUE = {OperandKind.INTEGER: "integer", OperandKind.FLOAT: "float", OperandKind.CONSTANT: "integer"}
_GROUPS = {OperandKind.ADDRESS: "address", OperandKind.VECTOR: "vector", OperandKind.ARGUMENTS: "arguments"}
_INDEXED_ADDRESS = {"ld": 1, "ldu": 1, "st": 0}
"""Operand positions in which ptxas accepts ``var[i]`` as an address; elsewhere it is a value (``mov``) or rejected."""
_NO_INDICES = frozenset({"register", "label", "function"})
_INTEGERS = frozenset("bus")
_COMPONENTS = frozenset(".x .y .z .w .r .g .b .a".split())


class OperandReader:
    """Converts operand trees to :class:`ActualOperand` records, given the operand codes of the names.

    ``codes`` maps name tokens to indices into ``OPERANDS``. With a ``statement`` constants
    have their value; without one they represent all values.
    """

    def __init__(self, codes: Mapping[int, int], representative: Statement, statement: Statement | None) -> None:
        self._codes = codes
        self._representative = representative
        self._statement = statement

    def read(self, tree: Instruction) -> tuple[ActualOperand, ...]:
        """The operands of an instruction, in order."""
        place = _INDEXED_ADDRESS.get(tree.opcode[0])
        return tuple(
            self._indexed(operand) if operand.indexed and at == place else self.operand(operand)
            for at, operand in enumerate(tree.operands)
        )

    def _indexed(self, operand: Operand) -> ActualOperand:
        """``var[i]`` in place of an address: equivalent to ``[var+i]``."""
        name = self._name(operand, "", None)
        selector = "".join(self._representative.word(token) for token in operand.selector)
        return ActualOperand("address", selector=selector, parts=(name,), offset=True)

    def operand(self, operand: Operand) -> ActualOperand:
        """One operand with its parts."""
        kind = operand.kind
        selector = "".join(self._representative.word(token) for token in operand.selector)
        pair = self.operand(operand.pair) if operand.pair is not None else None
        if kind is OperandKind.NAME:
            return self._name(operand, selector, pair)
        if kind is OperandKind.SINK:
            return ActualOperand("sink", sign=operand.sign, pair=pair)
        if kind in _ANY_VALUE:
            return self._constant(operand)
        word = _GROUPS.get(kind)
        if word is None:
            return ActualOperand("unknown")
        parts = tuple(self.operand(part) for part in operand.parts)
        has_offset = operand.offset is not None
        return ActualOperand(word, sign=operand.sign, selector=selector, parts=parts, pair=pair, offset=has_offset)

    def _name(self, operand: Operand, selector: str, pair: ActualOperand | None) -> ActualOperand:
        meaning = OPERANDS[self._codes.get(operand.name, 0)]
        if meaning.kind == "integer":
            return meaning  # of unknown value, so that no sign and no sum changes anything
        if operand.indexed and meaning.kind != "unknown":
            assert operand.offset is not None
            if not meaning.array or not is_index(operand.offset, self._codes.get(operand.offset.name, 0)):
                return ActualOperand("misindexed")
        if selector in _COMPONENTS and meaning.type.startswith(".v"):
            meaning, selector = meaning._replace(type="." + meaning.type.split(".")[2]), ""
        # a+4 is accepted as a constant, a[4] is not.
        has_offset = operand.offset is not None and not operand.indexed
        if not (operand.sign or selector or pair or has_offset):
            return meaning
        return meaning._replace(sign=operand.sign, selector=selector, pair=pair, offset=has_offset)

    def _constant(self, operand: Operand) -> ActualOperand:
        source = self._statement or self._representative
        value = evaluate(source, operand)
        if value is None:
            return ActualOperand("unknown")
        if isinstance(value, float):
            single = source.word(operand.first)[:2] in ("0f", "0F")
            return ActualOperand("float", type=".f32" if single else ".f64")
        return ActualOperand("integer", value=value if self._statement is not None else None)


def is_index(operand: Operand, code: int) -> bool:
    """Whether an operand, for a name with ``code``, is valid as the index ``i`` of ``a[i]``.

    Float constants are accepted here: other checks report them as offsets.
    """
    if operand.kind is not OperandKind.NAME:
        return operand.kind is not OperandKind.SINK
    meaning = OPERANDS[code]
    return meaning.kind not in _NO_INDICES or meaning.type[1:2] in _INTEGERS and meaning.type != ".b128"


def has_float_offset(operand: Operand) -> bool:
    """Whether the offset of an address is a float: ``[a+1.0]``."""
    offset = operand.offset
    return offset is not None and offset.kind is OperandKind.FLOAT or any(map(has_float_offset, operand.parts))


def read_operands(
    shape: Shape, codes: tuple[int, ...], representative: Statement, statement: Statement | None
) -> tuple[ActualOperand, ...]:
    """The operands of an instruction of this shape; ``codes`` are the operand codes of ``shape.names``, in order."""
    tree = shape.tree
    assert isinstance(tree, Instruction)
    by_token = {token: code for (token, _), code in zip(shape.names, codes, strict=True)}
    return OperandReader(by_token, representative, statement).read(tree)


def operand_at(tree: Instruction | None, path: tuple[int, ...]) -> Operand | None:
    """The operand that a path of the matcher names: ``(2, 1)`` is the second part of the third, -1 the pair."""
    if tree is None or not path:
        return None
    operands: tuple[Operand, ...] = tree.operands
    found: Operand | None = None
    for step in path:
        if step == -1:
            found = found.pair if found is not None else None
            if found is None:
                return None
        elif step < len(operands):
            found = operands[step]
        else:
            return found
        operands = found.parts
    return found
