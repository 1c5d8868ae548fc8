"""Symbols of the right kind used in a forbidden role.

Examples: a return parameter that is read, a jump to a label of a list.

Source: PTX ISA, "Function Declarations and Definitions", "Parameter State Space", "Control Flow
Instructions"; measured with ptxas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.gate import Need
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind


class MisuseKind(Enum):
    """The kinds of uses of a name that its role forbids."""

    WRITTEN = "written"
    """``st.param`` to a parameter of the function."""
    READ = "read"
    """``ld.param`` of a return parameter."""
    ADDRESS = "address"
    """The address of a local ``.param`` variable."""
    GUARDED = "guarded"
    """A predicated access to such a variable."""
    ENTRY_ONLY = "entry only"
    """``.param::entry`` of such a variable."""
    FUNCTION_ONLY = "function only"
    """``.param::func`` of a parameter of a kernel."""
    ENTRY_BEFORE = "entry before"
    """``ENTRY_ONLY`` in a module of a version with which some releases of ptxas accept it."""
    FUNCTION_BEFORE = "function before"
    """``FUNCTION_ONLY`` in such a module."""
    NO_PLACE = "no place"
    """A jump to a label that is not of a statement."""
    NO_LIST = "no list"
    """``brx.idx`` through something else than a ``.branchtargets`` list."""


class RoleMisuse(NamedTuple):
    """A misuse with the token of the name."""

    kind: MisuseKind
    token: int


LISTED = {".branchtargets": "label", ".calltargets": "function"}
"""The required operand kind of the names in a list of targets."""
Meanings = Callable[[int], ActualOperand]
"""Returns the operand meaning of the name at a token."""
FIRST_LOCAL_PARAM = Version(2, 0)
"""Before this version, a local ``.param`` variable was a parameter of the kernel."""
_FIRST_WITH_SIDES = Version(9, 1)
"""Since this version all releases of ptxas distinguish ``::entry`` from ``::func``; those before CUDA 13.1 did not."""
_ADDRESS_OF = frozenset({"mov", "cvta"})


def role_misuses(tree: Instruction, meaning: Meanings, version: Version) -> Iterator[RoleMisuse]:
    """The names in an instruction that are used in a forbidden role."""
    mnemonic = tree.opcode[0]
    if mnemonic == "bra" and tree.operands:
        target = tree.operands[0]
        written = meaning(target.name)
        if written.kind == "label" and (written.role or target.offset is not None):
            yield RoleMisuse(MisuseKind.NO_PLACE, target.name)
    elif mnemonic == "brx" and tree.operands:
        written = meaning(tree.operands[-1].name)
        if written.kind == "label" and written.role != ".branchtargets":
            yield RoleMisuse(MisuseKind.NO_LIST, tree.operands[-1].name)
    elif mnemonic in ("ld", "st"):
        yield from _of_access(tree, meaning, version)
    elif mnemonic in _ADDRESS_OF and version >= FIRST_LOCAL_PARAM:
        for operand in tree.operands[1:]:
            is_plain = operand.kind is OperandKind.NAME and operand.offset is None  # ptxas accepts 'p+4'
            if is_plain and meaning(operand.name).role == "argument":
                yield RoleMisuse(MisuseKind.ADDRESS, operand.name)


def _of_access(tree: Instruction, meaning: Meanings, version: Version) -> Iterator[RoleMisuse]:
    space = next((word for word in tree.opcode if word.startswith(".param")), None)
    is_load = tree.opcode[0] == "ld"
    if space is None or len(tree.operands) <= is_load:
        return
    token = accessed_name(tree.operands[is_load])
    role = meaning(token).role
    is_distinguished = version >= _FIRST_WITH_SIDES
    if is_load and role == "result":
        yield RoleMisuse(MisuseKind.READ, token)
    elif not is_load and role in ("parameter", "kernel parameter"):
        yield RoleMisuse(MisuseKind.WRITTEN, token)
    elif role == "argument" and version >= FIRST_LOCAL_PARAM:
        if space == ".param::entry" and is_load:
            yield RoleMisuse(MisuseKind.ENTRY_ONLY if is_distinguished else MisuseKind.ENTRY_BEFORE, token)
        elif tree.guard is not None and space != ".param::entry":
            yield RoleMisuse(MisuseKind.GUARDED, token)
    elif role == "kernel parameter" and space == ".param::func":
        yield RoleMisuse(MisuseKind.FUNCTION_ONLY if is_distinguished else MisuseKind.FUNCTION_BEFORE, token)


def accessed_name(operand: Operand) -> int:
    """The name token that an address begins with, or -1."""
    if operand.kind is OperandKind.ADDRESS and operand.parts:
        operand = operand.parts[0]
    return operand.name


def role_needs(
    tree: Instruction, meaning: Meanings, version: Version, target: Target
) -> Iterator[tuple[int, str, Need]]:
    """The unavailable kinds of addresses: token, description, and unmet requirement."""
    if tree.opcode[0] not in _ADDRESS_OF:
        return
    features = catalogue().vocabulary.features
    for operand in tree.operands[1:]:
        if operand.kind is not OperandKind.NAME:
            continue
        written = meaning(operand.name)
        is_kernel = written.kind == "function" and written.role == ".entry"
        name = "kernel address" if is_kernel else "result address" if written.role == "result" else None
        need = features[name].gate.why_not(version, target) if name is not None else None
        if name is not None and need is not None:
            yield operand.name, features[name].words, need
