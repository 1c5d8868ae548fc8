"""The address in a descriptor as a sum: ``smem + 33792 + 16384·%r2064``.

A second walk beside the known bits, and beside :class:`AddressWalk`, which keeps a constant offset and needs a graph:
here sums keep registers as terms, and units change. It goes through copies, conversions, sums, products with
constants, masks of the address field, the shift by which bytes become units of 16, and what puts other fields above.
It ends at what is no such sum: loads, special registers, parameters, and registers of which more than one write can
be read.
"""

from __future__ import annotations

from fractions import Fraction

from ptx_lsp.analysis.dataflow.definitions import Definitions, RegisterDefinition
from ptx_lsp.analysis.dataflow.registers import Register
from ptx_lsp.analysis.descriptors.carry_assumptions import ADDRESS_BITS
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.names.demangle import name_within
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind

UNIT = 16
"""Bytes in a unit of the address field."""
_SPACE = 1 << (ADDRESS_BITS + 4)
"""Bytes that addresses are counted in: all sums are meant modulo this."""
_ADDRESS = (1 << ADDRESS_BITS) - 1
_ALIGNED = 128
"""Matrices are aligned at least so: the smallest tiles of swizzled layouts are larger."""
_LEADING, _ABOVE = 16, 32
"""The lowest bits of the fields above the address, and of the higher half of a descriptor."""
_MOST_STEPS = 200
_MOST_TERMS = 4


class SumTerm(NamedTuple):
    """A name times a factor."""

    name: str
    factor: Fraction
    definitions: tuple[RegisterDefinition, ...]
    """The definitions of the register; empty for variables, parameters and special registers."""

    @property
    def shown(self) -> str:
        """The name; of a mangled one what it means: ``tile_a`` of ``_ZZ6kernelvE6tile_a``."""
        return name_within(self.name)


class Sum(NamedTuple):
    """A linear form."""

    terms: tuple[SumTerm, ...]
    constant: Fraction

    def plus(self, other: Sum, sign: int = 1) -> Sum:
        """The sum of two."""
        factors: dict[str, SumTerm] = {term.name: term for term in self.terms}
        for term in other.terms:
            known = factors.get(term.name)
            factor = sign * term.factor + (known.factor if known else 0)
            factors[term.name] = term._replace(factor=factor)
        return Sum(tuple(term for term in factors.values() if term.factor), self.constant + sign * other.constant)

    def times(self, factor: Fraction) -> Sum:
        """A multiple."""
        terms = (term._replace(factor=term.factor * factor) for term in self.terms)
        return Sum(tuple(term for term in terms if term.factor), self.constant * factor)

    @property
    def bytes(self) -> Fraction:
        """The constant, within the space that descriptors address."""
        return self.constant % _SPACE

    def __str__(self) -> str:
        """As it is read: variables first, then the constant, then registers."""
        plain = [term.shown for term in self.terms if term.factor == 1 and not term.definitions]
        others = [term for term in self.terms if term.factor != 1 or term.definitions]
        constant = self.bytes
        parts = [*plain, *([str(constant)] if constant or not self.terms else []), *map(_shown, others)]
        return " + ".join(parts)

    def shortened(self, most: int) -> str:
        """As it is read, or if that is longer than so many characters the variables and the constant."""
        text = str(self)
        if len(text) <= most:
            return text
        plain = tuple(term for term in self.terms if term.factor == 1 and not term.definitions)
        return f"{self._replace(terms=plain)} + …" if plain else ""


def _shown(term: SumTerm) -> str:
    return term.shown if term.factor == 1 else f"{term.factor}·{term.shown}"


class Origins:
    """The walk through one function."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._steps = 0

    def start_address(self, chunk: Chunk, index: int, operand: Operand) -> Sum | None:
        """The start address in bytes of the matrix descriptor that an operand is; None if it is no short sum."""
        self._steps = 0
        found = self._read(chunk, index, operand)
        if found is None or len(found.terms) > _MOST_TERMS:
            return None
        found = found.times(Fraction(UNIT))
        found = found._replace(terms=tuple(term for term in found.terms if term.factor % _SPACE))
        if any(term.factor.denominator != 1 for term in found.terms) or found.constant.denominator != 1:
            return None
        return found

    def _read(self, chunk: Chunk, index: int, operand: Operand) -> Sum | None:
        statement = chunk.statement(index)
        if operand.kind in (OperandKind.INTEGER, OperandKind.CONSTANT):
            number = evaluate(statement, operand)
            return Sum((), Fraction(_low(number))) if isinstance(number, int) else None
        if operand.kind is OperandKind.VECTOR and operand.parts:
            return self._read(chunk, index, operand.parts[0])
        if operand.kind is not OperandKind.NAME or operand.sign or operand.selector:
            return None
        name = statement.word(operand.name)
        offset = Sum((), Fraction(0))
        if operand.offset is not None:
            number = evaluate(statement, operand.offset)
            if not isinstance(number, int):
                return None
            offset = Sum((), Fraction(number))
        register = self._definitions.register(name, chunk, index)
        self._steps += 1
        if register is None or self._steps > _MOST_STEPS:
            return _leaf(name, ()).plus(offset)
        return self._register(register, chunk, index).plus(offset)

    def _register(self, register: Register, chunk: Chunk, index: int) -> Sum:
        definition = self._definitions.single(register, chunk, index)
        found = self._written(definition, register) if definition is not None else None
        if found is not None and any(term.name == register.name for term in found.terms):
            found = None  # its name means another value there
        return found if found is not None else _leaf(register.name, self._definitions.of(register))

    def _written(self, definition: RegisterDefinition, register: Register) -> Sum | None:
        """The sum that a definition leaves in a register; None if that is no sum."""
        chunk, index, guarded, is_known = definition
        statement = chunk.statement(index)
        tree = statement.shape.tree
        if guarded or not is_known or not isinstance(tree, Instruction) or len(tree.operands) < 2:
            return None
        first = tree.operands[0]
        if first.kind is OperandKind.VECTOR:
            is_low = first.parts and first.parts[0].name >= 0 and statement.word(first.parts[0].name) == register.name
            return self._read(chunk, index, tree.operands[1]) if is_low and tree.opcode[0] == "mov" else None
        return self._sum(chunk, index, statement, tree)

    def _sum(self, chunk: Chunk, index: int, statement: Statement, tree: Instruction) -> Sum | None:
        mnemonic, operands = tree.opcode[0], tree.operands[1:]
        if mnemonic in ("mov", "cvt", "cvta"):
            return self._read(chunk, index, operands[0])
        if mnemonic in ("add", "sub") and len(operands) == 2:
            both = self._both(chunk, index, operands[0], operands[1])
            return both[0].plus(both[1], 1 if mnemonic == "add" else -1) if both else None
        if mnemonic in ("mul", "mad"):
            return self._product(chunk, index, statement, tree)
        number = evaluate(statement, operands[1]) if len(operands) > 1 else None
        if not isinstance(number, int):
            both = self._both(chunk, index, *operands) if mnemonic == "or" and len(operands) == 2 else None
            return both[0].plus(both[1]) if both is not None and any(map(_is_above, both)) else None
        source = self._read(chunk, index, operands[0])
        if source is None:
            return None
        if mnemonic == "shl":
            return source.times(Fraction(1 << number)) if number < _ABOVE else Sum((), Fraction(0))
        if mnemonic == "shr":
            return source.times(Fraction(1, UNIT)) if number == 4 else None
        if mnemonic == "and":
            return source if _keeps_address(number, source) or _is_above(source) else None
        if mnemonic == "or":
            return source.plus(Sum((), Fraction(_low(number))))
        if mnemonic == "bfe" and number == 4:
            return source.times(Fraction(1, UNIT))
        return None

    def _product(self, chunk: Chunk, index: int, statement: Statement, tree: Instruction) -> Sum | None:
        operands = tree.operands[1:]
        if ".hi" in tree.opcode or len(operands) < 2:
            return None
        for factor, other in ((operands[1], operands[0]), (operands[0], operands[1])):
            number = evaluate(statement, factor) if factor.kind is not OperandKind.NAME else None
            if isinstance(number, int):
                source = self._read(chunk, index, other)
                product = source.times(Fraction(number)) if source is not None else None
                if product is None or tree.opcode[0] == "mul":
                    return product
                addend = self._read(chunk, index, operands[2])
                return product.plus(addend) if addend is not None else None
        return None

    def _both(self, chunk: Chunk, index: int, one: Operand, two: Operand) -> tuple[Sum, Sum] | None:
        left, right = self._read(chunk, index, one), self._read(chunk, index, two)
        return (left, right) if left is not None and right is not None else None


def _leaf(name: str, definitions: tuple[RegisterDefinition, ...]) -> Sum:
    return Sum((SumTerm(name, Fraction(1), definitions),), Fraction(0))


def _low(number: int) -> int:
    """The part of a constant that belongs to the address: of descriptors the lowest bits, of addresses all."""
    return number if abs(number) < _SPACE else number & _ADDRESS


def _is_above(found: Sum) -> bool:
    """Whether a sum has only bits above the address field: other fields of a descriptor."""
    return not any(value % (1 << _LEADING) for value in (found.constant, *(term.factor for term in found.terms)))


def _keeps_address(mask: int, source: Sum) -> bool:
    """Whether a mask only cuts what lies outside of the address field, in units or in bytes, or what is zero.

    Compilers clear bits that are zero too, because the object is aligned: ``0x3FFE0`` for ``smem + 32``.
    """
    low = mask & -mask
    if mask == _ADDRESS or (mask == _SPACE - low and low <= UNIT):
        return True
    if mask > _ADDRESS and not mask & mask + 1 and any(term.factor.denominator == UNIT for term in source.terms):
        return True  # of a sum in units, more than the address field
    others = (source.constant, *(term.factor for term in source.terms if term.factor != 1))
    return mask == _SPACE - low and low <= _ALIGNED and not any(value % low for value in others)
