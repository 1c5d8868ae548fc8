"""W824 unfenced-tensor-map."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.checks.support.insertion import insert_before
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.model.ordering import TENSOR_MAPS, Verb
from ptx_lsp.syntax.tree import OperandKind

RULE = warning("W824")
_FENCE = "fence.proxy.tensormap::generic"


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A tensor-map that is modified and then used by a copy without a proxy fence between them.

    `tensormap.replace` writes through the generic proxy; copies read the tensor-map through the tensormap proxy, and
    may see the old contents, or a mixture of old and new.

    ```ptx
    //- sm_90a ptx 8.3
    .shared .align 128 .b8 tile[4096];
    tensormap.replace.tile.global_address.global.b1024.b64 [%rd1], %rd2;
    cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%rd1, {%r1}], [tile];
    // <--- warning[W824]: no 'fence.proxy.tensormap::generic' after the tensor-map was modified
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 0;
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_90a ptx 8.3
    .shared .align 128 .b8 tile[4096];
    tensormap.replace.tile.global_address.global.b1024.b64 [%rd1], %rd2;
    fence.proxy.tensormap::generic.release.gpu;
    fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;
    cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%rd1, {%r1}], [tile];
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 0;
    ret;
    ```

    **Fixes offered:** insert both fences, on the assumption that one thread modifies the tensor-map and copies.

    ---

    `tensormap.cp_fenceproxy` is such a fence, too. One such fence anywhere before the copy is enough for this rule. Not
    reported in functions, in kernels that call functions which may take part, and in bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    if not kernel.facts.has(Verb.MODIFIES, TENSOR_MAPS):
        return
    for step in kernel.facts.steps(Verb.PROXY, TENSOR_MAPS):
        is_modified = kernel.is_before(step, (Verb.MODIFIES, TENSOR_MAPS))
        if is_modified and not kernel.is_before(step, (Verb.FENCES, TENSOR_MAPS)):
            message = "no 'fence.proxy.tensormap::generic' after the tensor-map was modified"
            context = kernel.context(step)
            yield PlacedFinding(step.place, RULE.at(context.opcode_span(), message, fixes=_fixes(context)))
            return


def _fixes(context: StatementContext) -> tuple[Fix, ...]:
    """The fence that makes this thread's change known, and the one that makes copies look at the map again."""
    tree = context.instruction
    addresses = [one for one in tree.operands if one.kind is OperandKind.ADDRESS] if tree is not None else []
    maps = [one.parts[0] for one in addresses if len(one.parts) > 1 and one.parts[1].kind is OperandKind.VECTOR]
    if len(maps) != 1:
        return ()
    acquire = f"{_FENCE}.acquire.gpu [{context.text_of(maps[0])}], 128;"
    (edit,) = insert_before(context, acquire).edits
    (earlier,) = insert_before(context, f"{_FENCE}.release.gpu;").edits
    return (Fix("insert both fences before this", (Edit(edit.span, earlier.text + edit.text),)),)
