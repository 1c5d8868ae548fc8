"""What is known of the values of one function, joined over all definitions, with the assumptions of descriptors.

Two assumptions are made on the way from an operand that is a descriptor back through what builds it, and nowhere else:
a sum does not carry out of the start address, and ``selp d, x, 0`` gives x (0 stands for lanes that do not matter).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from ptx_lsp.analysis.flow.bits import Bits
from ptx_lsp.analysis.flow.operations import compute, integer_types
from ptx_lsp.analysis.function import Function
from ptx_lsp.analysis.packed.facts import NOTHING, Fact, without_carry
from ptx_lsp.analysis.packed.policies import policy
from ptx_lsp.analysis.packed.writes import Register, Write, Writes
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind

if TYPE_CHECKING:
    from ptx_lsp.analysis.module import Module

_MOST_NODES = 500
"""A value that depends on more than so many writes is not followed further."""
_WORD = 32
_LONGEST_CHAIN = 100


class Part(IntEnum):
    """Which part of a descriptor a value becomes."""

    NONE = 0
    """None, or nothing that assumptions hold for."""
    WHOLE = 1
    """Its lower end: all of it, or its low word or half."""
    HIGH = 2
    """Its high word."""


class _All(NamedTuple):
    """What a register can hold anywhere."""

    register: Register
    part: Part


class _One(NamedTuple):
    """What one write leaves in a register."""

    write: Write
    register: Register
    part: Part


_Node = _All | _One


class KnownValues:
    """Facts about the registers of one function; as long as its text stays they are found once."""

    def __init__(self, module: Module, function: Function) -> None:
        self.writes = Writes(module, function)
        self._done: dict[_Node, Fact] = {}
        self._found: dict[_Node, Fact | None] = {}
        self._users: dict[_Node, set[_Node]] = {}
        self._pending: dict[_Node, None] = {}
        self._asking: _Node | None = None

    def operand(self, chunk: Chunk, index: int, operand: Operand, *, descriptor: bool) -> Fact:
        """What is known of an operand of a statement; with the assumptions about descriptors if it is one."""
        statement = chunk.statement(index)
        part = Part.WHOLE if descriptor else Part.NONE
        found = self._read(chunk, index, statement, operand, part, 64)
        while self._pending:  # of a vector a part is asked for once the one before it is found
            self._solve()
            found = self._read(chunk, index, statement, operand, part, 64)
        self._done.update((node, fact or NOTHING) for node, fact in self._found.items())
        self._found.clear()
        self._users.clear()
        return found or NOTHING

    def chain(self, chunk: Chunk, index: int, operand: Operand) -> Iterator[Write]:
        """The writes that make a packed operand, nearest first: what its bits go through, not by how much they move."""
        waiting = [(chunk, index, operand, Part.WHOLE)]
        seen: set[Write] = set()
        while waiting:
            chunk, index, operand, part = waiting.pop(0)
            statement = chunk.statement(index)
            if operand.kind is OperandKind.VECTOR:
                waiting += [(chunk, index, piece, part) for piece in operand.parts]
                continue
            if operand.kind is not OperandKind.NAME or operand.selector:
                continue
            register = self.writes.register(statement.word(operand.name), chunk, index)
            if register is None:
                continue
            nearest = self.writes.nearest(register, chunk, index)
            for write in (nearest,) if nearest is not None else self.writes.of(register):
                tree = write.chunk.statement(write.statement).shape.tree
                if write in seen or len(seen) > _LONGEST_CHAIN or not isinstance(tree, Instruction):
                    continue
                seen.add(write)
                yield write
                parts = _parts(tree, Part.WHOLE) if tree.opcode[0] != "and" else [Part.WHOLE] * 2
                for source, kept in zip(tree.operands[1:], parts, strict=False):
                    if kept is not Part.NONE:
                        waiting.append((write.chunk, write.statement, source, kept))

    # ------------------------------------------------------------------ solving

    def _solve(self) -> None:
        """Evaluate what is waiting until nothing changes: bits start as known and are given up where ways disagree."""
        while self._pending:
            node, _ = self._pending.popitem()
            self._asking = node
            result = self._all(node) if isinstance(node, _All) else self._one(node)
            self._asking = None
            before = self._found[node]
            joined = result if before is None or result is None else before.join(result)
            if joined is not None and joined != before:
                self._found[node] = joined
                self._pending.update(dict.fromkeys(self._users.get(node, ())))

    def _ask(self, node: _Node) -> Fact | None:
        """What is found of a node so far; None if that is nothing yet."""
        done = self._done.get(node)
        if done is not None:
            return done
        if self._asking is not None:
            self._users.setdefault(node, set()).add(self._asking)
        if node not in self._found:
            if len(self._found) >= _MOST_NODES:
                return NOTHING
            self._found[node] = None
            self._pending[node] = None
        return self._found[node]

    def _all(self, node: _All) -> Fact | None:
        """The join over all writes; without writes nothing is known: a parameter, a special register."""
        writes = self.writes.of(node.register)
        found: Fact | None = None if writes else NOTHING
        for write in writes:
            fact = self._ask(_One(write, node.register, node.part))
            if fact is not None:
                found = fact if found is None else found.join(fact)
        return found

    # ------------------------------------------------------------------ one instruction

    def _one(self, node: _One) -> Fact | None:
        chunk, index, _, is_known = node.write
        statement = chunk.statement(index)
        tree = statement.shape.tree
        if not is_known or not isinstance(tree, Instruction):
            return NOTHING
        if tree.opcode[0] == "createpolicy":
            made = policy(statement, tree)
            return Fact(made, made)
        if len(tree.operands) < 2:
            return NOTHING
        types = integer_types(tree.opcode)
        if not types:
            return NOTHING
        if tree.operands[0].kind is OperandKind.VECTOR:
            return self._unpacked(node, statement, tree, types[0][1])
        if tree.operands[0].kind is not OperandKind.NAME:
            return NOTHING
        parts = _parts(tree, node.part)
        operands: list[Fact] = []
        for operand, part in zip(tree.operands[1:], parts, strict=False):
            fact = self._read(chunk, index, statement, operand, part, types[0][1])
            if fact is None:
                return None
            operands.append(fact)
        return _computed(tree, operands, node.part, types[0][1])

    def _unpacked(self, node: _One, statement: Statement, tree: Instruction, width: int) -> Fact | None:
        """One half (quarter …) of what a ``mov`` takes apart."""
        pieces = tree.operands[0].parts
        names = [statement.word(part.name) if part.name >= 0 else "" for part in pieces]
        if tree.opcode[0] != "mov" or names.count(node.register.name) != 1:
            return NOTHING
        size = width // len(pieces)
        low = size * names.index(node.register.name)
        wanted = (low == 0 and node.part is Part.WHOLE) or (low == _WORD and node.part is Part.HIGH)
        part = Part.WHOLE if wanted else Part.NONE
        source = self._read(*node.write[:2], statement, tree.operands[1], part, width)
        return None if source is None else source.map(lambda bits: (bits >> low).low(size))

    def _read(
        self, chunk: Chunk, index: int, statement: Statement, operand: Operand, part: Part, width: int
    ) -> Fact | None:
        """What is known of a source operand of so many bits; None as long as nothing is found of it."""
        if operand.kind in (OperandKind.INTEGER, OperandKind.CONSTANT):
            number = evaluate(statement, operand)
            return Fact.constant(number) if isinstance(number, int) else NOTHING
        if operand.kind is OperandKind.VECTOR and operand.parts:
            return self._packed(chunk, index, statement, operand, part, width)
        if operand.kind is not OperandKind.NAME or operand.selector or operand.sign or operand.offset is not None:
            return NOTHING
        register = self.writes.register(statement.word(operand.name), chunk, index)
        if register is None:
            return NOTHING
        nearest = self.writes.nearest(register, chunk, index)
        return self._ask(_One(nearest, register, part) if nearest is not None else _All(register, part))

    def _packed(
        self, chunk: Chunk, index: int, statement: Statement, operand: Operand, part: Part, width: int
    ) -> Fact | None:
        size = width // len(operand.parts)
        packed = Fact.constant(0)
        for place, piece in enumerate(operand.parts):
            low = size * place
            inner = Part.NONE
            if part is Part.WHOLE:
                inner = Part.WHOLE if low == 0 else Part.HIGH if low == _WORD else Part.NONE
            fact = self._read(chunk, index, statement, piece, inner, size)
            if fact is None:
                return None
            packed = Fact(
                packed.sure | fact.sure.low(size) << low,
                packed.bits | fact.bits.low(size) << low,
            )
        return packed


_KEEPS = frozenset({"mov", "add", "sub", "or", "xor", "cvt", "selp", "shfl", "cvta"})
"""Instructions whose operands are parts of a descriptor as their result is."""


def _parts(tree: Instruction, part: Part) -> list[Part]:
    """For each source operand the part of the descriptor that it becomes."""
    count = len(tree.operands) - 1
    mnemonic = tree.opcode[0]
    if mnemonic in _KEEPS:
        kept = 1 if mnemonic == "shfl" else count
        return [part] * kept + [Part.NONE] * (count - kept)
    if mnemonic == "mad" and not {".lo", ".wide"}.isdisjoint(tree.opcode):
        return [Part.NONE, Part.NONE, part]
    if mnemonic == "bfi":
        return [Part.NONE, part, *[Part.NONE] * (count - 2)]
    return [Part.NONE] * count


def _computed(tree: Instruction, operands: list[Fact], part: Part, width: int) -> Fact:
    mnemonic = tree.opcode[0]
    if mnemonic == "shfl":  # some lane's value: of all lanes the same is known
        return operands[0]
    if mnemonic == "selp" and part is not Part.NONE:
        return _selected(operands, width)
    fact = Fact(
        compute(tree.opcode, [one.sure for one in operands]), compute(tree.opcode, [one.bits for one in operands])
    )
    if part is not Part.WHOLE:
        return fact
    if mnemonic in ("add", "sub") and ".cc" not in tree.opcode:
        one, two = (operand.bits.low(width) for operand in operands)
        return Fact(fact.sure, without_carry(one, two, fact.bits, minus=mnemonic == "sub").low(width))
    if mnemonic == "mad" and len(operands) == 3:
        wide = 2 * width if ".wide" in tree.opcode else width
        product = compute(("mul", *tree.opcode[1:]), [one.bits for one in operands[:2]])
        return Fact(fact.sure, without_carry(product, operands[2].bits.low(wide), fact.bits).low(wide))
    return fact


def _selected(operands: list[Fact], width: int) -> Fact:
    one, two = (operand.map(lambda bits: bits.low(width)) for operand in operands[:2])
    both = one.join(two)
    for chosen, other in ((one, two), (two, one)):
        if other.sure.number == 0 and chosen.sure.number is None:
            return Fact(both.sure, chosen.bits)
    return both


def composed(fact: Fact, width: int) -> tuple[int, int, int]:
    """Value, known bits, and bits known under an assumption, of so many bits."""
    mask = (1 << width) - 1
    bits: Bits = fact.bits
    return bits.value & mask, bits.known & mask, fact.assumed & mask
