"""A declaration for registers that nothing declares, of the type that their uses ask for.

Source: PTX ISA, "Register State Space", "Parameterized Variable Names".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.matcher import matcher_of
from ptx_lsp.analysis.symbols.symbols import operand_code, split_number
from ptx_lsp.diagnostic import Diagnostic, Edit
from ptx_lsp.features.code_actions.action import Asked, CodeAction
from ptx_lsp.features.code_actions.lines import end_of, indentation, place_of
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tree import OperandKind
from ptx_lsp.text import Span

_TYPES = (".b32", ".b64", ".f32", ".f64", ".pred", ".b16", ".b128", ".b8")
"""The types of registers, the commonest first."""
_KINDS = ((".pred", ".pred"), (".f64", ".f64"), (".f32", ".f32"), ("128", ".b128"), ("64", ".b64"), ("16", ".b16"))
"""By what a type of an instruction ends in, the type that compilers give to its registers."""
_HALVES = re.compile(r"\.(?:bf|[fsub])16x2|\.[us]8x4")
_USES = 200
"""Uses that are asked for their type."""


def declare(asked: Asked, here: list[Diagnostic]) -> Iterator[CodeAction]:
    """Declare the register under the cursor, and with it all of its kind that the function lacks."""
    cursor = asked.cursor
    missing = tuple(one for one in here if one.code == "E201")
    if not missing or cursor is None or cursor.token not in cursor.context.undeclared or not cursor.context.is_inside:
        return
    context, name = cursor.context, cursor.word
    parts = split_number(name)
    if parts is not None and any(parts[0] in scope.groups for scope in context.scope.chain()):
        return  # its own fix raises the count
    if not _is_register(context, cursor.token):
        return
    names = (
        _alike(asked, context, name)
        if parts is not None and not asked.is_automatic
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
    at, text = _place(asked, context, statement)
    yield CodeAction(f"declare '{statement}'", (Edit(Span(at, at), text),), missing)


Named = tuple[StatementContext, int]
"""A statement and the token of a name in it."""


def _is_register(context: StatementContext, token: int) -> bool:
    """Whether a name stands where a register can stand: not as a function, a label or the argument of a call."""
    tree = context.instruction
    if tree is not None and tree.guard is not None and tree.guard.name == token:
        return True
    return tree is not None and tree.opcode[0] not in ("call", "bra", "brx")


def _alike(asked: Asked, context: StatementContext, name: str) -> dict[str, list[Named]]:
    """The undeclared names of the function with one prefix, and where they stand."""
    prefix = name.rstrip("0123456789")
    pattern = re.compile(rf"(?<![\w$%.]){re.escape(prefix)}\d+(?![\w$])", re.ASCII)
    found: dict[str, list[Named]] = {name: []}
    count = 0
    for chunk in context.function.chunks:
        for index in _statements(chunk, pattern):
            one = StatementContext(asked.module, context.function, chunk, index)
            if one.instruction is None:
                continue
            for token in one.undeclared:
                if pattern.fullmatch(one.word(token)):
                    found.setdefault(one.word(token), []).append((one, token))
                    count += 1
        if count > _USES:
            break
    return found


def _statements(chunk: Chunk, pattern: re.Pattern[str]) -> Iterator[int]:
    """The statements of a chunk with a word that fits."""
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
    """A type that all uses take, preferably the one that compilers would choose."""
    likely: list[str] = []
    for context, token in uses[:_USES]:
        likely += _likely(context, token)
    tried = list(dict.fromkeys([*likely, *_TYPES]))
    return next((type_ for type_ in tried if all(_takes(context, token, type_) for context, token in uses)), None)


def _likely(context: StatementContext, token: int) -> Iterator[str]:
    """The types that the qualifiers of an instruction suggest for one of its operands."""
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
    """Whether the module has addresses of 64 bits."""
    return all(line.words[:1] != ("32",) for line in context.module.header.lines if line.directive == ".address_size")


def _takes(context: StatementContext, token: int, type_: str) -> bool:
    """Whether an instruction would be right with a register of this type for a name."""
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


def _place(asked: Asked, context: StatementContext, statement: str) -> tuple[int, str]:
    """Where a declaration belongs so that the whole function sees it, and its text with the line break it needs.

    Behind the ``.reg`` lines at the beginning of the body, or before its first statement.
    """
    module, function = asked.module, context.function
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
                    return end_of(module, last), f"\n{indentation(last)}{statement}"
                one = StatementContext(module, function, chunk, index)
                return place_of(module, one), f"{statement}\n{indentation(one)}"
    return place_of(module, context), f"{statement}\n{indentation(context)}"
