"""E414 initial-value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.initializers import BRACE_FAULTS, InitialFault, InitialFaultKind, initial_faults
from ptx_lsp.checks.support.finding import HERE, Finding, error
from ptx_lsp.checks.support.wording import did_you_mean, nearest
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.patterns import compiled_on_use
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Declaration, Operand, OperandKind, has_initial_values
from ptx_lsp.text import Span

RULE = error("E414").in_trees(Declaration)
_FLOAT = compiled_on_use(r"\.|\b0[fFdD]|\d[eE]", re.ASCII)
_BITS = compiled_on_use(r"\b0[fFdD]", re.ASCII)


def accepts_shape(shape: Shape) -> Declaration | None:
    """Declarations with initializers."""
    tree = shape.tree
    if isinstance(tree, Declaration) and has_initial_values(tree):
        return tree
    return None


def prefilter_statement(text: str, tree: Declaration) -> bool:
    """Leave out long tables of numbers that are all of the sort that the type accepts."""
    if len(tree.declarators) > 1 or not catalogue().vocabulary.spaces[tree.space].initialized or tree.linkage >= 0:
        return True
    value = tree.declarators[0].initializer
    if value is None or value.kind is not OperandKind.VECTOR or len(value.parts) != 1 or not _is_run(value.parts[0]):
        return True
    word = catalogue().vocabulary.types.get(tree.type)
    takes = word.initial if word is not None else frozenset()
    if {"integers", "floats"} <= takes:
        return False
    start = text.find("=")
    if "integers" in takes:
        return _FLOAT().search(text, start) is not None
    return "floats" not in takes or len(_BITS().findall(text, start)) != text.count(",", start) + 1


def _is_run(part: Operand) -> bool:
    return part.kind is OperandKind.LIST


def check(context: StatementContext) -> Iterator[Finding]:
    """An initializer that is not allowed for the variable.

    - Only variables of `.const` and `.global` can be initialized, and not if they are `.extern`.
    - Integers for integers, floats for `.f32` and `.f64`, both for untyped bits; `.f16` cannot be initialized.
    - Addresses for `.u32` and `.u64`: of a function, or of a variable in `.const` or `.global`. A byte of one is
      `0xFF00(name)`.
    - Fields of textures by name, with numbers or the values of the field.

    ```ptx
    //- sm_80 ptx 7.0 module
    .global .f32 scale = 2;
    //                   ^ error[E414]: '.f32' expects a float constant, not the integer '2'
    // ptxas: Initial value type mismatch
    ```

    **Right:** `.global .f32 scale = 2.0;`

    **Fixes offered:** the number as a float; a type for addresses; the field with the most similar spelling.

    ---

    ptxas accepts integers of any size and truncates them, and any number for any field of a texture.
    """
    tree = context.statement.shape.tree
    if isinstance(tree, Declaration):
        for _, fault in initial_faults(context):
            if fault.kind not in BRACE_FAULTS:
                yield _finding(context, tree, fault)


def _finding(context: StatementContext, tree: Declaration, fault: InitialFault) -> Finding:
    span = Span(context.span(fault.first).start, context.span(fault.last - 1).end)
    written = context.statement.text[span.start : span.end]
    fixes: tuple[Fix, ...] = ()
    match fault.kind:
        case InitialFaultKind.NO_SPACE:
            message = f"a '{tree.space}' variable cannot be initialized; only '.const' and '.global' can"
        case InitialFaultKind.EXTERN:
            message = f"'{written}' is '.extern' and cannot be initialized here; initialize its definition"
        case InitialFaultKind.NO_TYPE:
            message = f"'{tree.type}' cannot be initialized{_instead(tree)}"
        case InitialFaultKind.FLOAT_WANTED:
            message = f"'{tree.type}' expects a float constant, not the integer '{_short(written)}'"
            if re.fullmatch(r"-?[1-9]\d*|0", written):
                fixes = (Fix(f"write '{written}.0'", (Edit(span, f"{written}.0"),)),)
        case InitialFaultKind.INTEGER_WANTED:
            message = f"'{tree.type}' expects an integer, not the float '{_short(written)}'"
        case InitialFaultKind.NUMBER_WANTED:
            message = f"an address must be '.u32' or '.u64', not '{tree.type}'"
            fixes = tuple(_type_fix(context, tree))
        case InitialFaultKind.MASK_TYPE:
            message = f"a masked address must be '.u8', '.u32' or '.u64', not '{tree.type}'"
        case InitialFaultKind.NOT_GENERIC:
            _, fixes = did_you_mean(span, "generic")
            message = f"only 'generic' is allowed before '(' here, not '{written}'"
        case InitialFaultKind.ADDRESS_SPACE:
            assert fault.symbol is not None
            message = (
                f"'{written}' is in '{fault.symbol.space}'{HERE}; only addresses in '.const' and '.global' are allowed"
            )
        case InitialFaultKind.NO_ADDRESS:
            message = f"'{written}' has no address"
        case InitialFaultKind.GENERIC_FUNCTION:
            message = f"'{written}' is a function{HERE}; its address is already generic"
            whole = Span(context.span(fault.first - 2).start, context.span(fault.last).end)
            fixes = (Fix(f"write '{written}'", (Edit(whole, written),)),)
        case InitialFaultKind.FUNCTION_OFFSET:
            message = "the address of a function cannot have an offset"
        case InitialFaultKind.OFFSET:
            message = f"an offset must be an integer, not '{_short(written)}'"
        case InitialFaultKind.MASK:
            message = f"a mask must select one byte: '0xFF', '0xFF00' …, not '{written}'"
        case InitialFaultKind.UNKNOWN_FIELD:
            fields = catalogue().vocabulary.rare.opaque_fields
            known = [name for name, field in fields.items() if tree.type in field.owners]
            ending, fixes = did_you_mean(span, nearest(written, known))
            message = f"a '{tree.type}' has no field '{written}'{ending}"
        case _:
            ending, fixes = did_you_mean(span, nearest(written, catalogue().vocabulary.rare.opaque_values))
            message = f"'{written}' is not a value of a field{ending}"
    return RULE.at(span, message, fixes=fixes).explained_by(fault.symbol)


def _short(written: str) -> str:
    return written if len(written) < 24 else f"{written[:20]} …"


def _instead(tree: Declaration) -> str:
    holder = {".f16": ".b16"}.get(tree.type) or catalogue().vocabulary.types[tree.type].holder
    return f"; declare it as '{holder}'" if holder else ""


def _type_fix(context: StatementContext, tree: Declaration) -> Iterator[Fix]:
    """``.u64`` for ``.b64``."""
    wanted = f".u{catalogue().vocabulary.types[tree.type].bits}"
    word = catalogue().vocabulary.types.get(wanted)
    if word is not None and "addresses" in word.initial:
        yield Fix(f"declare it as '{wanted}'", (Edit(context.span(tree.type_token), wanted),))
