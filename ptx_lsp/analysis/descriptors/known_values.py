"""Known bits in one function, joined over all definitions, with the assumptions of descriptors.

Two assumptions are made on the way from an operand that is a descriptor back through what builds it, and nowhere else:
a sum does not carry out of the start address, and ``selp d, x, 0`` gives x (0 stands for lanes that do not matter).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ptx_lsp.analysis.dataflow.control_flow_graph import Graphs
from ptx_lsp.analysis.dataflow.definitions import RegisterDefinition
from ptx_lsp.analysis.dataflow.known_bits import NOTHING, Fact
from ptx_lsp.analysis.dataflow.operations import computation
from ptx_lsp.analysis.dataflow.registers import Register
from ptx_lsp.analysis.dataflow.transfer_functions import (
    CONSTANTS,
    OperandSource,
    Part,
    TransferFunction,
    WrittenOperand,
    number_of,
    operand_source,
    transfer_function,
    words_of,
)
from ptx_lsp.analysis.descriptors.cache_policies import policy
from ptx_lsp.analysis.descriptors.call_contexts import CallContext
from ptx_lsp.analysis.descriptors.carry_assumptions import without_carry
from ptx_lsp.analysis.descriptors.loads import loaded
from ptx_lsp.analysis.descriptors.local_memory import Memories
from ptx_lsp.analysis.descriptors.memory_accesses import StatementKey
from ptx_lsp.analysis.descriptors.terms import BitSegment, Pieces, Unknown, Unseen, ValueNode, ValueTerm, value
from ptx_lsp.analysis.descriptors.value_origins import origins
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.tree import Operand, OperandKind

_MOST_NODES = 500
"""A value that depends on more than so many writes is not followed further."""
_MOST_PREPARED = 8
"""So many definitions of a register are looked at for other registers."""
_WORD = 32


class KnownValues:
    """Facts about the registers of one function; as long as its text stays they are found once."""

    def __init__(self, graphs: Graphs, function: Function, *, is_alone: bool = False) -> None:
        """Of a function; if ``is_alone`` nothing is taken over from the functions that it calls or that call it."""
        self._memories = Memories(graphs, is_alone=is_alone)
        self._frame = CallContext(self._memories.of(function), self._memories)
        self.definitions = self._frame.definitions
        self._nodes: dict[tuple[object, ...], ValueNode] = {}
        self._computed: dict[tuple[int, Part, tuple[Fact, ...]], Fact] = {}
        self._prepared: set[Register] = set()
        """Registers whose definitions are found, and those of what the first of these read."""

    def __del__(self) -> None:
        """Separate what refers to each other: else only a collection of all objects would free it, and the graphs."""
        for node in self._nodes.values():
            node.inputs = None
        self._frame.forget()
        self._memories.forget()

    def preparing(self, chunk: Chunk, index: int, operand: Operand) -> Iterator[None]:
        """Find the definitions of the registers that an operand depends on, in steps of a few milliseconds."""
        definitions = self.definitions
        source = operand_source(chunk, index, operand)
        waiting = [] if source is None else [((chunk, index), source)]
        while waiting:
            at, source = waiting.pop()
            waiting += [(at, part) for part in source.parts]
            register = definitions.register(words_of(*at)[source.word], *at) if source.word >= 0 else None
            if register is None or register in self._prepared:
                continue
            yield from definitions.finding(register)
            self._prepared.add(register)
            for one in definitions.of(register)[:_MOST_PREPARED]:
                known = transfer_function(one.chunk, one.statement)
                if known is not None:
                    waiting += [((one.chunk, one.statement), operand) for operand in known.operands[1:]]

    def is_settled(self, chunk: Chunk, index: int, operand: Operand) -> bool:
        """Whether an operand has one value wherever a statement of its scope stands: no register has two writes."""
        source, words = operand_source(chunk, index, operand), words_of(chunk, index)
        waiting = [] if source is None else [source]
        while waiting:
            one = waiting.pop()
            waiting += one.parts
            register = self.definitions.register(words[one.word], chunk, index) if one.word >= 0 else None
            if register is not None and len(self.definitions.of(register)) > 1:
                return False
        return True

    def operand(self, chunk: Chunk, index: int, operand: Operand, *, descriptor: bool) -> Fact:
        """Known bits of an operand of a statement; with the assumptions about descriptors if it is one."""
        return value(self._solved(chunk, index, operand, descriptor=descriptor)) or NOTHING

    def origins(self, chunk: Chunk, index: int, operand: Operand, mask: int, *, descriptor: bool) -> list[Unknown]:
        """The origins of those bits of an operand that are in a mask and not known."""
        return origins(self._solved(chunk, index, operand, descriptor=descriptor), mask)

    def _solved(self, chunk: Chunk, index: int, operand: Operand, *, descriptor: bool) -> ValueTerm:
        source = operand_source(chunk, index, operand)
        if source is None:
            return NOTHING
        part = Part.WHOLE if descriptor else Part.NONE
        term = self._term(self._frame, (chunk, index), words_of(chunk, index), source, part, 64)
        self._solve(term)
        return term

    # ------------------------------------------------------------------ solving

    def _solve(self, root: ValueTerm) -> None:
        """Evaluate what a term needs until nothing changes: bits begin as known and go where ways disagree."""
        order = self._needed(root)
        pending = set(order)
        while pending:
            for node in order:
                if node not in pending:
                    continue
                pending.discard(node)
                result = self._evaluate(node)
                before = node.fact
                joined = result if before is None or result is None else before.join(result)
                if joined is not None and joined != before:
                    node.fact = joined
                    pending.update(node.users)
        for node in order:
            node.is_done = True
            node.users.clear()
            if node.fact is None:
                node.fact = NOTHING

    def _needed(self, root: ValueTerm) -> list[ValueNode]:
        """The nodes that a term needs and that are not done, what others need first."""
        order: list[ValueNode] = []
        cut: list[ValueNode] = []
        stack: list[tuple[ValueNode | None, Iterator[ValueNode]]] = [(None, iter(_nodes_in([root])))]
        count = 0
        while stack:
            user, inner = stack[-1]
            for node in inner:
                if node.is_done:
                    continue
                if user is not None:
                    node.users.append(user)
                if node.inputs is not None:
                    continue
                if count >= _MOST_NODES:
                    node.fact, node.is_done = NOTHING, True
                    cut.append(node)
                    continue
                count += 1
                node.inputs = self._inputs(node)
                stack.append((node, iter(_nodes_in(node.inputs))))
                break
            else:
                stack.pop()
                if user is not None:
                    order.append(user)
        for node in cut:
            self._nodes.pop(node.key, None)
        return order

    def _node(
        self, frame: CallContext, register: Register, definition: RegisterDefinition | None, part: Part
    ) -> ValueNode:
        key = (frame, register, part) if definition is None else (frame, register, part, *definition[:2])
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = ValueNode(key, frame, register, definition, part)
        return node

    def _inputs(self, node: ValueNode) -> Sequence[ValueTerm]:
        """The terms that the value of a node is made of."""
        frame = node.frame
        if node.definition is None:
            return [self._node(frame, node.register, one, node.part) for one in frame.definitions.of(node.register)]
        chunk, index, _, is_known = node.definition
        known = transfer_function(chunk, index)
        if not is_known or known is None:
            return ()
        if known.mnemonic == "createpolicy":
            made = policy(chunk.statement(index), known.tree)
            return (Fact(made, made),)
        if len(known.operands) < 2 or not known.types:
            return ()
        at = chunk, index
        if known.mnemonic == "ld":
            return (loaded(frame, at, known, node.register.name, node.part, self._term),)
        words = words_of(chunk, index)
        result, *sources = known.operands
        if result.written is WrittenOperand.VECTOR:
            return self._unpacked(node, known, words)
        if result.operand.kind is not OperandKind.NAME:
            return ()
        node.transfer = known
        width = known.width
        return [
            self._term(frame, at, words, source, part, width)
            for source, part in zip(sources, known.parts[node.part], strict=False)
        ]

    def _unpacked(self, node: ValueNode, known: TransferFunction, words: Sequence[str]) -> Sequence[ValueTerm]:
        """One half (quarter …) of what a ``mov`` takes apart."""
        assert node.definition is not None
        pieces = known.operands[0].parts
        names = [words[piece.word] if piece.word >= 0 else "" for piece in pieces]
        if known.mnemonic != "mov" or names.count(node.register.name) != 1:
            return ()
        size = known.width // len(pieces)
        low = size * names.index(node.register.name)
        wanted = (low == 0 and node.part is Part.WHOLE) or (low == _WORD and node.part is Part.HIGH)
        part = Part.WHOLE if wanted else Part.NONE
        source = self._term(node.frame, node.definition[:2], words, known.operands[1], part, known.width)
        return (Pieces((BitSegment(0, size, ((source, low),)),)),)

    def _term(
        self, frame: CallContext, at: StatementKey, words: Sequence[str], source: OperandSource, part: Part, width: int
    ) -> ValueTerm:
        """A source operand of so many bits."""
        written = source.written
        if written is WrittenOperand.NAME:
            register = frame.definitions.register(words[source.word], *at)
            if register is None:
                return Unknown(Unseen.SPECIAL, words[source.word])
            return self._node(frame, register, frame.definitions.single(register, *at), part)
        if written in CONSTANTS:
            number = number_of(source, words, *at)
            return Fact.constant(number) if number is not None else NOTHING
        if written is not WrittenOperand.VECTOR:
            is_special = source.operand.selector and source.word >= 0 and words[source.word][0] == "%"
            return Unknown(Unseen.SPECIAL, words[source.word]) if is_special else NOTHING
        size = width // len(source.parts)
        segments = []
        for place, piece in enumerate(source.parts):
            low = size * place
            inner = Part.NONE
            if part is Part.WHOLE:
                inner = Part.WHOLE if low == 0 else Part.HIGH if low == _WORD else Part.NONE
            segments.append(BitSegment(low, size, ((self._term(frame, at, words, piece, inner, size), 0),)))
        return Pieces(tuple(segments))

    # ------------------------------------------------------------------ one node

    def _evaluate(self, node: ValueNode) -> Fact | None:
        """Known bits of a node so far; None if that is nothing yet."""
        inputs = node.inputs
        if not inputs:
            return NOTHING  # no definitions, as of parameters and special registers; or nothing that is followed
        if node.definition is None:
            found: Fact | None = None
            for term in inputs:
                fact = value(term)
                if fact is not None:
                    found = fact if found is None else found.join(fact)
            return found
        known = node.transfer
        if known is None:
            return value(inputs[0])
        facts = []
        for term in inputs:
            fact = value(term)
            if fact is None:
                return None
            facts.append(fact)
        key = (id(known), node.part, tuple(facts))
        result = self._computed.get(key)
        if result is None:
            result = self._computed[key] = _computed(known, facts, node.part)
        return result


def _nodes_in(terms: Iterable[ValueTerm]) -> list[ValueNode]:
    """The nodes that terms are made of."""
    found: list[ValueNode] = []
    for term in terms:
        if isinstance(term, ValueNode):
            found.append(term)
        elif isinstance(term, Pieces):
            for segment in term.segments:
                found += _nodes_in([source for source, _ in segment.sources])
    return found


def _computed(known: TransferFunction, operands: list[Fact], part: Part) -> Fact:
    mnemonic, width = known.mnemonic, known.width
    if mnemonic == "shfl":  # some lane's value: of all lanes the same is known
        return operands[0]
    if mnemonic == "selp" and part is not Part.NONE:
        return _selected(operands, width)
    sure = known.compute([one.sure for one in operands])
    same = all(one.sure is one.bits for one in operands)
    bits = sure if same else known.compute([one.bits for one in operands])
    fact = Fact(sure, sure if bits == sure else bits)
    if part is not Part.WHOLE:
        return fact
    if mnemonic in ("add", "sub") and ".cc" not in known.opcode:
        one, two = (operand.bits.low(width) for operand in operands)
        return Fact(sure, without_carry(one, two, bits, minus=mnemonic == "sub").low(width))
    if mnemonic == "mad" and len(operands) == 3:
        wide = 2 * width if ".wide" in known.opcode else width
        product = computation(("mul", *known.opcode[1:]))([one.bits for one in operands[:2]])
        return Fact(sure, without_carry(product, operands[2].bits.low(wide), bits).low(wide))
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
    bits = fact.bits
    return bits.value & mask, bits.known & mask, fact.assumed & mask
