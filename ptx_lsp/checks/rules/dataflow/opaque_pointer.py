"""W638 opaque-pointer."""

# ruff: noqa: ARG002  (all domains of addresses have one signature, whatever they need of it)

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.addresses import KEEPS_ADDRESS, AddressWalk
from ptx_lsp.analysis.dataflow.fact_propagation import FactPropagation, step_at
from ptx_lsp.analysis.dataflow.registers import name_of
from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.analysis.synchronization.ordering_facts import facts_of
from ptx_lsp.checks.support.finding import HERE, Finding, PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.mismatches import mnemonic
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.shape import SHAPES, Shape
from ptx_lsp.syntax.tree import Operand, OperandKind

RULE = warning("W638")
_OBJECTS = {".texref": "texture", ".samplerref": "sampler", ".surfref": "surface"}
"""The types of objects that only instructions for textures and surfaces access."""
_ARITHMETIC = ("isa/arithmetic/", "isa/logic/")
"""The pages of instructions whose results are other numbers than their operands."""
_MOST_STEPS = 64
_USERS_IN_A_STEP = 64


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """Arithmetic with the address of a texture, sampler or surface, or an ordinary access through it.

    Where such an object lies and how large it is, is hidden. The address can be copied, stored, loaded, passed, and used
    by instructions for textures and surfaces. A sum of it and a distance is the address of nothing, also in an array.

    ```ptx
    //- sm_80 ptx 7.0 module
    .global .texref picture;
    .visible .entry kernel(.param .u64 out)
    {
        .reg .f32 %f<5>;
        .reg .b32 %r<2>;
        .reg .b64 %rd<4>;
        ld.param.u64 %rd1, [out];
        mov.u32 %r1, %tid.x;
        mov.u64 %rd2, picture;
        add.s64 %rd3, %rd2, 8;
    //                ^^^^ warning[W638]: '%rd2' is the address of the texture 'picture' (line 13), with which 'add' makes no valid address
        tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd3, {%r1}];
        st.global.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};
        ret;
    }
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module
    .global .texref picture;
    .global .texref next;
    .visible .entry kernel(.param .u64 out)
    {
        .reg .f32 %f<5>;
        .reg .b32 %r<2>;
        .reg .b64 %rd<4>;
        ld.param.u64 %rd1, [out];
        mov.u32 %r1, %tid.x;
        mov.u64 %rd3, next;
        tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd3, {%r1}];
        st.global.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};
        ret;
    }
    ```

    ---

    Reported if the register holds such an address on all paths, be it of one object or of several; the second round of
    a loop that moves it is another path. Not reported in functions without an instruction for textures or surfaces, and
    if the address comes from memory or from a caller. PTX ISA, "Texture Sampler and Surface Types".
    """  # noqa: E501 (a caret line carries its message)
    if not flow.graph.is_whole:
        return
    makers = []
    for found in _makers(flow):
        if found is None:
            yield None
            continue
        makers.append((found, True))
        yield from _moved_by_constant(flow, found)
    if not makers:
        return
    pointers = _OpaquePointers(flow.steps, _MOST_STEPS)
    spread = FactPropagation[bool](flow.steps, flow.sets)
    for _ in spread.spreading(makers, lambda shape: shape.opcode[0] in KEEPS_ADDRESS):
        yield None
    for count, (number, statement, _) in enumerate(spread.users()):
        if not count % _USERS_IN_A_STEP:
            yield None
        step = flow.steps.at(number, statement)
        context = flow.steps.context(step)
        for operand, verb in _uses(context):
            name = context.word(operand.name)
            register = next((one for one in step.reads if name_of(one) == name), None)
            pointer = pointers.held(step, register) if register is not None else None
            if pointer is not None:
                beside = RelatedPlace(pointer.origin.place, f"'{name}' gets its address here")
                found_here = _finding(context, operand, name, pointer, verb)
                yield PlacedFinding(step.place, found_here.related_to(beside))


class _Pointer(NamedTuple):
    """The address of an object."""

    variable: Symbol
    origin: Step
    """The instruction that names it."""
    is_one_of_several: bool = False
    """Whether a choice or a path may bring the address of another object."""


class _OpaquePointers(AddressWalk[_Pointer]):
    """Addresses of opaque objects, through copies."""

    def of_variable(self, variable: Symbol, step: Step) -> _Pointer | None:
        """The address of an opaque object."""
        return _Pointer(variable, step) if variable.type in _OBJECTS else None

    def moved(self, address: _Pointer, step: Step, distance: Operand, sign: int) -> _Pointer:
        """It is reported where it is moved, and further uses are, too."""
        return address

    def join(self, one: _Pointer, other: _Pointer) -> _Pointer | None:
        """The first one; it may be that of the other object as well."""
        is_known = one.variable is other.variable and not other.is_one_of_several
        return one if is_known else one._replace(is_one_of_several=True)

    def computed(self, step: Step, register: str) -> _Pointer | None:
        """The address that an instruction copies; arithmetic makes none."""
        if step.guarded or _is_arithmetic(self.steps.context(step)):
            return None
        return super().computed(step, register)


def _makers(flow: Flow) -> Iterator[Step | None]:
    """The instructions that name an opaque object as a value."""
    for chunk in flow.function.chunks:
        wanted = {number for number in set(chunk.shapes) if _may_name(SHAPES[number])}
        yield None
        for index in (at for at, number in enumerate(chunk.shapes) if number in wanted):
            if _names_object(flow, chunk, index):
                step = step_at(flow.graph, flow.steps, chunk, index)
                if step is not None and not step.guarded:
                    yield step


def _may_name(shape: Shape) -> bool:
    return shape.opcode[:1] != () and shape.opcode[0] in KEEPS_ADDRESS and any(not prefix for _, prefix in shape.names)


def _names_object(flow: Flow, chunk: Chunk, index: int) -> bool:
    statement = chunk.statement(index)
    scope = flow.module.scope_of(chunk, index)
    found = (scope.lookup(statement.word(token)) for token, prefix in statement.shape.names if not prefix)
    return any(one is not None and one.type in _OBJECTS for one in found)


def _moved_by_constant(flow: Flow, step: Step) -> Iterator[PlacedFinding]:
    """A constant that is added to the name of an object."""
    context = flow.steps.context(step)
    for operand in context.instruction.operands[1:] if context.instruction is not None else ():
        variable = context.symbols.get(operand.name)
        if operand.offset is not None and variable is not None and variable.type in _OBJECTS:
            what = f"the {_OBJECTS[variable.type]} '{variable.name}'{HERE}"
            message = f"the address of {what} plus a constant is no valid address"
            yield PlacedFinding(step.place, RULE.at(context.operand_span(operand), message).explained_by(variable))


def _uses(context: StatementContext) -> Iterator[tuple[Operand, Verb | None]]:
    """The registers with which an instruction calculates, or through which it reads or writes memory."""
    tree, match = context.instruction, context.match
    if tree is None or match is None or not match.fits:
        return
    if _is_arithmetic(context):
        yield from ((one, None) for one in tree.operands[1:] if one.kind is OperandKind.NAME and one.name >= 0)
        return
    facts = facts_of(match, tree.opcode)
    verbs = {name: fact.verb for fact in facts if fact.verb in (Verb.READS, Verb.WRITES) for name in fact.operands}
    for role, operand in zip(match.roles, tree.operands, strict=False):
        if operand.kind is OperandKind.ADDRESS and role in verbs and operand.parts and operand.parts[0].name >= 0:
            yield operand.parts[0], verbs[role]


def _is_arithmetic(context: StatementContext) -> bool:
    match = context.match
    return match is not None and match.instruction.path.startswith(_ARITHMETIC)


def _finding(context: StatementContext, operand: Operand, name: str, pointer: _Pointer, verb: Verb | None) -> Finding:
    variable, others = pointer.variable, " or of another one" if pointer.is_one_of_several else ""
    what = f"'{name}' is the address of the {_OBJECTS[variable.type]} '{variable.name}'{HERE}{others}"
    if verb is None:
        message = f"{what}, with which '{mnemonic(context)}' makes no valid address"
    else:
        message = f"{what}; '{mnemonic(context)}' may not access such an object"
    return RULE.at(context.span(operand.name), message)
