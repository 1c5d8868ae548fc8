"""Statements one small change away from one that the manual lists."""

from __future__ import annotations

import random
import re
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence

from benchmarks.certification.gates import fits, samples_of
from benchmarks.certification.packing import answers
from benchmarks.certification.plan import neighbour_modules
from benchmarks.certification.releases import Release
from benchmarks.certification.table import Question, Table
from benchmarks.certification.writing import Writer, can_be_declared
from ptx_lsp.isa.build.samples import Sample
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.match import accepts, match
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.gate import AcceptancePolicy
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version

_REGISTERS = [
    ActualOperand("register", name)
    for name in (".pred .b8 .b16 .b32 .b64 .f32 .f64 .u32 .s32 .u64 .s64 .u16 .f16 .f16x2 .b128").split()
]
_HELD = frozenset(register.type for register in _REGISTERS)
_OTHERS = [
    *(ActualOperand("integer", value=value) for value in (5, 1, -1, 100)),
    ActualOperand("float", ".f64", value=2.0),
    ActualOperand("float", ".f32", value=2.0),
    ActualOperand("sink"),
    ActualOperand("special", ".u32"),
    ActualOperand("label"),
    ActualOperand("function"),
    ActualOperand("texref"),
    ActualOperand("variable", ".b8", space=".shared"),
    ActualOperand("variable", ".b8", space=".global"),
    *(
        ActualOperand("address", parts=(base,))
        for base in (
            ActualOperand("register", ".b64"),
            ActualOperand("register", ".b32"),
            *(ActualOperand("variable", ".b8", space=space) for space in (".shared", ".global", ".const", ".local")),
        )
    ),
    ActualOperand("vector", parts=(ActualOperand("register", ".b32"), ActualOperand("register", ".b32"))),
    ActualOperand("vector", parts=(ActualOperand("register", ".f32"),)),
    ActualOperand("register", ".pred", sign="!"),
    ActualOperand("register", ".b32", sign="-"),
]
_KINDS = (
    "drop",
    "add",
    "add own",
    "replace",
    "replace by own",
    "double",
    "swap",
    "type",
    "type",
    "type and registers",
    "type and registers",
    "register",
    "register",
    "register",
    "other",
    "operand dropped",
    "operand added",
    "operands swapped",
    "element",
    "offset",
)


def ask_neighbours(
    instructions: Sequence[InstructionPage], release: Release, *, per_page: int, each: int, seed: int, jobs: int
) -> Table:
    """Change samples of every page and compare, mostly in modules where the sample itself is right."""
    chance = random.Random(seed)
    maker = _Maker(chance)
    table = Table()
    asked: dict[tuple[Version, str], list[Question]] = defaultdict(list)
    modules = neighbour_modules(release.newest)
    for instruction in instructions:
        forms = sum(map(len, instruction.prepared.values()))
        found = samples_of(instruction, release, chance, max(6, 4 * per_page // forms))
        samples = [sample for sample in found if _is_documented(sample)]
        chance.shuffle(samples)
        for sample in samples[: 4 * per_page]:
            good = [module for module in modules if fits(sample, *module, release)] or modules
            for kind, changed in maker.neighbours(sample, instruction, each):
                version, target = chance.choice(good if chance.random() < 0.8 else modules)
                statement = Writer().statement(changed.opcode, changed.operands)
                if not can_be_declared(statement, version, Target.parse(target)):
                    continue
                ours = fits(changed, version, target, release)
                start = time.perf_counter()
                match.__wrapped__(changed.opcode, changed.operands, version, Target.parse(target))
                table.times.append(time.perf_counter() - start)
                asked[version, target].append(Question(instruction.names[0], kind, statement, ours))
    for (version, target), questions in asked.items():
        verdicts = answers(questions, str(version), target, release.path, jobs)
        table.add(questions, verdicts, str(version), target)
    return table


def _is_documented(sample: Sample) -> bool:
    """Whether it is not ptxas alone that takes a sample."""
    opcode, operands, module = sample
    return accepts(opcode, operands, module.version, module.target, AcceptancePolicy.LATEST)


class _Maker:
    """Makes neighbours by chance."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        order = catalogue().shared.order
        self._types = [word for word, name in order.items() if name == "type"]
        words = {word for instruction in catalogue().instructions for word in _qualifiers(instruction)}
        self._pool = [*sorted(word for word in words if not re.match(r"\.m64n", word)), ".m64n8k16"]

    def neighbours(self, sample: Sample, instruction: InstructionPage, count: int) -> Iterator[tuple[str, Sample]]:
        """Up to ``count`` changed statements, each with the kind of its change."""
        text = "".join(sample.opcode)
        name = max((name for name in instruction.names if (text + ".").startswith(name + ".")), key=len, default="")
        own = _qualifiers(instruction)
        for _ in range(count):
            kind = self._chance.choice(_KINDS)
            opcode, operands = list(sample.opcode), list(sample.operands)
            if self._change(kind, opcode, operands, name.count(".") + 1, own):
                changed = Sample(tuple(opcode), tuple(operands), sample.module)
                if changed != sample:
                    yield kind, changed

    def _change(self, kind: str, opcode: list[str], operands: list[ActualOperand], first: int, own: list[str]) -> bool:
        if kind in ("register", "other", "operand dropped", "operand added", "operands swapped", "element", "offset"):
            return self._change_operands(kind, operands)
        chance = self._chance
        places = range(first, len(opcode))
        if kind in ("add", "add own"):
            opcode.insert(
                chance.randint(first, len(opcode)), chance.choice(self._pool if kind == "add" else own or [".x"])
            )
        elif kind in ("type", "type and registers"):
            typed = [at for at in places if opcode[at] in self._types]
            if not typed:
                return False
            at = chance.choice(typed)
            old, opcode[at] = opcode[at], chance.choice(self._types)
            if kind == "type and registers":
                register = _register_for(opcode[at])
                operands[:] = (_with_registers(operand, _register_for(old), register) for operand in operands)
        elif kind == "swap":
            if len(places) < 2:
                return False
            at = chance.choice(places[:-1])
            opcode[at], opcode[at + 1] = opcode[at + 1], opcode[at]
        elif not places:
            return False
        else:
            at = chance.choice(places)
            if kind == "drop":
                del opcode[at]
            elif kind == "double":
                opcode.insert(at, opcode[at])
            else:
                opcode[at] = chance.choice(self._pool if kind == "replace" else own)
        return True

    def _change_operands(self, kind: str, operands: list[ActualOperand]) -> bool:
        chance = self._chance
        if kind == "operand added":
            operands.insert(chance.randint(0, len(operands)), chance.choice([*_REGISTERS[:8], _OTHERS[1]]))
            return True
        if not operands:
            return False
        at = chance.randrange(len(operands))
        if operands[at].kind == "arguments":
            return False  # what is passed to a function is judged where it is declared, not on the page of call
        if kind == "operand dropped":
            del operands[at]
        elif kind == "operands swapped":
            if len(operands) < 2:
                return False
            at = min(at, len(operands) - 2)
            operands[at], operands[at + 1] = operands[at + 1], operands[at]
        elif kind == "element":
            parts = operands[at].parts
            if operands[at].kind != "vector" or len(parts) < 2:
                return False
            operands[at] = operands[at]._replace(parts=parts[:-1] if chance.random() < 0.5 else (*parts, parts[0]))
        elif kind == "offset":
            addresses = [at for at, operand in enumerate(operands) if operand.kind == "address"]
            if not addresses:
                return False
            at = chance.choice(addresses)
            base, *others = operands[at].parts
            operands[at] = operands[at]._replace(parts=(base._replace(offset=True), *others))
        else:
            new = chance.choice(_REGISTERS if kind == "register" else _OTHERS)
            operands[at] = _replace_one(operands[at], new, chance)
        return True


def _replace_one(operand: ActualOperand, new: ActualOperand, chance: random.Random) -> ActualOperand:
    """Replace an operand, or one of its parts, deep inside."""
    if operand.parts:
        at = chance.randrange(len(operand.parts))
        parts = list(operand.parts)
        parts[at] = _replace_one(parts[at], new, chance)
        return operand._replace(parts=tuple(parts))
    if operand.pair is not None and chance.random() < 0.5:
        return operand._replace(pair=new)
    return new._replace(pair=operand.pair, selector=operand.selector)


def _register_for(name: str) -> str:
    """The type of the registers that samples have for values of a type: an untyped one unless it is a float."""
    holder = catalogue().shared.holders.get(name, name)
    return f".b{holder[2:]}" if holder[1:2] in ("u", "s") else holder


def _with_registers(operand: ActualOperand, old: str, new: str) -> ActualOperand:
    """An operand whose registers of one type have another one, so that they go with a changed type of the opcode."""
    parts = tuple(_with_registers(part, old, new) for part in operand.parts)
    pair = _with_registers(operand.pair, old, new) if operand.pair is not None else None
    fits_old = operand.kind == "register" and operand.type == old and new in _HELD
    return operand._replace(parts=parts, pair=pair, type=new if fits_old else operand.type)


def _qualifiers(instruction: InstructionPage) -> list[str]:
    """Every qualifier of an instruction that is not very long."""
    return sorted(
        {word for forms in instruction.prepared.values() for form in forms for word in form.homes if len(word) < 40}
    )
