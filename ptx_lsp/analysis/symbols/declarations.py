"""Construction of symbols from declaration statements.

Source: PTX ISA, "Variables", "Function Declarations", "Parameterized Variable Names".
"""

from __future__ import annotations

from array import array
from collections.abc import Generator, Iterator
from functools import cache
from itertools import islice

from ptx_lsp.analysis.symbols.call_layout import CallLayout, call_layout
from ptx_lsp.analysis.symbols.numbers import declared_number
from ptx_lsp.analysis.symbols.symbols import FunctionSignature, Place, Symbol, SymbolKind, operand_code
from ptx_lsp.analysis.symbols.used_names import only_name, used_names
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.process_cache import KEPT_BY_SHAPE, memoized
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.shape import SHAPES, Shape
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tokens import readable, token_words
from ptx_lsp.syntax.tree import Declaration, Declarator, FunctionHead, Label, Prototype, Targets, Tree

OPAQUE = frozenset({".texref", ".samplerref", ".surfref"})
"""Types of textures, samplers and surfaces."""
VECTORS = (".v2", ".v4")
"""The vector lengths in declarations."""
LARGEST_VECTOR = 128
"""Maximum size of a vector in bits."""
_MASK = (1 << 64) - 1
_LABEL = operand_code(ActualOperand("label"))
_FUNCTIONS = {
    ".func": operand_code(ActualOperand("function")),
    ".entry": operand_code(ActualOperand("function", role=".entry")),
}
_CALLS = ".calltargets"
_LISTS = {
    word: operand_code(ActualOperand("label", role=word)) for word in (".branchtargets", _CALLS, ".callprototype")
}
"""The operand codes of labels before such a directive."""
_PASSED = frozenset({".reg", ".param"})
"""The spaces of call arguments."""


def symbols_of(chunk: Chunk, index: int) -> tuple[Symbol, ...]:
    """The symbols that a declaration introduces; for a function head the function is first."""
    shape, text = SHAPES[chunk.shapes[index]], chunk.part(index)
    tree = shape.tree
    if isinstance(tree, Label):
        return (_any_label(tree.name).at(chunk, index, only_name(text, shape, tree.name)),)
    if not isinstance(tree, Declaration | FunctionHead):
        return ()
    if len(text) > _SHORT:
        return tuple([symbol.at(chunk, index, symbol.name) for symbol in _declared_by(Statement(text, shape))])
    declared, names = _declared_in(text, shape)
    return tuple([symbol.at(chunk, index, name) for symbol, name in zip(declared, names, strict=True)])


@memoized(8)
def _any_label(token: int) -> Symbol:
    """A label without a name, at some token of its statement."""
    return Symbol("", SymbolKind.LABEL, Place(_nowhere(), 0, token), code=_LABEL)


def declaring(chunk: Chunk, index: int) -> Generator[None, None, tuple[Symbol, ...]]:
    """:func:`symbols_of` a long declaration, in steps of a thousand symbols."""
    statement = chunk.statement(index)  # its tokens are found once, also for checks
    tree = statement.shape.tree
    if not isinstance(tree, Declaration | FunctionHead):
        return ()
    if isinstance(tree, FunctionHead) or len(tree.declarators) > 1:  # of one table only the beginning is read
        yield from statement.reading()
    signature = (yield from _signing(statement, tree)) if isinstance(tree, FunctionHead) else None
    symbols: list[Symbol] = []
    rest = _declared_by(statement, Place(chunk, index, 0), signature)
    while part := list(islice(rest, _IN_A_STEP)):
        symbols += part
        yield
    return tuple(symbols)


def _declared_by(
    statement: Statement, at: Place | None = None, signature: FunctionSignature | None = None
) -> Iterator[Symbol]:
    """The symbols that a declaration introduces at some place, or wherever it stands."""
    tree = statement.shape.tree
    at = at or Place(_nowhere(), 0, 0)
    if isinstance(tree, FunctionHead):
        return _function(statement, tree, at, signature or _signature(statement, tree))
    assert isinstance(tree, Declaration)
    return _declared(statement, tree, at, SymbolKind.VARIABLE)


_SHORT = 512
"""The symbols of shorter declarations are kept: many differ only in the declared names, and those around an edit are
declared anew with each keystroke."""
_ANY_NAME = "a"


@memoized(64)
def _declared_in(text: str, shape: Shape) -> tuple[tuple[Symbol, ...], list[str]]:
    """The symbols of a short declaration but for their names, and the names."""
    tokens = _declared_names(shape)
    if tokens is None:
        declared = _declared_alike(text, shape)
        return declared, [symbol.name for symbol in declared]
    words = token_words(text)
    names = []
    for token in tokens:
        names.append(words[token])
        words[token] = _ANY_NAME
    return _declared_alike(" ".join(words), shape), names


@memoized(512)
def _declared_alike(text: str, shape: Shape) -> tuple[Symbol, ...]:
    """The symbols of a declaration; in its text any names may be in the place of the declared ones."""
    return tuple(_declared_by(Statement(text, shape)))


@KEPT_BY_SHAPE.answers
def _declared_names(shape: Shape) -> tuple[int, ...] | None:
    """The tokens of the declared names in statements of a shape, in the order of the symbols.

    None if there are initial values: statements with these have little in common.
    """
    tree = shape.tree
    declarators = [declarator for one in declarations_in(tree) for declarator in one.declarators]
    if any(declarator.initializer is not None for declarator in declarators):
        return None
    names = tuple(declarator.name for declarator in declarators)
    return (tree.name, *names) if isinstance(tree, FunctionHead) else names


@cache
def _nowhere() -> Chunk:
    """An empty chunk, in the place of one that is not known yet."""
    return Chunk([], array("I"), b"")


def sizes(statement: Statement, declarator: Declarator) -> list[int]:
    """The dimensions of an array, 0 for an empty one; empty for a single element."""
    return [declared_number(statement.word(token)) & _MASK if token >= 0 else 0 for token in declarator.dimensions]


def is_cut(statement: Statement) -> bool:
    """Whether a declaration is too long, or nested too deep, to be read past its first ``=``."""
    return len(readable(statement.text).text) < len(statement.text)


_TABLE_SPACES = frozenset({".global", ".const"})
_TABLE_TYPES = frozenset({".u8", ".u32", ".u64"})


def _table(statement: Statement, tree: Declaration, declarator: Declarator) -> tuple[str, ...]:
    """The functions and variables in an array of addresses; empty for other variables."""
    if tree.type not in _TABLE_TYPES or tree.vector or len(declarator.dimensions) != 1:
        return ()
    if is_cut(statement):
        return ("",)  # its values are not read
    found = []
    pending = [declarator.initializer] if declarator.initializer is not None else []
    while pending:
        operand = pending.pop()
        pending.extend(reversed(operand.parts))
        if operand.name >= 0:
            found.append(statement.word(operand.name))
    return tuple(found)


def with_label_role(label: Symbol, chunk: Chunk, index: int) -> Symbol:
    """The symbol of a label before a ``.callprototype`` or a list of targets; the label itself for other statements."""
    statement = chunk.statement(index)
    tree = statement.shape.tree
    if not isinstance(tree, (Prototype, Targets)):
        return label
    word = statement.word(tree.word)
    if isinstance(tree, Targets):
        known = statement if len(statement.text) > LONG_LIST else None
        names = used_names(statement.text, statement.shape, known)
        if any(declarator.count >= 0 for declarator in tree.names):
            denoted = members if word == _CALLS else _as_written
            names = [name for declarator in entries(statement, tree) for name in denoted(statement, declarator)]
        return label._replace(kind=SymbolKind.TARGETS, code=_LISTS[word], members=tuple(dict.fromkeys(names)))
    signature = _signature(statement, tree)
    return label._replace(kind=SymbolKind.PROTOTYPE, code=_LISTS[word], signature=signature)


def entries(statement: Statement, tree: Targets) -> Iterator[Declarator]:
    """The entries of a list of targets; those of numbered names, ``name<n>``, once each."""
    seen = set()
    for one in tree.names:
        numbered = (statement.word(one.name), statement.word(one.count)) if one.count >= 0 else None
        if numbered is None or numbered not in seen:
            seen.add(numbered)
            yield one


def _as_written(statement: Statement, declarator: Declarator) -> Iterator[str]:
    """An entry of a list of labels as it is: only the graph of the function needs its members."""
    count = f"<{statement.word(declarator.count)}>" if declarator.count >= 0 else ""
    yield f"{statement.word(declarator.name)}{count}"


def members(statement: Statement, declarator: Declarator) -> Iterator[str]:
    """The names that an entry of a list of targets denotes."""
    name = statement.word(declarator.name)
    if declarator.count < 0:
        yield name
        return
    yield from _numbered(name, min(declared_number(statement.word(declarator.count)), _MAX_MEMBERS))


@memoized(16)
def _numbered(name: str, count: int) -> tuple[str, ...]:
    return tuple([f"{name}{index}" for index in range(count)])


LONG_LIST = 1 << 15
"""The words of a longer list of targets are found in steps, before what it lists is asked for."""
_IN_A_STEP = 1024
"""Parameters that are laid out, or symbols that are declared, between two pauses."""
_MAX_MEMBERS = 1000
"""Maximum number of members of ``name<n>`` in a list that are expanded."""


def _signature(statement: Statement, tree: FunctionHead | Prototype) -> FunctionSignature:
    return run_to_completion(_signing(statement, tree))


def _signing(statement: Statement, tree: FunctionHead | Prototype) -> Generator[None, None, FunctionSignature]:
    results: list[CallLayout] = []
    parameters: list[CallLayout] = []
    for found, part in ((results, tree.returns), (parameters, tree.parameters)):
        for number, declaration in enumerate(part or (), 1):
            found.append(call_layout(statement, declaration, declaration.declarators[0]))
            if not number % _IN_A_STEP:
                yield
    noreturn = any(statement.word(tuning.word) == ".noreturn" for tuning in tree.tuning)
    return FunctionSignature(tuple(results), tuple(parameters), noreturn)


def declarations_in(tree: Tree | None) -> tuple[Declaration, ...]:
    """The declarations in a tree: itself, or the parameters of a function or prototype."""
    if isinstance(tree, Declaration):
        return (tree,)
    if isinstance(tree, FunctionHead | Prototype):
        return (*(tree.returns or ()), *(tree.parameters or ()))
    return ()


def is_declarable(declaration: Declaration) -> bool:
    """Whether the declared type is declarable; a symbol of another type fits every operand."""
    return declaration.type_token < 0 or declaration.type in catalogue().vocabulary.declarable


def stands_in_bodies(tree: Declaration, version: Version, target: Target) -> bool:
    """Whether a variable of this state space may be declared in the body of a function."""
    gate = catalogue().vocabulary.spaces[tree.space].body
    return gate is not None and gate.allows(version, target)


def _declared(
    statement: Statement, tree: Declaration, at: Place, kind: SymbolKind, role: str = "argument"
) -> Iterator[Symbol]:
    vector = int(tree.vector[2:]) if tree.vector else 0
    if tree.space == ".reg":
        kind = SymbolKind.REGISTER
    linkage = statement.word(tree.linkage) if tree.linkage >= 0 else ""
    known = is_declarable(tree)
    is_single = len(tree.declarators) == 1 and isinstance(statement.shape.tree, Declaration)
    rest: dict[int, tuple[object, ...]] = {}
    """The common part of symbols that differ in name, place and sizes only, by the number of their dimensions: one
    declaration may have a hundred thousand."""
    new, word, (chunk, index, _) = tuple.__new__, statement.word, at
    for declarator in tree.declarators:
        token, counted, dimensions, initializer = declarator
        is_like_others = counted < 0 and initializer is None and (not dimensions or tree.space not in _PASSED)
        if is_like_others and len(dimensions) in rest:
            yield new(Symbol, (word(token), kind, new(Place, (chunk, index, token)), *rest[len(dimensions)]))
            continue
        is_only = is_single and initializer is None
        found = Symbol(
            only_name(statement.text, statement.shape, token) if is_only else word(token),
            kind,
            new(Place, (chunk, index, token)),
            type=tree.type,
            space=tree.space,
            vector=vector,
            count=declared_number(word(counted)) if counted >= 0 else None,
            code=_declared_code(tree.space, tree.type, tree.vector, role, bool(dimensions)) if known else 0,
            is_definition=linkage != ".extern",
            linkage=linkage,
            layout=call_layout(statement, tree, declarator) if tree.space in _PASSED else None,
            members=_table(statement, tree, declarator) if tree.space in _TABLE_SPACES else (),
        )
        if is_like_others:
            rest[len(dimensions)] = found[3:]
        yield found


@memoized(1 << 12)
def _declared_code(space: str, type_: str, vector: str, role: str, is_array: bool) -> int:
    """The operand code of declared names; of names in ``.param`` the role counts too, of registers no dimension."""
    if space == ".reg":
        return operand_code(ActualOperand("register", type=f"{vector}{type_}"))
    opaque = type_[1:] if type_ in OPAQUE else "variable"
    role = role if space == ".param" else ""
    return operand_code(ActualOperand(opaque, type=type_, space=space, role=role, array=is_array))


def _function(statement: Statement, tree: FunctionHead, at: Place, signature: FunctionSignature) -> Iterator[Symbol]:
    yield Symbol(
        statement.word(tree.name),
        SymbolKind.FUNCTION,
        at._replace(token=tree.name),
        type=tree.kind,
        code=_FUNCTIONS[tree.kind],
        is_definition=not tree.has_semicolon,
        signature=signature,
        linkage=statement.word(tree.linkage) if tree.linkage >= 0 else "",
    )
    role = "kernel parameter" if tree.kind == ".entry" else "parameter"
    for declaration in tree.returns or ():
        yield from _declared(statement, declaration, at, SymbolKind.PARAMETER, "result")
    for declaration in tree.parameters or ():
        yield from _declared(statement, declaration, at, SymbolKind.PARAMETER, role)
