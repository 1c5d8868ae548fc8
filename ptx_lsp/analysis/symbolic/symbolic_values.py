"""Values of registers and addresses as sums over parameters, variables, special registers and constants.

Exact modulo 2^width, or unknown. A value that cannot be followed further is an atom: what an instruction left when it
was executed last, or what a register held when control came to a block last. Such an atom has at a place where it is in
a value still the value that it had where the value was computed: its source is passed on every path to there, and never
again without computing the value again.

Source: PTX ISA, "Addresses as Operands", "Generic Addressing", "cvta", "ld".
"""

from __future__ import annotations

from collections.abc import Generator
from itertools import count

from ptx_lsp.analysis.dataflow.operations import integer_types
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbolic.arithmetic import result_of
from ptx_lsp.analysis.symbolic.atoms import Atom, AtomKind, Atoms
from ptx_lsp.analysis.symbolic.linear_values import LinearValue, combined, constant
from ptx_lsp.analysis.symbolic.value_sources import Source, ValueSources, Write, register_name
from ptx_lsp.analysis.symbols.storage import bits_of
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import FunctionHead, Instruction, Operand, OperandKind

_MOST_RESULTS = 40
"""So many instructions are evaluated for one question if the caller sets no bound."""
_RESULTS_IN_A_STEP = 4
"""To find the source of one operand, thousands of nodes may be passed."""
_SHARED = 1 << 24
"""Bytes of the window of shared memory: addresses in it are smaller."""
_WIDE = 1 << 64
_INTEGERS = frozenset({"untyped", "signed", "unsigned"})
"""The kinds of types of registers that are followed."""


class SymbolicValues:
    """The values of one function.

    Args:
        sources: where the values of its registers come from.
        most: a value that depends on more instructions is unknown.

    """

    def __init__(self, sources: ValueSources, most: int = _MOST_RESULTS) -> None:
        self.sources = sources
        self._most = most
        self.atoms = Atoms()
        """The unknown things in values."""
        self.origins: dict[int, Source] = {}
        """The sources of atoms that are results or meetings, by their number."""
        self.widths: dict[int, int] = {}
        """The widths of the registers of these atoms."""
        self._known: dict[Source, LinearValue] = {}
        self._missing: list[tuple[Source, StatementContext]] = []

    # ------------------------------------------------------------------ questions

    def before(self, context: StatementContext, name: str) -> LinearValue | None:
        """The value of a register before a statement, modulo 2^width of the register; None if it is unknown."""
        source = self.sources.before(context, name) if width_of(context.visible(name)) else None
        return self.of(source, context) if source is not None else None

    def after(self, context: StatementContext, name: str) -> LinearValue | None:
        """The value of a register that a statement writes once it is executed."""
        source = self.sources.after(context, name) if width_of(context.visible(name)) else None
        return self.of(source, context) if source is not None else None

    def operand(self, context: StatementContext, operand: Operand) -> LinearValue | None:
        """The value of an operand of a statement: a constant, a register, or an address without its brackets."""
        found = self._operand(context, operand)
        return run_to_completion(self._finding_missing(context, operand)) if self._missing else found

    def finding_operand(self, context: StatementContext, operand: Operand) -> Generator[None, None, LinearValue | None]:
        """:meth:`operand` in steps of a few milliseconds."""
        found = self._operand(context, operand)
        return (yield from self._finding_missing(context, operand)) if self._missing else found

    def of(self, source: Source, context: StatementContext) -> LinearValue | None:
        """The value that a source left; ``context`` is a statement in whose scope its register has the same name."""
        return self._known[source] if source in self._known or self._solve(source, context) else None

    # ------------------------------------------------------------------ solving

    def _finding_missing(
        self, context: StatementContext, operand: Operand
    ) -> Generator[None, None, LinearValue | None]:
        """Find what an operand depends on, then its value."""
        missing, self._missing = self._missing, []
        for source, inside in missing:
            if not (yield from self._solving(source, inside)):
                return None
        found = self._operand(context, operand)
        is_known = not self._missing
        self._missing = []
        return found if is_known else None

    def _solve(self, wanted: Source, context: StatementContext) -> bool:
        return run_to_completion(self._solving(wanted, context))

    def _solving(self, wanted: Source, context: StatementContext) -> Generator[None, None, bool]:
        """Find the value that a source left, and of all that it depends on; False if these are too many."""
        waiting = [(wanted, context)]
        left = self._most
        for passed in count(1):
            if not waiting:
                break
            if not passed % _RESULTS_IN_A_STEP:
                yield
            source, inside = waiting[-1]
            if source in self._known:
                waiting.pop()
                continue
            value = self._result(source, inside)
            if self._missing:
                left -= 1
                if left < 0:
                    self._missing = []
                    return False
                waiting += self._missing
                self._missing = []
                continue
            self._known[source] = value
            waiting.pop()
        return True

    def _result(self, source: Source, context: StatementContext) -> LinearValue:
        """The value that a source left: an expression, else an atom."""
        found = None
        if isinstance(source, Write):
            context = StatementContext(context.module, context.function, source.chunk, source.statement)
            if source.is_sure:
                found = self._computed(context, source)
        if found is not None or self._missing:
            return found or constant(0)
        symbol = context.scope.lookup(register_name(source))
        width = width_of(symbol) or 64
        least, most = 0, (1 << width) - 1
        if isinstance(source, Write):
            least, most = _loaded_bounds(context.instruction, width)
        kind = AtomKind.RESULT if isinstance(source, Write) else AtomKind.MERGED
        value = self.atoms.value(Atom(kind, source, least, most))
        self.origins[value.terms[0][0]] = source
        self.widths[value.terms[0][0]] = width
        return value

    def _computed(self, context: StatementContext, source: Write) -> LinearValue | None:
        """The expression that an instruction leaves in a register; None if it is not followed."""
        tree = context.instruction
        if tree is None or len(tree.operands) < 2:
            return None
        result = tree.operands[0]
        if result.kind is OperandKind.VECTOR:
            at = _place_in(context, result, source)
        else:
            is_plain = result.kind is OperandKind.NAME and not result.selector and result.pair is None
            at = 0 if is_plain and context.word(result.name) == register_name(source) else None
        if at is None:
            return None
        width = width_of(context.visible(register_name(source)))
        if tree.opcode[0] == "ld":
            return self._parameter(context, tree, at, width)
        if result.kind is OperandKind.VECTOR:
            return self._unpacked(context, tree, at)
        if tree.opcode[0] == "cvta":
            return self._other_space(context, tree)
        types = integer_types(tree.opcode)
        if not types or (types[0][1] * (2 if ".wide" in tree.opcode else 1) < width and tree.opcode[0] != "cvt"):
            return None
        if tree.opcode[0] == "mov" and tree.operands[1].kind is OperandKind.VECTOR:
            return self._packed(context, tree.operands[1], types[0][1])
        values = []
        for operand in tree.operands[1:]:
            value = self._operand(context, operand)
            if value is None:
                return None
            values.append(value)
        found = result_of(tree.opcode, values, self.atoms)
        if found is None or tree.opcode[0] != "cvt" or types[0][1] >= width:
            return found
        # A conversion to fewer bits than the register has fills the rest by the type of the result.
        letter, narrow = types[0]
        return self.atoms.signed(found, narrow) if letter == "s" else self.atoms.unsigned(found, narrow)

    def _parameter(self, context: StatementContext, tree: Instruction, at: int, width: int) -> LinearValue | None:
        """The value that a ``ld.param`` reads of a parameter of the function itself; these do not change."""
        types = integer_types(tree.opcode)
        address = tree.operands[1]
        if not types or not any(word.startswith(".param") for word in tree.opcode[1:]):
            return None
        base = address.parts[0] if address.kind is OperandKind.ADDRESS and address.parts else None
        if base is None or base.kind is not OperandKind.NAME or base.indexed:
            return None
        symbol = context.visible(context.word(base.name))
        offset = evaluate(context.statement, base.offset) if base.offset is not None else 0
        if symbol is None or not _is_input(symbol) or not isinstance(offset, int):
            return None
        letter, bits = types[0]
        offset = (offset + (_WIDE >> 1)) % _WIDE - (_WIDE >> 1) + at * bits // 8
        found = self.atoms.value(Atom(AtomKind.PARAMETER, (symbol, offset, bits), 0, (1 << bits) - 1, is_fixed=True))
        return self.atoms.signed(found, bits) if letter == "s" and bits < width else found

    def _other_space(self, context: StatementContext, tree: Instruction) -> LinearValue | None:
        """``cvta``: generic addresses are those of a space moved by where its window begins; global ones are equal."""
        value = self._operand(context, tree.operands[1])
        spaces = [word for word in tree.opcode[1:] if word.split("::")[0] in catalogue().vocabulary.spaces]
        if value is None or len(spaces) != 1 or len(tree.operands) != 2:
            return None
        space = spaces[0].split("::")[0]
        if space == ".global":
            return value
        window = self.atoms.value(Atom(AtomKind.WINDOW, space, 0, _WIDE - 1, is_fixed=True))
        width = next((bits for _, bits in integer_types(tree.opcode)), 64)
        return combined(value, window, -1 if ".to" in tree.opcode else 1).reduced(width)

    def _packed(self, context: StatementContext, operand: Operand, width: int) -> LinearValue | None:
        """``mov.b64 %rd1, {%r1, %r2}``: the parts side by side."""
        part_width = width // len(operand.parts)
        found = constant(0)
        for place, part in enumerate(operand.parts):
            value = self._operand(context, part)
            if value is None:
                return None
            found = combined(found, self.atoms.unsigned(value, part_width), 1 << part_width * place)
        return found.reduced(width)

    def _unpacked(self, context: StatementContext, tree: Instruction, at: int) -> LinearValue | None:
        """``mov.b64 {%r1, %r2}, %rd1``: one of the parts."""
        types = integer_types(tree.opcode)
        if tree.opcode[0] != "mov" or not types or len(tree.operands) != 2:
            return None
        width = types[0][1]
        part_width = width // len(tree.operands[0].parts)
        value = self._operand(context, tree.operands[1])
        if value is None:
            return None
        moved = result_of(("shr", f".u{width}"), (value, constant(part_width * at)), self.atoms)
        return moved.reduced(part_width) if moved is not None else None

    # ------------------------------------------------------------------ operands

    def _operand(self, context: StatementContext, operand: Operand) -> LinearValue | None:
        """The value of an operand; sources that are not known yet are added to those that are missing."""
        inner = operand
        if operand.kind is not OperandKind.ADDRESS and not _is_plain_register(context, operand):
            number = evaluate(context.statement, operand)
            if number is not None:
                return constant(number) if isinstance(number, int) else None
        elif operand.kind is OperandKind.ADDRESS and len(operand.parts) == 1:
            inner = operand.parts[0]
        if inner.kind in (OperandKind.INTEGER, OperandKind.CONSTANT):
            number = evaluate(context.statement, inner)
            return constant(number) if isinstance(number, int) else None
        if inner.kind is not OperandKind.NAME or inner.name < 0 or inner.sign or inner.indexed or inner.pair:
            return None
        value = self._named(context, inner)
        if value is None or inner.offset is None:
            return value
        distance = evaluate(context.statement, inner.offset)
        return combined(value, constant(distance), 1) if isinstance(distance, int) else None

    def _named(self, context: StatementContext, operand: Operand) -> LinearValue | None:
        name = context.word(operand.name)
        symbol = context.visible(name)
        if symbol is None:
            return self._special("".join((name, *map(context.word, operand.selector)))) if name[:1] == "%" else None
        if operand.selector:
            return None
        if symbol.kind is SymbolKind.REGISTER:
            source = self.sources.before(context, name) if width_of(symbol) else None
            if source is None:
                return None
            if source not in self._known:
                self._missing.append((source, context))
                return None
            return self._known[source]
        if symbol.kind in (SymbolKind.VARIABLE, SymbolKind.PARAMETER) and symbol.space != ".reg":
            most = (_SHARED if symbol.space.startswith(".shared") else _WIDE) - 1
            return self.atoms.value(Atom(AtomKind.SYMBOL, symbol, 0, most, is_fixed=True))
        return None

    def _special(self, name: str) -> LinearValue | None:
        bounds = catalogue().vocabulary.rare.fixed_registers.get(name)
        return None if bounds is None else self.atoms.value(Atom(AtomKind.SPECIAL, name, *bounds, is_fixed=True))


def _is_plain_register(context: StatementContext, operand: Operand) -> bool:
    """Whether an operand is only the name of a register, by its first character: it is no constant expression."""
    is_name = operand.kind is OperandKind.NAME and operand.last - operand.first == 1
    return is_name and context.word(operand.first).startswith("%")


def width_of(symbol: Symbol | None) -> int:
    """The bits of a register that can hold an integer; 0 for anything else."""
    if symbol is None or symbol.kind is not SymbolKind.REGISTER or symbol.vector:
        return 0
    type_ = catalogue().vocabulary.types.get(symbol.type)
    width = bits_of(symbol.type) if type_ is not None and type_.kind in _INTEGERS else 0
    return width if width <= 64 else 0


def _is_input(symbol: Symbol) -> bool:
    """Whether a name is a parameter that a function is called with, not its result."""
    place = symbol.place
    head = place.chunk.statement(place.statement).shape.tree
    if symbol.kind is not SymbolKind.PARAMETER or not isinstance(head, FunctionHead):
        return False
    return any(one.first <= place.token < one.last for one in head.parameters or ())


def _place_in(context: StatementContext, result: Operand, source: Write) -> int | None:
    """The place of a register in a vector of results, if it is there once."""
    names = [context.word(part.name) if part.name >= 0 else "" for part in result.parts]
    return names.index(register_name(source)) if names.count(register_name(source)) == 1 else None


def _loaded_bounds(tree: Instruction | None, width: int) -> tuple[int, int]:
    """The least and the greatest value that an instruction may leave in a register of some bits."""
    types = integer_types(tree.opcode) if tree is not None and tree.opcode[0] == "ld" else []
    if types and tree is not None and tree.guard is None:
        letter, bits = types[0]
        if bits < width and letter != "s":
            return 0, (1 << bits) - 1
    return 0, (1 << width) - 1
