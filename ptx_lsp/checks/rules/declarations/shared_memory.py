"""W616 shared-memory."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from ptx_lsp.analysis.dataflow.effects import words
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.storage import layout_of
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.checks.support.finding import Finding, PlacedFinding, warning
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.process_cache import memoized
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES, Shape
from ptx_lsp.syntax.tree import Declaration

RULE = warning("W616").in_trees(Declaration)


def accepts_shape(shape: Shape) -> bool:
    """Arrays in shared memory."""
    tree = shape.tree
    return (
        isinstance(tree, Declaration)
        and tree.space[:7] == ".shared"
        and any(one.dimensions for one in tree.declarators)
    )


def check(context: StatementContext) -> Iterator[Finding | None]:
    """A `.shared` array, or all `.shared` variables of a kernel, larger than the limit of static shared memory.

    ```ptx
    //- sm_90 ptx 8.0 module
    .shared .b8 tile[65536];
    //          ^^^^ warning[W616]: 'tile' has 65536 bytes; the limit without '.extern' and '[]' is 49152
    .entry kernel() { ret; }
    ```

    ```ptx
    //- sm_80 ptx 7.0 module
    .shared .align 4 .b8 tile[30000];
    .entry kernel()
    //     ^^^^^^ warning[W616]: the variables in shared memory of 'kernel' have 60000 bytes; the limit is 49152
    {
        .shared .align 4 .b8 other[30000];
        .reg .b32 %r1;
        ld.shared.b32 %r1, [tile];
        st.shared.b32 [other], %r1;
        ret;
    }
    ```

    **Right:**

    ```ptx
    //- sm_90 ptx 8.0 module
    .extern .shared .b8 tile[];
    .entry kernel() { ret; }
    ```

    ---

    All variables that a kernel names count together. The size of an `.extern` array is set at launch, up to the limit
    of the device. ptxas refuses a kernel with more than 49152 bytes in variables when it generates code, and accepts
    it with `-c`. For targets such as `sm_90a` and `sm_100a` it accepts up to 232448 bytes, for `sm_120a` 101376, from
    CUDA 13.0 on.
    """
    tree = context.statement.shape.tree
    if not isinstance(tree, Declaration) or not accepts_shape(context.statement.shape):
        return
    limit = _limit(context.module)
    for number, declarator in enumerate(tree.declarators, 1):
        if not number % _IN_A_STEP:
            yield None
        name = context.word(declarator.name)
        symbol = context.visible(name)
        layout = layout_of(symbol) if symbol is not None and symbol.is_definition else None
        if layout is not None and layout.size is not None and layout.size > limit:
            message = f"'{name}' has {layout.size} bytes; the limit without '.extern' and '[]' is {limit}"
            yield RULE.at(context.span(declarator.name), message)


_IN_A_STEP = 1024
"""Names between two pauses: a declaration may have a file of them."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """All the variables that a kernel names."""
    kernel = flow.function.symbol
    if kernel is None or kernel.type != ".entry" or not any(map(_is_about_shared, flow.full_opcodes)):
        return
    limit = _limit(flow.module)
    own = _own(flow)
    if sum(map(_size, own)) + flow.module.derived(_SharedOfModule).size <= limit:
        return  # whatever of them it names
    names = yield from _finding_names(flow.function)
    sizes = [size for symbol in _variables(flow, own, names) if (size := _size(symbol)) <= limit]
    used = sum(sizes)
    if used > limit:
        message = f"the variables in shared memory of '{kernel.name}' have {used} bytes; the limit is {limit}"
        chunk, index, token = kernel.place
        yield PlacedFinding(kernel.place, RULE.at(chunk.statement(index).span(token), message))


@memoized(1 << 12)
def _is_about_shared(opcode: tuple[str, ...]) -> bool:
    return any(word.startswith(".shared") for word in opcode)


def _limit(module: Module) -> int:
    return catalogue().vocabulary.limit("shared memory", module.version, module.target)


def _variables(flow: Flow, declared: list[Symbol], names: set[str]) -> Iterator[Symbol]:
    """The variables in shared memory of which the instructions of a function name some; with those that it declares."""
    own = [symbol for symbol in declared if symbol.name in names]
    yield from own
    definitions = flow.module.definitions
    for name in names - {symbol.name for symbol in own}:
        symbol = definitions.get(name)
        if symbol is not None and symbol.space[:7] == ".shared" and symbol.is_definition:
            yield symbol


def _finding_names(function: Function) -> Generator[None, None, set[str]]:
    """Find the words of the instructions with names that are not those of numbered registers, in steps."""
    found: set[str] = set()
    for chunk in function.chunks:
        wanted = {number for number in set(chunk.shapes) if _has_plain_name(SHAPES[number])}
        places = [at for at, number in enumerate(chunk.shapes) if number in wanted] if wanted else ()
        for count, index in enumerate(places, 1):
            found.update(words(chunk.part(index)))
            if not count % _IN_A_STEP:
                yield
    return found


def _has_plain_name(shape: Shape) -> bool:
    return shape.kind == Kind.INSTRUCTION and any(not prefix for _, prefix in shape.names)


def _own(flow: Flow) -> list[Symbol]:
    """The variables in shared memory that a body declares."""
    if not any(_is_array(SHAPES[number]) for number in flow.shapes):
        return []
    segments = (one for found in flow.function.segments.values() for one in found)
    scopes = {segment.scope for segment in segments if segment.inside}
    names = (symbol for scope in scopes for symbol in scope.names.values())
    return [one for one in names if one.kind is SymbolKind.VARIABLE and one.space[:7] == ".shared"]


def _is_array(shape: Shape) -> bool:
    return shape.kind == Kind.VARIABLE and accepts_shape(shape)


class _SharedOfModule:
    """The size of all variables in shared memory that a module declares: most kernels cannot exceed the limit."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._generation = -1
        self._size = 0

    @property
    def size(self) -> int:
        """The size in bytes, in the present text."""
        if self._generation != self._module.generation:
            self._generation = self._module.generation
            shared = (one for one in self._module.definitions.values() if one.space[:7] == ".shared")
            self._size = sum(map(_size, shared))
        return self._size


def _size(symbol: Symbol) -> int:
    layout = layout_of(symbol)
    return layout.size or 0 if layout is not None else 0
