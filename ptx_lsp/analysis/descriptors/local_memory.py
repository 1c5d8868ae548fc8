"""Stores into variables of local memory, and into what calls pass: unoptimised code keeps all values there.

An object is followed as long as every address of it is its own plus a constant, and is used to load, to store, or as
an argument of a function that is here and does the same with it. Else nothing is known of it.

Source: PTX ISA, "Local State Space", "Parameter State Space", "call".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph, Graphs
from ptx_lsp.analysis.dataflow.definitions import Definitions
from ptx_lsp.analysis.dataflow.registers import Register
from ptx_lsp.analysis.dataflow.transfer_functions import (
    OperandSource,
    TransferFunction,
    WrittenOperand,
    transfer_function,
    words_of,
)
from ptx_lsp.analysis.descriptors.argument_flow import ArgumentFlow, Reached
from ptx_lsp.analysis.descriptors.memory_accesses import (
    Followed,
    Load,
    StatementKey,
    Store,
    access,
    access_size,
    stores,
)
from ptx_lsp.analysis.descriptors.pointers import MOVING, base_of, is_variable, moved
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.derived_values import once
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind

_Pointer = tuple["Register", int | None]
"""A register that holds an address, and where in the object it points; None if that is not known."""

_MOST_USES = 5000
"""An object that is used more often is not followed."""
_DEEPEST = 6
"""So many calls deep an address is followed."""


class _Walk:
    """An object that is being followed."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.pointers: list[_Pointer] = []
        self.stores: list[Store] = []
        self.loads: list[Load] = []
        self.returned: list[tuple[str, int | None]] = []
        self.kept: list[tuple[StatementKey, int | None]] = []
        """The stores that keep an address of it in memory, and where in it that points."""


class Memory:
    """The objects of one function."""

    def __init__(self, graphs: Graphs, function: Function, definitions: Definitions, memories: Memories) -> None:
        self._graphs = graphs
        self._function = function
        self.definitions = definitions
        self._memories = memories
        self.passing = ArgumentFlow(graphs.module, function, definitions, is_alone=memories.is_alone)
        self._followed: dict[str | Register, Followed | None] = {}

    @once
    def graph(self) -> Graph:
        """The control-flow graph of the function."""
        return self._graphs.of(self._function)

    @once
    def nodes(self) -> dict[Chunk, tuple[list[int], list[int]]]:
        """For each chunk where the pieces of the graph begin, and their numbers."""
        found: dict[Chunk, tuple[list[int], list[int]]] = {}
        for node in self.graph.nodes:
            if node.is_table:
                break  # nodes of tables follow all others
            starts, numbers = found.setdefault(node.chunk, ([], []))
            starts.append(node.piece.start)
            numbers.append(node.number)
        return found

    def stored(self, variable: Register) -> tuple[Store, ...] | None:
        """The stores into a variable, in the order of the text; None if something else may be done with it."""
        found = self.followed(variable)
        return found.stores if found is not None else None

    def followed(self, variable: Register) -> Followed | None:
        """The accesses to a variable; None if that is not known."""
        if variable not in self._followed:
            self._followed[variable] = None  # so it is while it is being found, should it be needed for that
            if not self.definitions.is_of_block(variable):
                return None  # other functions have it too
            walk = _Walk(0)
            uses = [self._used(*at, variable, 0, walk) for at in self.passing.uses(variable)]
            self._followed[variable] = self._follow(walk) if all(uses) else None
        return self._followed[variable]

    def followed_from(self, parameter: str, depth: int) -> Followed | None:
        """The accesses to the object that a parameter of the function points to."""
        if parameter not in self._followed:
            self._followed[parameter] = None
            name = self.passing.formal(parameter)
            if name is not None and depth <= _DEEPEST:
                self._followed[parameter] = self._pointed_to(name, depth)
        return self._followed[parameter]

    # ------------------------------------------------------------------ following addresses

    def _pointed_to(self, parameter: Register, depth: int) -> Followed | None:
        walk = _Walk(depth)
        is_followed = self._loaded(parameter, self.definitions.uses(parameter), 0, walk)
        return self._follow(walk) if is_followed else None

    def _loaded(self, variable: Register, uses: Iterable[StatementKey], offset: int | None, walk: _Walk) -> bool:
        """Take over that a ``.param`` variable holds an address; False if it is not known what becomes of it."""
        for chunk, index in uses:
            known = transfer_function(chunk, index)
            if known is None or known.mnemonic == "call":
                continue
            words = words_of(chunk, index)
            pointer = self._result(known, words, chunk, index)
            address = access(known, 1, chunk, index, words)
            if known.mnemonic != "ld" or pointer is None or address != (variable.name, 0):
                return False
            walk.pointers.append((pointer, offset))
        return True

    def _follow(self, walk: _Walk) -> Followed | None:
        left = _MOST_USES
        seen: set[_Pointer] = set()
        while walk.pointers:
            pointer, offset = walk.pointers.pop()
            if (pointer, offset) not in seen:
                seen.add((pointer, offset))
                written = self.definitions.only(pointer)
                if written is None:
                    return None
                for chunk, index in self.definitions.uses(pointer):
                    left -= 1
                    if (chunk, index) != written[:2] and (
                        left < 0 or not self._used(chunk, index, pointer, offset, walk)
                    ):
                        return None
            if not walk.pointers and not all(self._fetched(*one, walk, seen) for one in walk.kept):
                return None
        order = {chunk: number for number, chunk in enumerate(self._function.chunks)}
        found = sorted(walk.stores, key=lambda store: (order[store.place[0]], store.place[1]))
        return Followed(tuple(found), tuple(walk.loads), tuple(walk.returned))

    def _fetched(self, at: StatementKey, offset: int | None, walk: _Walk, seen: set[_Pointer]) -> bool:
        """Take over the loads of an address that a store keeps in a local variable; False if they are not clear."""
        loads: Sequence[Load] = walk.loads
        store = next((one for one in walk.stores if one.at == at), None)
        if store is None:
            known = transfer_function(*at)
            address = access(known, 0, *at, words_of(*at)) if known is not None else None
            variable, place = self._local(address[0], at) if address is not None else (None, 0)
            followed = self.followed(variable) if variable is not None else None
            if followed is None or address is None:
                return False
            store = Store((), at, place + address[1], 8, -1)
            loads = followed.loads
        for load in loads:
            if load.offset is not None and not (store.offset - load.size < load.offset < store.offset + 8):
                continue
            if load.size < 8:
                continue  # no half of an address is put together with another one
            known = transfer_function(*load.at) if load.at is not None else None
            if known is None or load.at is None or (load.offset, load.size) != (store.offset, 8):
                return False
            pointer = self._result(known, words_of(*load.at), *load.at)
            if pointer is None:
                return False
            if (pointer, offset) not in seen:
                walk.pointers.append((pointer, offset))
        return True

    def _local(self, name: str, at: StatementKey) -> tuple[Register | None, int]:
        """The variable of this function that a register points into, and where."""
        base = base_of(self.definitions, at, name)
        return (base.name, base.offset) if base is not None and is_variable(base.name) else (None, 0)

    def _used(self, chunk: Chunk, index: int, name: Register, offset: int | None, walk: _Walk) -> bool:
        """Take over one use of an address; False if it is not known what becomes of it."""
        known = transfer_function(chunk, index)
        if known is None:
            return chunk.kinds[index] not in _DOUBTFUL
        words = words_of(chunk, index)
        if words.count(name.name) > 1:
            return False
        if known.mnemonic == "setp":
            return True
        if known.mnemonic == "ld":
            address, size = access(known, 1, chunk, index, words), access_size(known)
            if address is None or size is None:
                return False
            for element in range(size[1]):
                at = None if offset is None else offset + address[1] + element * size[0]
                walk.loads.append(Load((chunk, index) if size[1] == 1 else None, at, size[0]))
            return True
        if known.mnemonic == "st":
            found = list(stores(known, chunk, index, name.name, offset or 0))
            if found and offset is not None:
                walk.stores += found
                return True
            return not found and self._passed(known, chunk, index, words, offset, walk)
        result = self._result(known, words, chunk, index)
        if result is None or known.width != 64 or known.mnemonic not in MOVING:
            return False
        distance = moved(known, words, chunk, index, name.name)
        walk.pointers.append((result, offset + distance if distance is not None and offset is not None else None))
        return True

    def _passed(
        self, known: TransferFunction, chunk: Chunk, index: int, words: Sequence[str], offset: int | None, walk: _Walk
    ) -> bool:
        """Take over that an address is stored: as an argument of a call, as a result, or in a local variable."""
        address = access(known, 0, chunk, index, words)
        if address is None or access_size(known) != (8, 1):
            return False
        if ".param" not in known.opcode:
            walk.kept.append(((chunk, index), offset))
            return True
        passed = self.definitions.register(address[0], chunk, index)
        if passed is None or address[1]:
            return False
        if self.passing.is_parameter(passed):
            walk.returned.append((passed.name, offset))
            return True
        called = self.passing.call_of(passed)
        parameter = called[1].parameter(address[0]) if called is not None else None
        if called is None or parameter is None:
            return False
        at, reached = called
        inner = self._memories.of(reached.function).followed_from(parameter, walk.depth + 1)
        if inner is None or (offset is None and inner.stores):
            return False
        base = offset or 0
        walk.stores += [one._replace(calls=(at, *one.calls), offset=one.offset + base) for one in inner.stores]
        for load in inner.loads:
            is_clear = offset is not None and load.offset is not None
            walk.loads.append(Load(None, base + (load.offset or 0) if is_clear else None, load.size))
        return all(self._given_back(at, reached, *one, offset, walk) for one in inner.returned)

    def _given_back(
        self, at: StatementKey, reached: Reached, result: str, inner: int | None, offset: int | None, walk: _Walk
    ) -> bool:
        """Take over that a call returns an address."""
        name = reached.result(result)
        variable = self.definitions.register(name, *at) if name else None
        if variable is None:
            return False
        there = None if offset is None or inner is None else offset + inner
        return self._loaded(variable, self.passing.uses(variable), there, walk)

    def _result(self, known: TransferFunction, words: Sequence[str], chunk: Chunk, index: int) -> Register | None:
        source: OperandSource | None = known.operands[0] if known.operands else None
        if source is None or source.written is not WrittenOperand.NAME or known.tree.guard is not None:
            return None
        return self.definitions.register(words[source.word], chunk, index)


_DOUBTFUL = frozenset({Kind.INSTRUCTION, Kind.BAD, Kind.LINE})


class Memories:
    """The objects of the functions of a module."""

    def __init__(self, graphs: Graphs, *, is_alone: bool) -> None:
        self._graphs = graphs
        self._found: dict[Function, Memory] = {}
        self.is_alone = is_alone
        """Whether nothing but one function is looked at."""

    def of(self, function: Function) -> Memory:
        """The objects of one function."""
        found = self._found.get(function)
        if found is None:
            writes = Definitions(self._graphs.effects, function)
            found = self._found[function] = Memory(self._graphs, function, writes, self)
        return found

    def forget(self) -> None:
        """Give up the objects of all functions: they refer to this."""
        self._found.clear()
