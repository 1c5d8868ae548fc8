"""E508 texture-mode."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.declarations import declarations_in
from ptx_lsp.checks.support.finding import HERE, Finding, error
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Declaration, FunctionHead, Instruction, Operand, OperandKind, Prototype

RULE = error("E508").in_trees(Instruction, Declaration, FunctionHead, Prototype)

_READS = frozenset({"tex", "tld4"})
_ASKS = frozenset({"txq"})
_SAMPLER = ".samplerref"


def accepts_shape(shape: Shape) -> bool:
    """Declarations of samplers, and what reads textures."""
    if shape.kind is Kind.INSTRUCTION:
        return shape.opcode[0] in _READS | _ASKS
    return any(declaration.type == _SAMPLER for declaration in declarations_in(shape.tree))


def check(context: StatementContext) -> Iterator[Finding]:
    """A sampler in the unified texture mode, or no sampler in the independent texture mode.

    In the unified texture mode, the default, `.samplerref` cannot be declared. In the independent mode `tex` and `tld4`
    require a sampler after the texture, and `txq` queries the properties of a sampler from the sampler.

    ```ptx
    //- sm_80 ptx 8.0 module
    .global .samplerref smooth;
    //      ^^^^^^^^^^^ error[E508]: '.samplerref' requires the option 'texmode_independent' of '.target'
    // ptxas: Instruction or declaration violates .target texmode_unified setting
    ```

    **Right:** `.target sm_80, texmode_independent`

    ---

    The mode is an option of `.target`, one for the whole module. In the unified mode ptxas accepts a register in the
    place of the sampler, but reads it as the coordinates. Uses of a sampler whose declaration is reported are not
    reported again.
    """
    tree = context.instruction
    if tree is not None and context.module.header.has_separate_samplers:
        yield from _without_sampler(context, tree)
    elif tree is None and not context.module.header.has_separate_samplers:
        for declaration in declarations_in(context.statement.shape.tree):
            is_array = all(declarator.dimensions for declarator in declaration.declarators)
            if declaration.type == _SAMPLER and not is_array:  # of arrays ptxas does not ask
                span = context.span(declaration.type_token)
                yield RULE.at(span, f"'{_SAMPLER}' requires the option 'texmode_independent' of '.target'")


def _without_sampler(context: StatementContext, tree: Instruction) -> Iterator[Finding]:
    if len(tree.operands) < 2 or context.match is None or context.match.mismatches:
        return
    address = tree.operands[1]
    if address.kind is not OperandKind.ADDRESS or not address.parts:
        return
    first = address.parts[0]
    if tree.opcode[0] in _ASKS:
        fields = catalogue().vocabulary.rare.opaque_fields
        field = next((word[1:] for word in tree.opcode[1:] if word[1:] in fields), "")
        if field and _SAMPLER in fields[field].owners and _is_texture(context, first):
            message = f"'{context.word(first.name)}' is a texture{{}}; with 'texmode_independent' query a sampler"
            yield _about(context, first, message)
    elif (
        len(address.parts) == 2
        and (address.parts[1].kind is OperandKind.VECTOR or len(tree.operands) == 2)
        or len(address.parts) == 3
        and not _has_sampler(context.match)
    ):
        message = "'texmode_independent' requires a sampler after the texture: [a, b, c]"
        yield RULE.at(context.operand_span(address), message)
    elif len(address.parts) > 2 and _is_texture(context, address.parts[1]):
        sampler = address.parts[1]
        message = f"'{context.word(sampler.name)}' is a texture{{}}; 'texmode_independent' requires a sampler here"
        yield _about(context, sampler, message)


def _has_sampler(found: Match) -> bool:
    """Whether the form that a statement fits has a sampler in its address here."""
    place = found.form.slot_numbers.get("b")
    return place is not None and found.values[place] is not None


def _about(context: StatementContext, operand: Operand, message: str) -> Finding:
    return RULE.at(context.operand_span(operand), message.format(HERE)).explained_by(context.symbols.get(operand.name))


def _is_texture(context: StatementContext, operand: Operand) -> bool:
    symbol = context.symbols.get(operand.name)
    return operand.name >= 0 and symbol is not None and symbol.type == ".texref"
