"""Functions that a kernel calls: whether they take part in its protocols.

A function without asynchronous instructions, barriers and fences, in which no other is called that has some, can
neither wait for anything nor signal it.
"""

from __future__ import annotations

from ptx_lsp.analysis.module.body_facts import BodyFacts
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.calls import read_call
from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.ordering import LANES, TIME, Verb
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Instruction

HARMLESS = frozenset(
    {"vprintf", "__assertfail", "malloc", "free", "__nv_ptx_builtin_ocg_fmax3", "__nv_ptx_builtin_ocg_fmin3"}
)
"""Functions of the driver that every kernel may call, as nvcc names them, and those that ptxas replaces by arithmetic.

None of them touches shared memory.
"""

_ACCESSES = frozenset({Verb.READS, Verb.WRITES, Verb.MAPS})
_CALLS = (Verb.CALLS, "")
_ALSO_OF_ONE_THREAD = _ACCESSES | {Verb.CALLS, Verb.ORDERS}
_ALONE = frozenset({LANES, TIME})
"""The objects of waits that no protocol between warps needs."""

_MOST_CALLEES = 256
"""So many functions are looked at for one kernel."""


class Conduct(NamedTuple):
    """The part of a piece of text in synchronization, and its calls."""

    takes_part: bool
    """Whether it has an instruction that takes part in synchronization, or a call of an unknown function."""
    callees: frozenset[str]
    """The names of the functions that it calls."""


def conduct_of_function(function: Function) -> Conduct:
    """The conduct of the body of a function, without that of the functions that it calls."""
    found = [chunk.derived(conduct_of_chunk) for chunk in function.chunks]
    takes_part = any(one.takes_part for one in found) or not function.has_body or function.has_unbalanced_braces
    return Conduct(takes_part, frozenset().union(*(one.callees for one in found)))


def conduct_of_chunk(chunk: Chunk) -> Conduct:
    """The conduct of the statements of a chunk."""
    shapes = {number: SHAPES[number] for number in set(chunk.shapes)}
    takes_part = any(_synchronizes(shape.opcode) for shape in shapes.values())
    calling = {number for number, shape in shapes.items() if _CALLS in possible_facts(shape.opcode)}
    callees = set()
    for index, number in enumerate(chunk.shapes) if calling else ():
        if number in calling:
            tree = shapes[number].tree
            call = read_call(tree) if isinstance(tree, Instruction) else None
            if call is None or call.targets is not None:
                takes_part = True
            else:
                callees.add(chunk.statement(index).word(call.target.name))
    return Conduct(takes_part, frozenset(callees))


@memoized(1024)
def _synchronizes(opcode: tuple[str, ...]) -> bool:
    facts = possible_facts(opcode)
    if _CALLS in facts:  # the callee is looked at itself
        return False
    return any(verb not in _ACCESSES and what not in _ALONE for verb, what in facts)


@memoized(1024)
def may_be_asynchronous(opcode: tuple[str, ...]) -> bool:
    """Whether an instruction takes part in synchronization, if its qualifiers are those that some form asks for.

    An opcode that no page describes may be meant as any instruction.
    """
    pages = catalogue().candidates(opcode)
    facts = (fact for page in pages for form in page.forms for fact in form.ordering)
    return not pages or any(fact.verb not in _ALSO_OF_ONE_THREAD and fact.what not in _ALONE for fact in facts)


def may_take_part(module: Module, kernel: Function, names: frozenset[str]) -> bool:
    """Whether one of some functions that a kernel calls may take part in its protocols, itself or by calls."""
    facts = module.derived(BodyFacts)
    waiting, seen = sorted(names - HARMLESS), set(names)
    while waiting:
        symbol = module.definitions.get(waiting.pop())
        if symbol is None or symbol.kind is not SymbolKind.FUNCTION or not symbol.is_definition:
            return True
        conduct = facts.of(module.function_of(symbol.place.chunk), conduct_of_function, kernel)
        further = conduct.callees - seen - HARMLESS
        seen |= further
        if conduct.takes_part or len(seen) > _MOST_CALLEES:
            return True
        waiting += sorted(further)
    return False
