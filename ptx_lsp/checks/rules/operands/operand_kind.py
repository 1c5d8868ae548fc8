"""E402 operand-kind."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.operands import is_index, operand_at
from ptx_lsp.analysis.symbols.special_names import special_names
from ptx_lsp.analysis.symbols.symbols import OPERANDS, Symbol
from ptx_lsp.checks.support.finding import HERE, Finding, error
from ptx_lsp.checks.support.mismatches import mismatches, mnemonic, place_of, would_do, written_opcode
from ptx_lsp.checks.support.wording import counted, kinds, listed, one_of
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.match_result import Mismatch, Problem
from ptx_lsp.isa.vocabulary.register_types import BITS, unlike_neighbours, vector_of
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind
from ptx_lsp.text import Span

RULE = error("E402").in_trees(Instruction)

_SHAPES = {
    OperandKind.ADDRESS: "an address",
    OperandKind.VECTOR: "a vector",
    OperandKind.ARGUMENTS: "an argument list",
    OperandKind.SINK: "the sink",
    OperandKind.INTEGER: "a constant",
    OperandKind.FLOAT: "a constant",
    OperandKind.CONSTANT: "a constant",
}


def check(context: StatementContext) -> Iterator[Finding]:
    """An operand of the wrong kind: a constant for a register, a register for an address, a label for a value.

    ```ptx
    //- sm_80 ptx 7.0
    ld.global.u32 %r1, %rd1;
    //                 ^^^^ error[E402]: '%rd1' is a .b64 register (line 5); 'ld' expects an address here
    // ptxas: Arguments mismatch for instruction 'ld'
    ```

    **Right:** `ld.global.u32 %r1, [%rd1];`

    **Fixes offered:** the state space of the variable for that of the instruction; brackets around an address; the
    component of a vector; `[g+4]` for `g[4]` if `g` is not an array.

    ---

    Signs and selectors: `-` is allowed before constants and in some video instructions, `!` before predicates; `.b0`
    and `.h1` select parts in video instructions, `.x` and `.r` components of vectors. Only `mov` and `cvt` read special
    registers. A few instructions allow `_` for a result that is discarded.
    """
    for mismatch in mismatches(context, Problem.OPERAND_KIND, Problem.OPERAND_PART, Problem.OPERAND_SIGN):
        operand = operand_at(context.instruction, mismatch.operand)
        finding = None
        if mismatch.problem is Problem.OPERAND_PART and operand is not None:
            finding = _part(context, operand, mismatch)
        elif mismatch.problem is Problem.OPERAND_SIGN and operand is not None:
            finding = _sign(context, operand)
        elif operand is not None and not mismatch.message:
            finding = _particular(context, operand, mismatch)
        yield finding or _general(context, operand, mismatch)
    if context.match is not None and not context.match.mismatches:
        yield from _negations(context)


def _general(context: StatementContext, operand: Operand | None, mismatch: Mismatch) -> Finding:
    """A finding that names the kind of the operand and the expected kinds."""
    span = place_of(context, mismatch)
    text = context.statement.text[span.start : span.end]
    wanted = kinds(mismatch.wanted)
    message = f"'{text}' is not allowed here"
    if wanted:
        message = f"'{text}' is {_what(context, operand)}{HERE}; '{mnemonic(context)}' expects {wanted} here"
    declared = context.symbols.get(operand.name) if operand is not None and operand.kind is OperandKind.NAME else None
    brackets = Edit(span, f"[{text}]")
    fixes: tuple[Fix, ...] = ()
    if "address" in mismatch.wanted and would_do(context, brackets):
        fixes = (Fix(f"write '{brackets.text}'", (brackets,)),)
    return RULE.at(span, mismatch.message or message, fixes=fixes).explained_by(declared)


def _what(context: StatementContext, operand: Operand | None) -> str:
    if operand is None:
        return "wrong"
    if operand.kind is not OperandKind.NAME:
        return _SHAPES[operand.kind]
    symbol = context.symbols.get(operand.name)
    if symbol is None:
        meaning = OPERANDS[context.code_of(operand.name)]
        return f"a {meaning.type} special register" if meaning.kind == "special" else "a constant"
    if symbol.space == ".reg":
        return f"a .v{symbol.vector} {symbol.type} register" if symbol.vector else f"a {symbol.type} register"
    if symbol.space:
        return f"a {symbol.type if _is_opaque(symbol) else symbol.space} variable"
    return f"a {symbol.kind.name.lower()}{' with an offset' if operand.offset is not None else ''}"


def _particular(context: StatementContext, operand: Operand, mismatch: Mismatch) -> Finding | None:
    """The mistakes with a more specific message than what is written and what is expected."""
    is_written = _is_written(context, mismatch)
    symbol = context.symbols.get(operand.name) if operand.name >= 0 else None
    if operand.kind is OperandKind.SINK:
        return _sink(context, operand, mismatch.operand, is_written=is_written)
    if operand.kind is OperandKind.NAME:
        if operand.indexed and symbol is not None and (wrong := _index(context, operand, symbol)) is not None:
            return wrong
        if symbol is None and OPERANDS[context.code_of(operand.name)].kind == "special":
            return _special(context, operand, mismatch, is_written=is_written)
        if symbol is not None and symbol.space and symbol.space != ".reg":
            return _space(context, operand, symbol, mismatch)
    if operand.kind is OperandKind.VECTOR:
        return _vector(context, operand, mismatch.operand, is_written=is_written)
    return None


def _is_written(context: StatementContext, mismatch: Mismatch) -> bool:
    at = mismatch.operand[0]
    return context.match is not None and at < len(context.match.writes) and context.match.writes[at]


def _part(context: StatementContext, operand: Operand, mismatch: Mismatch) -> Finding:
    """A selector that is not one of this operand."""
    span = Span(context.span(operand.selector[0]).start, context.span(operand.selector[-1]).end)
    name, part = context.word(operand.name), context.statement.text[span.start : span.end]
    symbol = context.symbols.get(operand.name)
    vector = vector_of(OPERANDS[context.code_of(operand.name)].type)
    if mismatch.wanted:
        return RULE.at(span, f"'{part}' cannot be selected from '{name}' here; expected {listed(mismatch.wanted)}")
    if vector is not None:
        components = ".x, .y, .z or .w" if symbol is None else ".x, .y, .z, .w, .r, .g, .b or .a"
        return RULE.at(span, f"'{name}' has no component '{part}'; expected {components}{HERE}").explained_by(symbol)
    if symbol is not None and name in special_names():
        return RULE.at(span, f"'{name}' is a register{HERE} that hides the special register").explained_by(symbol)
    remove = Fix(f"remove '{part}'", (Edit(span, ""),))
    return RULE.at(span, f"'{mnemonic(context)}' expects '{name}' without '{part}' here", fixes=(remove,))


def _sign(context: StatementContext, operand: Operand) -> Finding:
    """``-`` or ``!`` where none is allowed."""
    span = context.operand_span(operand)
    meaning = OPERANDS[context.code_of(operand.name)] if operand.name >= 0 else None
    if operand.sign == "!":
        better = "'not' inverts bits" if meaning is None or meaning.type != ".pred" else "a result cannot be negated"
        return RULE.at(span, f"'!' is only allowed before predicates that are read; {better}")
    name = mnemonic(context)
    forms = context.match.instruction.forms if context.match is not None else ()
    if any(wanted.sign for form in forms for wanted in form.operands):
        return RULE.at(span, f"'{name}' allows no '-' before this operand")
    return RULE.at(span, "'-' is only allowed before constants; 'neg' negates a register")


def _negations(context: StatementContext) -> Iterator[Finding]:
    """``vmad`` with more than one of the product and the addend negated."""
    tree = context.instruction
    if tree is None or tree.opcode[0] != "vmad" or len(tree.operands) != _OF_VMAD:
        return
    _, a, b, c = tree.operands
    if (a.sign == "-") == (b.sign == "-"):
        return
    negated = a if a.sign else b
    if ".po" in tree.opcode:
        yield RULE.at(context.operand_span(negated), "'.po' cannot be combined with a negated product")
    elif c.sign:
        yield RULE.at(context.operand_span(c), "'vmad' negates the product or the addend, not both")


_OF_VMAD = 4


def accepts_shape(shape: Shape) -> bool:
    """Whether a statement can have signs that exclude each other."""
    return shape.opcode[:1] == ("vmad",)


def _sink(context: StatementContext, operand: Operand, path: tuple[int, ...], *, is_written: bool) -> Finding:
    name = mnemonic(context)
    if not is_written:
        message = f"'_' discards a result; '{name}' reads a value here"
    elif operand.pair is not None:
        message = f"'{name}' cannot write this result to '_'; '_' is only allowed after '|'"
        if operand.pair.kind is OperandKind.SINK:
            message = "only one result may be '_'"
    elif path[-1] < 0:
        message = f"'{name}' cannot write its second result to '_'; expected a register"
    elif len(path) > 1:
        message = "at least one element must be a register; not all can be '_'"
    else:
        message = f"'{name}' cannot write to '_'; expected a register"
    return RULE.at(context.operand_span(operand), message)


def _special(context: StatementContext, operand: Operand, mismatch: Mismatch, *, is_written: bool) -> Finding:
    span, text = context.operand_span(operand), context.text_of(operand)
    if is_written:
        return RULE.at(span, f"'{text}' is a special register and cannot be written")
    if "special register" not in mismatch.wanted and mnemonic(context) not in _READING:
        return RULE.at(span, f"'{mnemonic(context)}' cannot read a special register; copy '{text}' with 'mov' first")
    meaning = OPERANDS[context.code_of(operand.name)]
    vector = vector_of(meaning.type)
    if vector is not None and not operand.selector:
        add = Fix(f"write '{text}.x'", (Edit(Span(span.end, span.end), ".x"),))
        message = f"'{text}' is a vector; '{written_opcode(context)}' expects a component such as '{text}.x'"
        return RULE.at(span, message, fixes=(add,) if would_do(context, *add.edits) else ())
    type_ = vector[1] if vector is not None else meaning.type
    return RULE.at(
        span, f"'{text}' is {type_}; '{written_opcode(context)}' cannot read a special register of this type"
    )


def _index(context: StatementContext, operand: Operand, symbol: Symbol) -> Finding | None:
    """``name[index]`` of something that is not an array, or with an index that is not an integer."""
    assert operand.offset is not None
    name, index = context.word(operand.name), context.text_of(operand.offset)
    if OPERANDS[symbol.code].array:
        if is_index(operand.offset, context.code_of(operand.offset.name)):
            return None
        inner = context.symbols.get(operand.offset.name) if operand.offset.name >= 0 else None
        what = f"is {_what(context, operand.offset)}{HERE}" if inner is not None else "is not one"
        return RULE.at(
            context.operand_span(operand.offset), f"an index must be an integer; '{index}' {what}"
        ).explained_by(inner)
    span = context.operand_span(operand)
    texts = (f"[{name}+{index}]", f"{name}+{index}") if symbol.space else ()
    fixes = [Fix(f"write '{text}'", (Edit(span, text),)) for text in texts if would_do(context, Edit(span, text))]
    better = fixes[0].title if fixes else "only arrays can be indexed"
    return RULE.at(span, f"'{name}' is not an array{HERE}; {better}", fixes=tuple(fixes[:1])).explained_by(symbol)


def _space(context: StatementContext, operand: Operand, symbol: Symbol, mismatch: Mismatch) -> Finding | None:
    """A variable in another state space than the instruction's."""
    spaces = catalogue().vocabulary.spaces
    wanted = [word for word in mismatch.wanted if word == "generic" or word.partition("::")[0] in spaces]
    tree = context.instruction
    assert tree is not None
    if "variable" in mismatch.wanted:
        wanted = [word for word in tree.opcode if word.partition("::")[0] in spaces]
    if not wanted or _is_opaque(symbol):
        return None
    span, text = context.operand_span(operand), context.text_of(operand)
    fixes = []
    places = [at for at, word in enumerate(tree.opcode) if word.partition("::")[0] in spaces]
    if len(places) == 1:
        fixes.append(Edit(context.span(tree.opcode_tokens[places[0]]), symbol.space))
    elif not places:
        end = context.span(tree.opcode_tokens[mnemonic(context).count(".")]).end
        fixes.append(Edit(Span(end, end), symbol.space))
    repairs = tuple(Fix(f"write '{symbol.space}'", (edit,)) for edit in fixes if would_do(context, edit))
    where = one_of([f"in {word}" if word != "generic" else "in .global, .shared or .local" for word in wanted])
    message = f"'{text}' is in {symbol.space}{HERE}; '{_with_space(context)}' expects a variable {where}"
    return RULE.at(span, message, fixes=repairs).explained_by(symbol)


def _is_opaque(symbol: Symbol) -> bool:
    """Whether it is a texture, sampler or surface."""
    return OPERANDS[symbol.code].kind not in ("variable", "unknown")


def _with_space(context: StatementContext) -> str:
    """The name of the instruction with its state space."""
    tree = context.instruction
    assert tree is not None
    spaces = catalogue().vocabulary.spaces
    written = [word for word in tree.opcode[1:] if word.partition("::")[0] in spaces]
    name = mnemonic(context)
    return name if len(written) != 1 or written[0] in name else f"{name}{written[0]}"


def _vector(context: StatementContext, operand: Operand, path: tuple[int, ...], *, is_written: bool) -> Finding | None:
    """Registers in braces that do not make the value that ``mov`` packs or unpacks."""
    tree = context.instruction
    assert tree is not None
    sink = next((part for part in operand.parts if part.kind is OperandKind.SINK), None)
    if sink is not None and not is_written:
        return _sink(context, sink, (*path, 0), is_written=False)
    if tree.opcode[0] != "mov" or len(tree.opcode) != _PLAIN:
        return None
    if sum(other.kind is OperandKind.VECTOR for other in tree.operands) > 1:
        if tree.operands[0] is operand:
            message = "'mov' packs or unpacks; only one operand can be a vector in braces"
            return RULE.at(context.operand_span(operand), message)
        return RULE.at(
            context.operand_span(operand),
            f"the source '{context.text_of(operand)}' and the result are both vectors; only one can be",
        )
    if len({part.kind for part in operand.parts}) == 1 and sink is not None:
        return _sink(context, sink, (*path, 0), is_written=True)
    span, type_ = context.operand_span(operand), tree.opcode[1]
    bits = BITS.get(type_)
    untyped = f".b{bits}"
    if type_ != untyped:
        edit = Edit(context.span(tree.opcode_tokens[1]), untyped)
        if would_do(context, edit):
            message = f"'mov' packs and unpacks only with a .b type; write 'mov{untyped}'"
            return RULE.at(span, message, fixes=(Fix(f"write '{untyped}'", (edit,)),))
    shown = [part for part in operand.parts if part.kind is not OperandKind.SINK]
    sizes = [_bits(context, part) for part in shown]
    at = unlike_neighbours([_element_type(context, part) for part in shown])
    if at is not None and {size and size * len(operand.parts) for size in sizes} <= {bits, None}:
        one, other = (context.text_of(part) for part in shown[at : at + 2])
        size = (bits or 0) // len(operand.parts)
        message = f"'{one}' and '{other}' cannot be neighbours in a vector: unlike types, and neither is .b{size}"
        return RULE.at(span, message)
    if None in sizes or not sizes:
        return None
    if len(set(sizes)) > 1:
        return RULE.at(span, "the registers in braces must have the same size")
    have = len(operand.parts) * (sizes[0] or 0)
    if len(operand.parts) not in _COUNTS:
        return RULE.at(
            span,
            f"this vector has {counted(len(operand.parts), 'element')}; '{written_opcode(context)}' expects 2 or 4",
        )
    return RULE.at(
        span,
        f"{len(operand.parts)} × {sizes[0]} = {have} bits in this vector; '{written_opcode(context)}' expects {bits}",
    )


_READING = frozenset({"mov", "cvt"})
"""The instructions that read special registers."""
_PLAIN = 2
"""The words of ``mov.b32``."""
_COUNTS = (2, 4)


def _element_type(context: StatementContext, part: Operand) -> str:
    """The type of a register or constant in braces; "" for anything else."""
    if part.kind is OperandKind.NAME:
        meaning = OPERANDS[context.code_of(part.name)]
        return meaning.type if meaning.kind == "register" else ""
    return {OperandKind.INTEGER: ".u32", OperandKind.FLOAT: ".f32"}.get(part.kind, "")


def _bits(context: StatementContext, part: Operand) -> int | None:
    type_ = OPERANDS[context.code_of(part.name)].type if part.kind is OperandKind.NAME else ""
    vector = vector_of(type_)
    return BITS.get(vector[1] if vector is not None and part.selector else type_)
