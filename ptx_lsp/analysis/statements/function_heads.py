"""Faults of the head of a function or of a prototype, independent of other statements.

Source: PTX ISA, "Kernel and Function Directives", "Performance-Tuning Directives", "Cluster Dimension
Directives", "Abstracting the ABI"; the rules were measured with ptxas.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from enum import Enum

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.call_layout import CallLayout, call_layout
from ptx_lsp.analysis.symbols.numbers import declared_number
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.gate import Need
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.isa.vocabulary.records import TuningWord
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import collected, run_to_completion, without_pauses
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Declaration, FunctionHead, Prototype, Tuning

LARGEST_NUMBER = 0xFFFF_FFFF
_LARGEST_VECTOR = 128
POINTED_TO = frozenset({".const", ".global", ".local", ".shared"})
"""The spaces that pointers of kernel parameters may point into."""


class HeadFaultKind(Enum):
    """The kinds of faults of a parameter or a directive of a head."""

    SPACE = "space"
    """A parameter of this kind cannot be in this space."""
    NAMELESS = "nameless"
    """Named ``_``, although the name is part of the interface."""
    VECTOR = "vector"
    PREDICATE = "predicate"
    PREDICATES = "predicates"
    """A vector or array of predicates."""
    WIDE = "wide"
    """A vector of more than 128 bits."""
    OPAQUE = "opaque"
    ARRAY = "array"
    """An array in registers."""
    OPEN = "open"
    """An array without a size in an invalid position."""
    DIMENSIONS = "dimensions"
    RESULTS = "results"
    """Several results, not all in registers."""
    POINTER = "pointer"
    ALIGNMENT = "alignment"
    POINTED = "pointed"
    """``.ptr`` into an invalid space."""
    RETURNED = "returned"
    """A result of a kernel."""
    COMMON = "common"
    """``.common`` of a function."""
    NAMED = "named"
    """A prototype with a name."""
    SIZE = "size"
    """A kernel with too many bytes of parameters."""

    PLACE = "place"
    """A directive that is not allowed on this kind of head."""
    ORDER = "order"
    TWICE = "twice"
    CONFLICT = "conflict"
    REQUIRES = "requires"
    COUNT = "count"
    """Too many numbers after a directive."""
    VALUE = "value"
    OVERFLOW = "overflow"
    RETURNS = "returns"
    """``.noreturn`` of a function with results."""


IN_PARAMETERS = frozenset(list(HeadFaultKind)[: list(HeadFaultKind).index(HeadFaultKind.SIZE)])
ONLY_WITH_BODY = frozenset({HeadFaultKind.VECTOR, HeadFaultKind.PREDICATE, HeadFaultKind.ARRAY, HeadFaultKind.SIZE})
"""Faults that ptxas accepts in a declaration without body."""


_IN_A_STEP = 1024
"""Parameters or directives that are looked at between two pauses."""


class HeadFault(NamedTuple):
    """A fault of a head."""

    kind: HeadFaultKind
    token: int
    """The token with the fault."""
    other: int = -1
    """A related token: the earlier of two directives."""
    value: int = 0
    """A size in bytes, or a number."""


def head_faults(statement: Statement, version: Version, target: Target) -> Iterator[HeadFault]:
    """The faults of a head or prototype; empty for other statements."""
    return without_pauses(_head_faults(statement, version, target))


def _head_faults(statement: Statement, version: Version, target: Target) -> Iterator[HeadFault | None]:
    tree = statement.shape.tree
    if isinstance(tree, (FunctionHead, Prototype)):
        yield from _parameters(statement, tree)
        yield from _directives(statement, tree)
        if isinstance(tree, FunctionHead) and tree.kind == ".entry" and not tree.has_semicolon:
            size = yield from _adding_sizes(statement, tree)
            if LARGEST_NUMBER >= size > catalogue().vocabulary.limit("kernel parameters", version, target):
                yield HeadFault(HeadFaultKind.SIZE, tree.name, value=size)


def faults_of_head(context: StatementContext) -> tuple[HeadFault, ...]:
    """:func:`head_faults` of the statement of a context, found once for all rules."""
    return context.derived(_faults_of_head)


def preparing_faults_of_head(context: StatementContext) -> Iterator[None]:
    """Find :func:`faults_of_head` in steps: a head may be as long as a file."""
    yield from context.deriving(_faults_of_head, _finding_faults(context))


def _faults_of_head(context: StatementContext) -> tuple[HeadFault, ...]:
    return run_to_completion(_finding_faults(context))


def _finding_faults(context: StatementContext) -> Generator[None, None, tuple[HeadFault, ...]]:
    found = yield from collected(_head_faults(context.statement, context.module.version, context.module.target))
    return tuple(found)


def head_needs(statement: Statement, version: Version, target: Target) -> Iterator[tuple[int, str, Need]]:
    """The unavailable features of a head: token, description, and unmet requirement."""
    tree = statement.shape.tree
    if not isinstance(tree, (FunctionHead, Prototype)):
        return
    features = catalogue().vocabulary.features
    for name, token in _features(statement, tree):
        need = features[name].gate.why_not(version, target)
        if need is not None:
            yield token, features[name].words, need


def _features(statement: Statement, tree: FunctionHead | Prototype) -> Iterator[tuple[str, int]]:
    is_kernel = isinstance(tree, FunctionHead) and tree.kind == ".entry"
    if isinstance(tree, FunctionHead) and is_kernel:
        if tree.has_semicolon:
            yield "kernel declaration", tree.name
        if tree.parameters:
            yield "kernel parameters", tree.parameters[0].first
    parameters = (*(tree.returns or ()), *(tree.parameters or ()))
    stored = next((one for one in parameters if one.space == ".param"), None)
    if stored is not None and not is_kernel:
        yield "function .param", stored.space_token
    last = tree.parameters[-1] if tree.parameters else None
    if last is not None and not is_kernel and _layout(statement, last).length == 0:
        yield "open array", last.declarators[0].name


def depends_on_numbers(tree: FunctionHead | Prototype) -> bool:
    """Whether the validity of heads of one shape varies: they contain numbers or strings."""
    parameters = (*(tree.returns or ()), *(tree.parameters or ()))
    return any(tuning.values for tuning in tree.tuning) or any(
        one.align >= 0 or one.pointer is not None or one.declarators[0].dimensions for one in parameters
    )


def _adding_sizes(statement: Statement, tree: FunctionHead) -> Generator[None, None, int]:
    """The size of a kernel's parameters in bytes, in sequence, each aligned. Texture references have no size."""
    size = 0
    for number, one in enumerate(tree.parameters or (), 1):
        if not number % _IN_A_STEP:
            yield
        layout = _layout(statement, one)
        if not _is_opaque(one):
            size += -size % layout.alignment + (layout.bits + 7) // 8
    return size


def _layout(statement: Statement, parameter: Declaration) -> CallLayout:
    return call_layout(statement, parameter, parameter.declarators[0])


def _is_opaque(parameter: Declaration) -> bool:
    word = catalogue().vocabulary.types.get(parameter.type)
    return word is not None and word.kind == "opaque"


# ---- parameters


def _parameters(statement: Statement, tree: FunctionHead | Prototype) -> Iterator[HeadFault | None]:
    is_kernel = isinstance(tree, FunctionHead) and tree.kind == ".entry"
    if isinstance(tree, FunctionHead) and tree.linkage >= 0 and statement.word(tree.linkage) == ".common":
        yield HeadFault(HeadFaultKind.COMMON, tree.linkage)
    if is_kernel and tree.returns is not None:
        words = [statement.word(token) for token in range(tree.name)]
        yield HeadFault(HeadFaultKind.RETURNED, words.index("(", words.index(".entry")))
        return
    if isinstance(tree, Prototype) and tree.name >= 0 and statement.word(tree.name) != "_":
        yield HeadFault(HeadFaultKind.NAMED, tree.name)
    results, parameters = tree.returns or (), tree.parameters or ()
    if len(results) > 1:
        stored = next((one for one in results if one.space == ".param"), None)
        if stored is not None:
            yield HeadFault(HeadFaultKind.RESULTS, stored.space_token)
    for number, one in enumerate((*results, *parameters), 1):
        if not number % _IN_A_STEP:
            yield None
        has_body = isinstance(tree, FunctionHead) and not tree.has_semicolon
        is_last = bool(parameters) and one is parameters[-1]
        fault = _parameter(statement, one, is_kernel, has_body, isinstance(tree, Prototype), is_last)
        if fault is not None:
            yield fault


def _parameter(
    statement: Statement, one: Declaration, is_kernel: bool, has_body: bool, is_prototype: bool, is_last: bool
) -> HeadFault | None:
    """The first fault of a parameter."""
    layout = _layout(statement, one)
    name = one.declarators[0].name
    dimensions = one.declarators[0].dimensions
    type_token = one.vector_token if one.vector_token >= 0 else one.type_token
    if one.space != ".param" and (is_kernel or one.space != ".reg"):
        return HeadFault(HeadFaultKind.SPACE, one.space_token)
    if not (is_kernel or is_prototype) and statement.word(name) == "_":
        return HeadFault(HeadFaultKind.NAMELESS, name)
    if len(dimensions) > 1:
        return HeadFault(HeadFaultKind.DIMENSIONS, name)
    if layout.length == 0 and (is_kernel or not is_last or one.space == ".reg"):
        return HeadFault(HeadFaultKind.OPEN, name)
    for token in (one.align, one.pointer.align if one.pointer is not None else -1):
        if token >= 0 and not _is_power_of_two(declared_number(statement.word(token))):
            return HeadFault(HeadFaultKind.ALIGNMENT, token)
    if one.pointer is not None:
        if not is_kernel:
            return HeadFault(HeadFaultKind.POINTER, one.pointer.token)
        if one.pointer.space >= 0 and statement.word(one.pointer.space) not in POINTED_TO:
            return HeadFault(HeadFaultKind.POINTED, one.pointer.space)
    if one.vector and layout.bits // (layout.length or 1) > _LARGEST_VECTOR:
        return HeadFault(HeadFaultKind.WIDE, type_token)
    if one.type == ".pred" and (one.vector or dimensions):
        return HeadFault(HeadFaultKind.PREDICATES, one.type_token)
    if is_prototype and _is_opaque(one):
        return HeadFault(HeadFaultKind.OPAQUE, one.type_token)
    if has_body:
        return _of_body(one, is_kernel, type_token)
    return None


def _of_body(one: Declaration, is_kernel: bool, type_token: int) -> HeadFault | None:
    """A fault of a parameter that matters only in a function with a body."""
    if one.type == ".pred" and one.space == ".param":
        return HeadFault(HeadFaultKind.PREDICATE, one.type_token)
    if one.vector and one.space == ".param" and not one.declarators[0].dimensions:
        return HeadFault(HeadFaultKind.VECTOR, type_token)
    if _is_opaque(one) and not is_kernel:
        return HeadFault(HeadFaultKind.OPAQUE, one.type_token)
    if one.declarators[0].dimensions and one.space == ".reg":
        return HeadFault(HeadFaultKind.ARRAY, one.declarators[0].name)
    return None


def _is_power_of_two(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


# ---- directives


def _directives(statement: Statement, tree: FunctionHead | Prototype) -> Iterator[HeadFault | None]:
    known = catalogue().vocabulary.tuning
    kind = _kind(tree)
    earlier: dict[str, tuple[TuningWord, Tuning]] = {}  # the first of each name: a head may repeat one without an end
    for number, tuning in enumerate(tree.tuning, 1):
        if not number % _IN_A_STEP:
            yield None
        word = known.get(statement.word(tuning.word))
        if word is None:
            continue
        fault = _directive(tree, word, tuning, kind, earlier.values())
        if fault is not None:
            yield fault
        else:
            yield from _values(statement, word, tuning)
        earlier.setdefault(word.name, (word, tuning))
    for word, tuning in earlier.values():
        if any(required not in earlier for required in word.requires) and kind in word.heads:
            yield HeadFault(HeadFaultKind.REQUIRES, tuning.word)


def _kind(tree: FunctionHead | Prototype) -> str:
    if isinstance(tree, Prototype):
        return "prototype"
    return f"declared {tree.kind[1:]}" if tree.has_semicolon else tree.kind[1:]


def _directive(
    tree: FunctionHead | Prototype,
    word: TuningWord,
    tuning: Tuning,
    kind: str,
    earlier: Iterable[tuple[TuningWord, Tuning]],
) -> HeadFault | None:
    """The fault of a directive, given the ones before it."""
    if kind not in word.heads:
        return HeadFault(HeadFaultKind.PLACE, tuning.word)
    if word.name == ".noreturn" and tree.returns:
        return HeadFault(HeadFaultKind.RETURNS, tuning.word)
    for before, other in earlier:
        if before.name in word.excludes:
            return HeadFault(HeadFaultKind.CONFLICT, tuning.word, other.word)
        if before.name == word.name and word.once and kind != "entry":
            return HeadFault(HeadFaultKind.TWICE, tuning.word, other.word)
        if before.rank > word.rank and kind != "entry":
            return HeadFault(HeadFaultKind.ORDER, tuning.word, other.word)
    return None


def _values(statement: Statement, word: TuningWord, tuning: Tuning) -> Iterator[HeadFault]:
    """The first fault of the numbers of a directive."""
    if not word.values:
        return
    for at, token in enumerate(tuning.values):
        value = declared_number(statement.word(token))
        if at >= word.values:
            yield HeadFault(HeadFaultKind.COUNT, token)
        elif value > LARGEST_NUMBER:
            yield HeadFault(HeadFaultKind.OVERFLOW, token)
        elif value < word.least:
            yield HeadFault(HeadFaultKind.VALUE, token)
        else:
            continue
        return
