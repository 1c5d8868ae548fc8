"""E407 declared-type."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.declarations import LARGEST_VECTOR, OPAQUE, VECTORS, declarations_in
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.checks.support.wording import did_you_mean, nearest
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Declaration, FunctionHead, Prototype, Tree

RULE = error("E407").in_trees(Declaration, FunctionHead, Prototype)


def accepts_shape(shape: Shape) -> bool:
    """Declarations whose type does not go with every space."""
    return isinstance(shape.tree, Declaration) and _is_choosy(shape.tree)


def _is_choosy(tree: Declaration) -> bool:
    if tree.vector_token >= 0 or tree.space == ".tex" or tree.type in OPAQUE:
        return True
    word = catalogue().vocabulary.types.get(tree.type)
    return word is None or word.declared is None or not word.vector or bool(word.holder)


def check(context: StatementContext) -> Iterator[Finding]:
    """A type that is not allowed in declarations, or not in this state space, or not as a vector.

    - Short and packed formats (`.bf16`, `.tf32`, `.e4m3x2`) are types of instructions; declare untyped registers of the
      same size for their values.
    - A predicate must be a single register: `.reg .pred`.
    - `.texref`, `.samplerref`, `.surfref` must be `.global` variables outside of functions, or parameters of kernels.
    - A vector has 2 or 4 elements and at most 128 bits; `.param` has no vectors.

    ```ptx
    //- sm_80 ptx 7.0
    .reg .bf16 half;
    //   ^^^^^ error[E407]: '.bf16' is not allowed in declarations; use .b16
    // ptxas: Parsing error near '.bf16': syntax error
    ```

    **Right:** `.reg .b16 half;`

    **Fixes offered:** the type of the registers for such values, or the type with the most similar spelling; an array
    for a vector in `.param`.

    ---

    - ptxas accepts arrays of the types of instructions, such as `.global .e4m3 x[4];`: they are not reported.
    - ptxas does not apply some of these rules to vectors and arrays of textures; neither does this rule.
    """
    statement = context.statement.shape.tree
    for tree in declarations_in(statement):
        if tree.type_token < 0:
            continue
        finding = _of_type(context, tree)
        if finding is None and isinstance(statement, Declaration):
            finding = _of_tex(context, tree) or _of_vector(context, tree) or _of_home(context, tree)
        if finding is not None:
            yield finding


def _has_array(tree: Declaration) -> bool:
    return any(declarator.dimensions for declarator in tree.declarators)


def _of_tex(context: StatementContext, tree: Declaration) -> Finding | None:
    if tree.space != ".tex" or (tree.type in (".u32", ".u64") and not tree.vector and not _has_array(tree)):
        return None
    span = context.span(tree.type_token)
    return RULE.at(span, "a '.tex' variable must be a single '.u32' or '.u64'")


def _of_type(context: StatementContext, tree: Declaration) -> Finding | None:
    """A type of no register, variable or parameter."""
    vocabulary = catalogue().vocabulary
    word = vocabulary.types.get(tree.type)
    if word is not None and (word.declared is not None or word.tolerated):
        return None
    if word is not None and word.arrays and not tree.vector and _are_arrays(tree):
        return None
    if word is not None and word.arrays and _is_announced(context.statement.shape.tree):
        return None
    span = context.span(tree.type_token)
    if word is not None and word.holder:
        _, fixes = did_you_mean(span, word.holder)
        message = f"'{tree.type}' is not allowed in declarations; use {word.holder}"
        return RULE.at(span, message, fixes=fixes)
    ending, fixes = did_you_mean(span, nearest(tree.type, vocabulary.declarable))
    return RULE.at(span, f"'{tree.type}' is not allowed in declarations{ending}", fixes=fixes)


def _is_announced(statement: Tree | None) -> bool:
    """Whether it is a prototype, or a function without a body: ptxas does not look at their types."""
    return isinstance(statement, Prototype) or (isinstance(statement, FunctionHead) and statement.has_semicolon)


def _are_arrays(tree: Declaration) -> bool:
    return all(declarator.dimensions for declarator in tree.declarators)


def _of_vector(context: StatementContext, tree: Declaration) -> Finding | None:
    if tree.vector_token < 0:
        return None
    span = context.span(tree.vector_token)
    word = catalogue().vocabulary.types[tree.type]
    if tree.vector not in VECTORS:
        return RULE.at(span, f"a declared vector must be '.v2' or '.v4', not '{tree.vector}'")
    if not word.vector:
        fix = Fix(f"remove '{tree.vector}'", (Edit(span, ""),))
        return RULE.at(span, f"vectors of '{tree.type}' are not allowed", fixes=(fix,))
    bits = int(tree.vector[2:]) * word.bits
    if bits > LARGEST_VECTOR:
        fitting = LARGEST_VECTOR // word.bits
        fixes = (Fix(f"write '.v{fitting}'", (Edit(span, f".v{fitting}"),)),) if fitting > 1 else ()
        message = f"'{tree.vector} {tree.type}' has {bits} bits; a vector has at most {LARGEST_VECTOR}"
        return RULE.at(span, message, fixes=fixes)
    if tree.space == ".param" and not _are_arrays(tree):
        return RULE.at(span, "a parameter cannot be a vector; declare an array", fixes=tuple(_as_array(context, tree)))
    return None


def _as_array(context: StatementContext, tree: Declaration) -> Iterator[Fix]:
    """``.param .align 16 .b32 x[4]`` for ``.param .v4 .b32 x``: a vector is aligned to its size."""
    if len(tree.declarators) != 1 or tree.declarators[0].count >= 0 or tree.align >= 0:
        return
    count = int(tree.vector[2:])
    size = count * catalogue().vocabulary.types[tree.type].bits // 8
    vector, name = context.span(tree.vector_token), context.span(tree.declarators[0].name)
    end = name._replace(start=name.end)
    yield Fix(f"declare an array of {count}", (Edit(vector, f".align {size}"), Edit(end, f"[{count}]")))


def _of_home(context: StatementContext, tree: Declaration) -> Finding | None:
    """A type that is right elsewhere."""
    word = catalogue().vocabulary.types[tree.type]
    span = context.span(tree.type_token)
    if tree.type == ".pred":
        return _of_predicate(context, tree)
    if tree.type in OPAQUE:
        return _of_opaque(context, tree)
    if tree.space == ".param" and not tree.vector and not _are_arrays(tree) and word.holder:
        _, fixes = did_you_mean(span, word.holder)
        return RULE.at(span, f"'{tree.type}' is not allowed for parameters; use {word.holder}", fixes=fixes)
    return None


def _of_predicate(context: StatementContext, tree: Declaration) -> Finding | None:
    span = context.span(tree.type_token)
    if tree.space != ".reg":
        return RULE.at(span, f"a predicate must be in '.reg', not in '{tree.space}'")
    return None


def _of_opaque(context: StatementContext, tree: Declaration) -> Finding | None:
    if context.is_inside:
        message = f"'{tree.type}' is only allowed outside of functions, or as a parameter of a kernel"
        return RULE.at(context.span(tree.type_token), message)
    if tree.space == ".global" or _are_arrays(tree):
        return None
    space = context.span(tree.space_token)
    fix = Fix("write '.global'", (Edit(space, ".global"),))
    return RULE.at(space, f"a '{tree.type}' must be a '.global' variable, not '{tree.space}'", fixes=(fix,))
