"""E411 variable-space."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ptx_lsp.analysis.module.function import Function, StructureFault, StructureFaultKind
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.declarations import sizes
from ptx_lsp.checks.support.finding import Finding, PlacedFinding, error
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.gate import Gate
from ptx_lsp.isa.model.version import Version
from ptx_lsp.isa.vocabulary.records import SpaceWord
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Declaration
from ptx_lsp.text import Span

RULE = error("E411").in_trees(Declaration)
_PLAIN = Version(2, 2)
"""From when on ``.extern .const .b32 x[];`` needs no bank."""


def accepts_shape(shape: Shape) -> bool:
    """Constants from elsewhere; the analysis flags what no body can hold."""
    tree = shape.tree
    return isinstance(tree, Declaration) and tree.space == ".const" and tree.linkage >= 0


def check(context: StatementContext) -> Iterator[Finding]:
    """A variable in a state space that is not allowed at this place.

    ```ptx
    //- sm_80 ptx 7.0 module
    .param .b64 size;
    // <--- error[E411]: a '.param' variable is not allowed outside of functions
    // ptxas: Parameter variables may not be declared at module scope
    ```

    **Right:** `.entry kernel(.param .b64 size) { ret; }`

    ---

    - Registers and `.local` variables outside of functions: up to PTX 2.3.
    - `.param` between the braces of a function, for the arguments of calls: from PTX 2.0.
    - `.tex`: outside of functions, up to PTX 1.4. `.sreg`: nowhere.
    - `.extern .const .b32 x[];`: from PTX 2.2; before, such an array was in a bank, `.const[1]` to `.const[10]`.
    """
    tree = context.statement.shape.tree
    if isinstance(tree, Declaration):
        finding = _of_body(context, tree) if context.is_inside else _of_open_array(context, tree)
        if finding is not None:
            yield finding


def module_facts(function: Function) -> Hashable:
    """The places of variables that stand outside of functions and cannot in some version."""
    if not function.faults or function.has_unbalanced_braces:
        return ()
    return tuple(fault.place for fault in function.faults if fault.fault is StructureFaultKind.SPACE)


def check_module(module: Module) -> Iterator[PlacedFinding | None]:
    """Registers, local variables and parameters outside of functions."""
    for function in module.functions:
        yield None
        # Where a brace is missing or too many, what seems to be outside may be meant inside.
        if function.faults and not function.has_unbalanced_braces:
            for fault in function.faults:
                finding = _of_module(module, fault) if fault.fault is StructureFaultKind.SPACE else None
                if finding is not None:
                    yield PlacedFinding(fault.place, finding)


def _of_module(module: Module, fault: StructureFault) -> Finding | None:
    statement = fault.place.chunk.statement(fault.place.statement)
    tree = statement.shape.tree
    assert isinstance(tree, Declaration)
    word = catalogue().vocabulary.spaces[tree.space]
    if word.module is not None and word.module.allows(module.version, module.target):
        return None
    if tree.space == ".tex":
        return None  # gone altogether, which E503 says
    return RULE.at(statement.span(tree.space_token), _message(module, word, "outside of functions", word.module))


def _of_body(context: StatementContext, tree: Declaration) -> Finding | None:
    word = catalogue().vocabulary.spaces[tree.space]
    if word.body is not None and word.body.allows(context.module.version, context.module.target):
        return None
    return RULE.at(context.span(tree.space_token), _message(context.module, word, "inside a function", word.body))


def _message(module: Module, word: SpaceWord, where: str, gate: Gate | None) -> str:
    if gate is None and word.module is None and word.body is None:
        return f"variables in '{word.name}' cannot be declared"
    if gate is None:
        return f"a '{word.name}' variable is not allowed {where}"
    return f"a '{word.name}' variable {where} {_when(gate)}; this module is PTX {module.version}"


def _when(gate: Gate) -> str:
    return f"requires PTX {gate.since[0].version}" if gate.until is None else f"existed only {gate.describe()}"


def _of_open_array(context: StatementContext, tree: Declaration) -> Finding | None:
    """``.extern .const .b32 x[];`` was in a bank once."""
    if (
        tree.space != ".const"
        or tree.bank >= 0
        or context.module.version >= _PLAIN
        or not _is_open_array(context, tree)
    ):
        return None
    span = context.span(tree.space_token)
    fix = Fix("write '.const[1]'", (Edit(Span(span.end, span.end), "[1]"),))
    message = f"before PTX {_PLAIN} such an array requires a bank: '.const[1]' to '.const[10]'"
    return RULE.at(span, message, fixes=(fix,))


def _is_open_array(context: StatementContext, tree: Declaration) -> bool:
    """Whether it declares ``.extern`` arrays whose first dimension is missing."""
    if tree.linkage < 0 or context.word(tree.linkage) != ".extern":
        return False
    return any(sizes(context.statement, declarator)[:1] == [0] for declarator in tree.declarators)
