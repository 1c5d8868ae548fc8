"""What is stored into variables of local memory, and into what calls pass: unoptimised code keeps all it has there.

An object is followed as long as every address of it is its own plus a constant, and is used to load, to store, or as
an argument of a function that is here and does the same with it. Else nothing is known of it.

Source: PTX ISA, "Local State Space", "Parameter State Space", "call".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ptx_lsp.analysis.calls import read_call
from ptx_lsp.analysis.flow.graph import Graph
from ptx_lsp.analysis.function import Function
from ptx_lsp.analysis.packed.mentions import standing
from ptx_lsp.analysis.packed.recipe import Recipe, Source, Written, number_of, recipe, words_of
from ptx_lsp.analysis.packed.writes import Register, Writes
from ptx_lsp.analysis.parameters import formals
from ptx_lsp.analysis.symbols import SymbolKind
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tree import Operand

if TYPE_CHECKING:
    from ptx_lsp.analysis.module import Module

At = tuple[Chunk, int]
"""A statement."""

_Pointer = tuple["Register", int | None]
"""A register that holds an address, and where in the object it points; None if that is not known."""

_LONGEST_WAY = 50
_MOST_USES = 5000
"""An object that is used more often is not followed."""
_MOST_CALLERS = 16
_DEEPEST = 6
"""So many calls deep an address is followed."""
_WIDTH = re.compile(r"\.(?:[bsuf]|bf)(8|16|32|64|128)").fullmatch
_COUNT = re.compile(r"\.v([248])").fullmatch


class Store(NamedTuple):
    """A statement that stores into an object."""

    calls: tuple[At, ...]
    """The calls through which it is reached, the outermost first."""
    at: At
    offset: int
    """The first byte of the object that it stores."""
    size: int
    element: int
    """Which of the elements of a vector; -1 if no vector is stored."""

    @property
    def place(self) -> At:
        """Where it happens, seen from the function that has the object."""
        return self.calls[0] if self.calls else self.at


class Load(NamedTuple):
    """A statement that loads from an object."""

    at: At | None
    """None if it stands in a function that was called."""
    offset: int | None
    """The first byte that it loads; None if that is not known."""
    size: int


class Followed(NamedTuple):
    """All that is done with an object."""

    stores: tuple[Store, ...]
    """In the order of the text."""
    loads: tuple[Load, ...]
    returned: tuple[tuple[str, int | None], ...]
    """The results of the function that hold its address, and where in it they point."""


class _Walk:
    """An object that is being followed."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.pointers: list[_Pointer] = []
        self.stores: list[Store] = []
        self.loads: list[Load] = []
        self.returned: list[tuple[str, int | None]] = []
        self.kept: list[tuple[At, int | None]] = []
        """The stores that keep an address of it in memory, and where in it that points."""


class Reached(NamedTuple):
    """A function that a call calls."""

    function: Function
    arguments: tuple[str, ...]
    """The names that stand in the call."""
    results: tuple[str, ...]
    parameters: tuple[str, ...]
    """The names in the head of the function."""
    returns: tuple[str, ...]

    def parameter(self, argument: str) -> str | None:
        """The parameter that an argument becomes."""
        is_clear = self.arguments.count(argument) == 1 and len(self.arguments) == len(self.parameters)
        return self.parameters[self.arguments.index(argument)] if is_clear else None

    def argument(self, parameter: str) -> str | None:
        """The argument that becomes a parameter."""
        is_clear = self.parameters.count(parameter) == 1 and len(self.arguments) == len(self.parameters)
        return self.arguments[self.parameters.index(parameter)] if is_clear else None

    def returned(self, result: str) -> str | None:
        """What the function calls a result."""
        is_clear = self.results.count(result) == 1 and len(self.results) == len(self.returns)
        return self.returns[self.results.index(result)] if is_clear else None

    def result(self, returned: str) -> str | None:
        """What the caller calls what the function returns."""
        is_clear = self.returns.count(returned) == 1 and len(self.results) == len(self.returns)
        return self.results[self.returns.index(returned)] if is_clear else None


def access(known: Recipe, operand: int, chunk: Chunk, index: int, words: Sequence[str]) -> tuple[str, int] | None:
    """The name and the number in the address that an operand is; None if it is another address."""
    source = known.operands[operand] if operand < len(known.operands) else None
    if source is None or source.written is not Written.ADDRESS:
        return None
    offset = number_of(source.parts[0], words, chunk, index) if source.parts else 0
    return None if offset is None else (words[source.word], offset)


def access_size(known: Recipe) -> tuple[int, int] | None:
    """Bytes of one element that a load or store moves, and how many there are; None if that is not clear."""
    widths = [int(found[1]) for word in known.opcode if (found := _WIDTH(word))]
    counts = [int(found[1]) for word in known.opcode if (found := _COUNT(word))]
    return (widths[0] // 8, counts[0] if counts else 1) if len(widths) == 1 else None


class Memory:
    """The objects of one function."""

    def __init__(self, module: Module, function: Function, writes: Writes, memories: Memories) -> None:
        self._module = module
        self._function = function
        self.writes = writes
        self._memories = memories
        self._reached: dict[At, Reached | None] = {}
        self._calls: dict[Register, tuple[At, Reached] | None] = {}
        self._passed_to: dict[Register, tuple[Store, ...] | None] = {}
        self._formals: dict[str, Register | None] = {}
        self._followed: dict[str | Register, Followed | None] = {}

    @cached_property
    def graph(self) -> Graph:
        """How control goes through the function."""
        return self._module.flow(self._function).graph

    @cached_property
    def nodes(self) -> dict[Chunk, tuple[list[int], list[int]]]:
        """For each chunk where the pieces of the graph begin, and their numbers."""
        found: dict[Chunk, tuple[list[int], list[int]]] = {}
        for node in self.graph.nodes:
            starts, numbers = found.setdefault(node.chunk, ([], []))
            starts.append(node.piece.start)
            numbers.append(node.number)
        return found

    def formal(self, name: str) -> Register | None:
        """A name out of the head of the function."""
        if name not in self._formals:
            self._formals[name] = self._find_formal(name)
        return self._formals[name]

    def _find_formal(self, name: str) -> Register | None:
        for chunk, index in self.writes.mentions.of(name):
            found = self.writes.register(name, chunk, index)
            if found is not None and self.is_parameter(found):
                return found
        return None

    def is_parameter(self, name: Register) -> bool:
        """Whether a name is declared in the head of the function."""
        place = name.declared
        return place.chunk.kinds[place.statement] == Kind.FUNCTION

    def call_of(self, passed: Register) -> tuple[At, Reached] | None:
        """The call that a ``.param`` variable is passed to or returned from, if its function is here."""
        if passed not in self._calls:
            at = next((at for at in self._uses(passed) if self._is_call(*at)), None)
            reached = self.reached(*at) if at is not None else None
            self._calls[passed] = (at, reached) if at is not None and reached is not None else None
        return self._calls[passed]

    def _is_call(self, chunk: Chunk, index: int) -> bool:
        known = recipe(chunk, index)
        return known is not None and known.mnemonic == "call"

    @cached_property
    def callers(self) -> tuple[tuple[Function, At], ...] | None:
        """All calls of the function and who calls; None if another module may do so, or this one by its address."""
        symbol = self._function.symbol
        if self._memories.is_alone or symbol is None or symbol.type != ".func" or symbol.linkage:
            return None
        found: list[tuple[Function, At]] = []
        for chunk in self._module.document.chunks:
            if symbol.name not in chunk.text:
                continue
            for index, _ in standing(chunk, symbol.name):
                if chunk.kinds[index] in _DECLARING:
                    continue
                reached = self.reached(chunk, index)
                if reached is None or reached.function is not self._function or len(found) >= _MOST_CALLERS:
                    return None
                found.append((self._module.function_of(chunk), (chunk, index)))
        return tuple(found)

    def reached(self, chunk: Chunk, index: int) -> Reached | None:
        """The function that a call calls, if its body is here."""
        at = chunk, index
        if at not in self._reached:
            self._reached[at] = None if self._memories.is_alone else self._read_call(chunk, index)
        return self._reached[at]

    def _read_call(self, chunk: Chunk, index: int) -> Reached | None:
        known = recipe(chunk, index)
        call = read_call(known.tree) if known is not None else None
        if call is None or call.targets is not None:
            return None
        statement = chunk.statement(index)
        symbol = self._module.definitions.get(statement.word(call.target.name))
        if symbol is None or symbol.kind is not SymbolKind.FUNCTION or not symbol.is_definition:
            return None
        found = formals(symbol)
        function = self._module.function_of(symbol.place.chunk)
        if found is None or not function.has_body:
            return None

        def names(operand: Operand | None) -> tuple[str, ...]:
            parts = operand.parts if operand is not None else ()
            return tuple(statement.word(part.name) if part.name >= 0 else "" for part in parts)

        return Reached(
            function, names(call.arguments), names(call.results),
            tuple(one.name for one in found.parameters), tuple(one.name for one in found.results),
        )

    def stored(self, variable: Register) -> tuple[Store, ...] | None:
        """What is stored into a variable, in the order of the text; None if something else may be done with it."""
        found = self.followed(variable)
        return found.stores if found is not None else None

    def followed(self, variable: Register) -> Followed | None:
        """What is done with a variable; None if that is not known."""
        if variable not in self._followed:
            self._followed[variable] = None  # so it is while it is being found, should it be needed for that
            walk = _Walk(0)
            uses = [self._used(*at, variable, 0, walk) for at in self._uses(variable)]
            self._followed[variable] = self._follow(walk) if all(uses) else None
        return self._followed[variable]

    def followed_from(self, parameter: str, depth: int) -> Followed | None:
        """The same of what a parameter of the function points to."""
        if parameter not in self._followed:
            self._followed[parameter] = None
            name = self.formal(parameter)
            if name is not None and depth <= _DEEPEST:
                self._followed[parameter] = self._pointed_to(name, depth)
        return self._followed[parameter]

    def passed_to(self, name: Register) -> tuple[Store, ...] | None:
        """What is stored into a ``.param`` variable itself, before a call or as a result."""
        if name not in self._passed_to:
            self._passed_to[name] = self._find_passed(name)
        return self._passed_to[name]

    def _find_passed(self, name: Register) -> tuple[Store, ...] | None:
        found: list[Store] = []
        for chunk, index in self._uses(name):
            known = recipe(chunk, index)
            if known is None or known.mnemonic in ("ld", "call"):
                continue
            store = list(self._store(known, chunk, index, name.name, 0)) if known.mnemonic == "st" else []
            if not store:
                return None
            found += store
        return tuple(found)

    # ------------------------------------------------------------------ following addresses

    def _uses(self, name: Register) -> Iterator[At]:
        """The statements in which a variable stands behind its declaration, up to the end of its block."""
        if self.is_parameter(name):
            yield from self.writes.reads(name)
            return
        declared = name.declared
        for chunk, index in self.writes.within_block(name):
            if chunk is not declared.chunk or index > declared.statement:
                yield chunk, index

    def _pointed_to(self, parameter: Register, depth: int) -> Followed | None:
        walk = _Walk(depth)
        is_followed = self._loaded(parameter, self.writes.reads(parameter), 0, walk)
        return self._follow(walk) if is_followed else None

    def _loaded(self, variable: Register, uses: Iterable[At], offset: int | None, walk: _Walk) -> bool:
        """Take over that a ``.param`` variable holds an address; False if nobody knows what becomes of it."""
        for chunk, index in uses:
            known = recipe(chunk, index)
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
                if len(self.writes.of(pointer)) != 1:
                    return None
                written = self.writes.of(pointer)[0]
                for chunk, index in self.writes.reads(pointer):
                    left -= 1
                    if (chunk, index) != written[:2] and (
                        left < 0 or not self._used(chunk, index, pointer, offset, walk)
                    ):
                        return None
            if not walk.pointers and not all(self._fetched(*one, walk, seen) for one in walk.kept):
                return None
        order = {chunk: number for number, chunk in enumerate(self._function.chunks)}
        stores = sorted(walk.stores, key=lambda store: (order[store.place[0]], store.place[1]))
        return Followed(tuple(stores), tuple(walk.loads), tuple(walk.returned))

    def _fetched(self, at: At, offset: int | None, walk: _Walk, seen: set[_Pointer]) -> bool:
        """Take over the loads of an address that a store keeps in a local variable; False if they are not clear."""
        loads: Sequence[Load] = walk.loads
        store = next((one for one in walk.stores if one.at == at), None)
        if store is None:
            known = recipe(*at)
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
            known = recipe(*load.at) if load.at is not None else None
            if known is None or load.at is None or (load.offset, load.size) != (store.offset, 8):
                return False
            pointer = self._result(known, words_of(*load.at), *load.at)
            if pointer is None:
                return False
            if (pointer, offset) not in seen:
                walk.pointers.append((pointer, offset))
        return True

    def _local(self, name: str, at: At) -> tuple[Register | None, int]:
        """The variable of this function that a register points into, and where."""
        offset = 0
        for _ in range(_LONGEST_WAY):
            register = self.writes.register(name, *at)
            if register is None or register.declared.chunk.kinds[register.declared.statement] == Kind.VARIABLE:
                return register, offset
            writes = self.writes.of(register)
            known = recipe(*writes[0][:2]) if len(writes) == 1 and not writes[0].guarded else None
            if known is None or known.mnemonic not in _MOVING or known.operands[1].written is not Written.NAME:
                return None, 0
            at = writes[0][:2]
            words = words_of(*at)
            name = words[known.operands[1].word]
            moved = _moved(known, words, *at, name)
            if moved is None:
                return None, 0
            offset += moved
        return None, 0

    def _used(self, chunk: Chunk, index: int, name: Register, offset: int | None, walk: _Walk) -> bool:
        """Take over one use of an address; False if nobody knows what becomes of it."""
        known = recipe(chunk, index)
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
            found = list(self._store(known, chunk, index, name.name, offset or 0))
            if found and offset is not None:
                walk.stores += found
                return True
            return not found and self._passed(known, chunk, index, words, offset, walk)
        result = self._result(known, words, chunk, index)
        if result is None or known.width != 64 or known.mnemonic not in _MOVING:
            return False
        moved = _moved(known, words, chunk, index, name.name)
        walk.pointers.append((result, offset + moved if moved is not None and offset is not None else None))
        return True

    def _store(self, known: Recipe, chunk: Chunk, index: int, name: str, base: int) -> Iterator[Store]:
        """What a store through an address stores; nothing if it is not the address that has the name."""
        words = words_of(chunk, index)
        address, size = access(known, 0, chunk, index, words), access_size(known)
        if address is None or address[0] != name or size is None or len(known.operands) != 2:
            return
        for element in range(size[1]):
            at = element if size[1] > 1 else -1
            yield Store((), (chunk, index), base + address[1] + element * size[0], size[0], at)

    def _passed(
        self, known: Recipe, chunk: Chunk, index: int, words: Sequence[str], offset: int | None, walk: _Walk
    ) -> bool:
        """Take over that an address is stored: as an argument of a call, as a result, or in a local variable."""
        address = access(known, 0, chunk, index, words)
        if address is None or access_size(known) != (8, 1):
            return False
        if ".param" not in known.opcode:
            walk.kept.append(((chunk, index), offset))
            return True
        passed = self.writes.register(address[0], chunk, index)
        if passed is None or address[1]:
            return False
        if self.is_parameter(passed):
            walk.returned.append((passed.name, offset))
            return True
        called = self.call_of(passed)
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
        self, at: At, reached: Reached, result: str, inner: int | None, offset: int | None, walk: _Walk
    ) -> bool:
        """Take over that a call returns an address."""
        name = reached.result(result)
        variable = self.writes.register(name, *at) if name else None
        if variable is None:
            return False
        there = None if offset is None or inner is None else offset + inner
        return self._loaded(variable, self._uses(variable), there, walk)

    def _result(self, known: Recipe, words: Sequence[str], chunk: Chunk, index: int) -> Register | None:
        source: Source | None = known.operands[0] if known.operands else None
        if source is None or source.written is not Written.NAME or known.tree.guard is not None:
            return None
        return self.writes.register(words[source.word], chunk, index)


_DECLARING = frozenset({Kind.FUNCTION, Kind.LOCATION, Kind.DATA, Kind.SECTION})
"""Statements that name a function and do not call it; ``.loc`` names what is inlined."""
_DOUBTFUL = frozenset({Kind.INSTRUCTION, Kind.BAD, Kind.LINE})


_MOVING = frozenset({"mov", "cvta", "add", "sub"})


def _moved(known: Recipe, words: Sequence[str], chunk: Chunk, index: int, name: str) -> int | None:
    """By how many bytes an instruction moves the address in a register or of a variable; None if nobody knows."""
    sources = known.operands[1:]
    if known.mnemonic in ("mov", "cvta") and len(sources) == 1 and known.width == 64:
        return 0 if sources[0].written is Written.NAME else None
    is_sum = known.mnemonic in ("add", "sub") and len(sources) == 2 and len(known.opcode) == 2
    if not is_sum or sources[0].written is not Written.NAME or words[sources[0].word] != name:
        return None
    number = number_of(sources[1], words, chunk, index) if sources[1].written is not Written.NAME else None
    return None if number is None else number if known.mnemonic == "add" else -number


class Memories:
    """The objects of the functions of a module."""

    def __init__(self, module: Module, *, is_alone: bool) -> None:
        self._module = module
        self._found: dict[Function, Memory] = {}
        self.is_alone = is_alone
        """Whether nothing but one function is looked at."""

    def of(self, function: Function) -> Memory:
        """The objects of one function."""
        found = self._found.get(function)
        if found is None:
            found = self._found[function] = Memory(self._module, function, Writes(self._module, function), self)
        return found
