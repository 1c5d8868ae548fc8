"""Quick fix: declare undeclared registers with the type that their uses require.

Source: PTX ISA, "Register State Space", "Parameterized Variable Names".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.matcher import matcher_of
from ptx_lsp.analysis.symbols.symbols import operand_code, split_number
from ptx_lsp.diagnostic import Diagnostic, Edit
from ptx_lsp.features.code_actions.action import ActionRequest, CodeAction
from ptx_lsp.features.code_actions.statement_lines import end_offset, first_token_offset, indentation
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tree import OperandKind
from ptx_lsp.text import Span

_TYPES = (".b32", ".b64", ".f32", ".f64", ".pred", ".b16", ".b128", ".b8")
"""The candidate register types, most common first."""
_KINDS = ((".pred", ".pred"), (".f64", ".f64"), (".f32", ".f32"), ("128", ".b128"), ("64", ".b64"), ("16", ".b16"))
"""Maps the suffix of an instruction's type to the register type that compilers choose."""
_HALVES = re.compile(r"\.(?:bf|[fsub])16x2|\.[us]8x4")
_USES = 200
"""The maximum number of uses whose operand types are examined."""


def declare_register(request: ActionRequest, here: list[Diagnostic]) -> Iterator[CodeAction]:
    """Declare the register under the cursor, and all undeclared registers of its group in the function."""
    cursor = request.cursor
    missing = tuple(one for one in here if one.code == "E201")
    if (
        not missing
        or cursor is None
        or cursor.token not in cursor.context.names.undeclared
        or not cursor.context.is_inside
    ):
        return
    context, name = cursor.context, cursor.word
    parts = split_number(name)
    if parts is not None and any(parts[0] in scope.groups for scope in context.scope.chain()):
        return  # this finding already has a fix, which increases the count
    if not _is_register(context, cursor.token):
        return
    names = (
        _alike(request, context, name)
        if parts is not None and not request.is_automatic
        else {name: [(context, cursor.token)]}
    )
    type_ = _type(names[name])
    if type_ is None:
        return
    alike = [one for one in names if one == name or _type(names[one]) == type_]
    if parts is not None and len(alike) > 1:
        count = 1 + max((split_number(one) or ("", 0))[1] for one in alike)
        declared = f"{parts[0]}<{count}>"
        if any(one not in alike and (split_number(one) or ("", 0))[1] < count for one in names):
            declared = ", ".join(alike)
    else:
        declared = name
    statement = f".reg {type_} {declared};"
    at, text = _place(request, context, statement)
    yield CodeAction(f"declare '{statement}'", (Edit(Span(at, at), text),), missing)


Named = tuple[StatementContext, int]
"""A statement and the token of a name in it."""


def _is_register(context: StatementContext, token: int) -> bool:
    """Whether a name is in a position for a register: not a callee, a label or a call argument."""
    tree = context.instruction
    if tree is not None and tree.guard is not None and tree.guard.name == token:
        return True
    return tree is not None and tree.opcode[0] not in ("call", "bra", "brx")


def _alike(request: ActionRequest, context: StatementContext, name: str) -> dict[str, list[Named]]:
    """Return the undeclared names of the function that share the prefix, with their uses."""
    prefix = name.rstrip("0123456789")
    pattern = re.compile(rf"(?<![\w$%.]){re.escape(prefix)}\d+(?![\w$])", re.ASCII)
    found: dict[str, list[Named]] = {name: []}
    count = 0
    for chunk in context.function.chunks:
        for index in _statements(chunk, pattern):
            one = StatementContext(request.module, context.function, chunk, index)
            if one.instruction is None:
                continue
            for token in one.names.undeclared:
                if pattern.fullmatch(one.word(token)):
                    found.setdefault(one.word(token), []).append((one, token))
                    count += 1
            if count > _USES:
                return found
    return found


def _statements(chunk: Chunk, pattern: re.Pattern[str]) -> Iterator[int]:
    """Yield the statements of a chunk that match a pattern."""
    starts = chunk.starts()
    index = 0
    last = -1
    for match in pattern.finditer(chunk.text):
        while starts[index + 1] <= match.start():
            index += 1
        if index != last:
            last = index
            yield index


def _type(uses: list[Named]) -> str | None:
    """Return a type that is valid for all uses, preferably the one that compilers would choose."""
    likely: list[str] = []
    for context, token in uses[:_USES]:
        likely += _likely(context, token)
    tried = list(dict.fromkeys([*likely, *_TYPES]))
    return next((type_ for type_ in tried if all(_takes(context, token, type_) for context, token in uses)), None)


def _likely(context: StatementContext, token: int) -> Iterator[str]:
    """Yield the types that an instruction's qualifiers suggest for one of its operands."""
    tree = context.instruction
    assert tree is not None
    if tree.guard is not None and tree.guard.name == token:
        yield ".pred"
        return
    is_address = any(one.kind is OperandKind.ADDRESS and one.first <= token < one.last for one in tree.operands)
    if is_address:
        yield ".b64" if _is_wide(context) else ".b32"
        return
    for word in tree.opcode[1:]:
        if _HALVES.fullmatch(word):
            yield ".b32"
            continue
        for end, type_ in _KINDS:
            if word.endswith(end) and re.fullmatch(r"\.(?:pred|(?:bf|[fsub])\d+)", word):
                yield type_ if not word.startswith(".bf") else ".b16"
                break


def _is_wide(context: StatementContext) -> bool:
    """Whether the module uses 64-bit addresses."""
    return all(line.words[:1] != ("32",) for line in context.module.header.lines if line.directive == ".address_size")


def _takes(context: StatementContext, token: int, type_: str) -> bool:
    """Whether the instruction would be legal with a register of this type as the operand."""
    tree = context.instruction
    if tree is None:
        return True
    if tree.guard is not None and tree.guard.name == token and type_ != ".pred":
        return False
    word = context.word(token)
    code = operand_code(ActualOperand("register", type_))
    codes = tuple(
        code if context.word(other) == word else own
        for (other, _), own in zip(context.statement.shape.names, context.codes, strict=True)
    )
    return matcher_of(context.module).is_fine_but_for_names(context.statement.shape, codes, context.statement)


def _place(request: ActionRequest, context: StatementContext, statement: str) -> tuple[int, str]:
    """Return the offset at which to insert a declaration so that it is visible in the whole function, and its text.

    It is inserted after the ``.reg`` lines at the start of the body, or before the first statement.
    """
    module, function = request.module, context.function
    is_open = False
    last: StatementContext | None = None
    for chunk in function.chunks:
        for index, kind in enumerate(chunk.kinds):
            if not is_open:
                is_open = kind == Kind.OPEN
            elif kind == Kind.REGISTERS:
                last = StatementContext(module, function, chunk, index)
            elif kind != Kind.VARIABLE and kind != Kind.PRAGMA:
                if last is not None:
                    return end_offset(module, last), f"\n{indentation(last)}{statement}"
                one = StatementContext(module, function, chunk, index)
                return first_token_offset(module, one), f"{statement}\n{indentation(one)}"
    return first_token_offset(module, context), f"{statement}\n{indentation(context)}"
