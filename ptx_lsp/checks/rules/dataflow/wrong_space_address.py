"""W627 wrong-space-address."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.address_spaces import space_of
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.flow_wording import name_of
from ptx_lsp.checks.support.mismatches import mnemonic, would_do
from ptx_lsp.checks.support.word_order import is_documented
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.syntax.tree import OperandKind

_OPCODES = frozenset({"ld", "ldu", "st", "atom", "red", "ldmatrix", "stmatrix", "mbarrier"})
RULE = warning("W627")


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A generic address where the address in a state space is expected, or the other way round.

    `mov.u64 %rd1, tile;` puts the address of `tile` in its state space into the register; `cvta.shared` converts it to
    a generic address. Instructions with a state space expect the first, instructions without one the second.

    ```ptx
    //- sm_80 ptx 7.0 flow
    .shared .b32 tile[32];
    mov.u64 %rd1, tile;
    cvta.shared.u64 %rd2, %rd1;
    ld.shared.b32 %r1, [%rd2];
    //                  ^^^^ warning[W627]: '%rd2' is generic (line 9); 'ld.shared' expects an address in .shared
    ld.b32 %r2, [%rd1];
    //           ^^^^ warning[W627]: '%rd1' is an address in .shared (line 8); 'ld' expects a generic address ('cvta.shared')
    // ptxas: accepts it
    st.shared.v2.b32 [%rd1], {%r1, %r2};
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 flow
    .shared .b32 tile[32];
    mov.u64 %rd1, tile;
    cvta.shared.u64 %rd2, %rd1;
    ld.shared.b32 %r1, [%rd1];
    ld.b32 %r2, [%rd2];
    st.shared.v2.b32 [%rd1], {%r1, %r2};
    ret;
    ```

    **Fixes offered:** the state space of the address in the register.

    ---

    Reported only if it is true on all paths to the instruction. In `.global` both kinds of address are the same number.
    """  # noqa: E501 (a caret line carries its message)
    if not flow.has(_OPCODES) or not flow.has(_MAKERS) or not flow.graph.is_whole:
        return
    for one in flow.addresses.doubtful(_OPCODES, _is_wrong):
        if one is None:
            yield None
            continue
        step, register, address = one
        context = flow.steps.context(step)
        token = _address(context)
        if token is not None and context.word(token) == name_of(register):
            message = _message(context.word(token), address.space, space_of(step.opcode), mnemonic(context))
            beside = RelatedPlace(address.origin.place, f"'{context.word(token)}' gets its address here")
            fixes = _fixes(context, address.space)
            yield PlacedFinding(step.place, RULE.at(context.span(token), message, fixes=fixes).related_to(beside))


_MAKERS = frozenset({"cvta", "mov"})


def _is_wrong(opcode: tuple[str, ...], space: str, within: str) -> bool:
    """Whether an instruction cannot use an address in ``within`` that counts from ``space``, or is generic if empty."""
    if any(word.startswith(".param") for word in opcode):
        return False
    wanted = space_of(opcode)
    return space != wanted and not (within == ".global" and wanted in ("", ".global"))


def _fixes(context: StatementContext, held: str) -> tuple[Fix, ...]:
    """The instruction for the kind of address that the register holds."""
    tree, match = context.instruction, context.match
    if tree is None or match is None:
        return ()
    opcode, wanted = tree.opcode, space_of(tree.opcode)
    at = next((at for at, word in enumerate(opcode) if wanted and word.startswith(wanted)), None)
    if at is not None:
        others = [(*opcode[:at], *((held,) if held else ()), *opcode[at + 1 :])]
    else:
        others = [(*opcode[:place], held, *opcode[place:]) for place in range(1, len(opcode) + 1)]
    for other in others:
        right = "".join(other)
        edit = Edit(context.opcode_span(), right)
        if would_do(context, edit) and is_documented(other):
            return (Fix(f"write '{right}'", (edit,)),)
    return ()


def _address(context: StatementContext) -> int | None:
    """The token of the register in the only address of an instruction."""
    tree = context.instruction
    brackets = [one for one in tree.operands if one.kind is OperandKind.ADDRESS] if tree is not None else []
    if len(brackets) != 1 or not brackets[0].parts or brackets[0].parts[0].name < 0:
        return None
    return brackets[0].parts[0].name


def _message(name: str, held: str, wanted: str, opcode: str) -> str:
    """The message about an address where one in the space ``wanted``, or a generic one, should be."""
    needed = f"an address in {wanted}" if wanted else f"a generic address ('cvta{held}')"
    return f"'{name}' is {f'an address in {held}' if held else 'generic'}{HERE}; '{opcode}{wanted}' expects {needed}"
