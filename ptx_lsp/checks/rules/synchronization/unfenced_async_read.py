"""W817 unfenced-async-read."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.symbolic.linear_values import LinearValue
from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazard, AsyncHazards
from ptx_lsp.analysis.synchronization.async_paths import Arrival, Verdict
from ptx_lsp.analysis.synchronization.async_work import work_until
from ptx_lsp.analysis.synchronization.barriers import COUNTS_BYTES
from ptx_lsp.analysis.synchronization.before_and_after import After
from ptx_lsp.analysis.synchronization.kernel import Kernel, opcodes_of
from ptx_lsp.analysis.synchronization.meeting_accesses import Meeting
from ptx_lsp.analysis.synchronization.memory_locations import MemoryLocation
from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.analysis.synchronization.path_values import PathValues
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.insertion import insert_after_another
from ptx_lsp.isa.model.ordering import TENSOR_MAPS, THREADS, Verb
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import first
from ptx_lsp.syntax.tree import OperandKind

RULE = warning("W817")
_FENCE = (Verb.FENCES, "async")
_OTHER_FENCES = ((Verb.FENCES, TENSOR_MAPS),)
_SIZE_OF_MAP = 128
_READERS_IN_A_STEP = 64
_LEAST_MATRIX = 128
"""A matrix in shared memory has at least so many bytes."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """Stores to shared memory that a bulk copy or a tensor core reads without a proxy fence between them.

    Bulk copies, `wgmma` and `tcgen05` read shared memory through the async proxy; stores of threads use the generic
    proxy. A barrier alone does not order the two: `fence.proxy.async` does. Without it they may read the old contents.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 16 .b8 tile[4096];
    st.shared.b32 [tile], %r1;
    bar.sync 0;
    cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 4096;
    // <--- warning[W817]: no 'fence.proxy.async' between the stores to shared memory (line 8) and this read
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 0;
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 16 .b8 tile[4096];
    st.shared.b32 [tile], %r1;
    fence.proxy.async.shared::cta;
    bar.sync 0;
    cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 4096;
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 0;
    ret;
    ```

    **Fixes offered:** insert the fence after the last store.

    ---

    Each thread that stores must execute the fence, before the barrier. Reported if some path leads from a store to the
    read without a fence between them, and the store writes what is read: the addresses are compared for the first
    thread of the CTA, also that of a matrix descriptor and those of stages in a loop. Where addresses are not known, a
    fence anywhere before the read is enough; without any, the same variable counts, and for `wgmma` and `tcgen05` any
    store if only stores can have written shared memory. A `tensormap.replace`, or a store to the same place, writes a
    tensor map and counts only if the copy begins there. Not reported in functions, in kernels that call functions which
    may take part, and in bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    found = (yield from _copy_of_stores(kernel)) or _product_of_stores(kernel)
    if found is None:
        hazard = yield from _read_on_a_path(kernel)
        found = None if hazard is None else (hazard.use, hazard.operation)
    if found is not None:
        reader, store = found
        message = f"no 'fence.proxy.async' between the stores to shared memory{HERE} and this read"
        places = (RelatedPlace(store.place, "this store"),)
        fix = insert_after_another(kernel.context(store), "fence.proxy.async.shared::cta;")
        finding = RULE.at(kernel.context(reader).opcode_span(), message).fixed_elsewhere(fix)
        yield PlacedFinding(reader.place, finding.related_to(*places))


def _read_on_a_path(kernel: Kernel) -> Generator[None, None, AsyncHazard | None]:
    """The first read of what a store writes on a path without a fence between the two, if both addresses are known."""
    readers = _readers(kernel)
    writes = yield from kernel.facts.finding_shared_accesses(Verb.WRITES)
    stores = [step for step in writes if _is_generic_store(kernel, step)]
    if not readers or not stores:
        return None
    meets = Meeting(kernel, Verb.READS, Verb.WRITES)
    hazards = AsyncHazards(kernel, work_until(stores, kernel.facts.steps(Verb.FENCES, "async")))

    def is_read(store: Step, arrival: Arrival, values: PathValues) -> bool:
        return meets.is_met_by_earlier(store, arrival, values, _LEAST_MATRIX)

    def may_be_read(store: Step, reader: Step) -> bool:
        return _has_descriptor(kernel, reader) or meets.may_meet(reader, store)

    return (yield from first(hazards.accessing(readers, may_be_read, lambda *_: Verdict.FOUND, is_read)))


def _readers(kernel: Kernel) -> list[Step]:
    """The instructions that read through the async proxy."""
    return [step for step in kernel.facts.steps(Verb.PROXY, "async") if kernel.facts.roles(step, Verb.READS)]


def _is_generic_store(kernel: Kernel, step: Step) -> bool:
    """Whether a thread itself writes to shared memory through the generic proxy."""
    facts = kernel.facts
    return facts.find(step, Verb.PROXY, "async") is None and facts.find(step, Verb.STARTS, "bytes") is None


def _copy_of_stores(kernel: Kernel) -> Generator[None, None, tuple[Step, Step] | None]:
    """A bulk copy out of a variable that threads store to, and the last of these stores."""
    after_stores: dict[_Source, After] = {}
    for number, step in enumerate(_readers(kernel), 1):
        if not number % _READERS_IN_A_STEP:
            yield
        place = kernel.spot(step, "srcMem")
        if place is None or kernel.is_before(step, _FENCE, *_OTHER_FENCES):
            continue
        source = _Source(place, kernel.constant(step, "size"))
        if source not in after_stores:
            stores = [one for one in _all_stores(kernel) if _stores_to(kernel, one, source)]
            after_stores[source] = After(kernel.graph, stores)
        if step in after_stores[source]:  # only then one is sought, the nearest
            earlier = kernel.steps.before(step)
            return step, next(one for one in earlier if _stores(kernel, one) and _stores_to(kernel, one, source))
    return None


class _Source(NamedTuple):
    """The memory that a copy reads."""

    place: MemoryLocation
    size: int | None
    """The number of bytes; None if it is not known."""


def _stores_to(kernel: Kernel, store: Step, source: _Source) -> bool:
    """Whether a store surely goes to the variable that a copy reads, and nothing shows that it goes to another part."""
    is_map = _is_map(kernel, store)
    for spot in _addresses(kernel, store):
        if spot is None or spot.variable is not source.place.variable:
            continue
        if spot.offset is None or source.place.offset is None:
            if not is_map:
                return True
            continue
        distance = spot.offset - source.place.offset
        if distance == 0 or (distance > 0 and not is_map and (source.size is None or distance < source.size)):
            return True
    return False


def _product_of_stores(kernel: Kernel) -> tuple[Step, Step] | None:
    """A product, or copy to Tensor Memory, of matrices that only threads can have stored; the last store before."""
    readers = [step for step in _readers(kernel) if _has_descriptor(kernel, step)]
    if not readers or any(COUNTS_BYTES in opcode for opcode in opcodes_of(kernel)):
        return None
    after_stores = After(kernel.graph, [one for one in _all_stores(kernel) if not _is_map(kernel, one)])
    for step in readers:
        if step in after_stores and not kernel.is_before(step, _FENCE, *_OTHER_FENCES):
            return step, next(
                one for one in kernel.steps.before(step) if _stores(kernel, one) and not _is_map(kernel, one)
            )
    return None


def _has_descriptor(kernel: Kernel, step: Step) -> bool:
    return kernel.operand(step, "a-desc", "b-desc", "s-desc") is not None


def _is_map(kernel: Kernel, store: Step) -> bool:
    """Whether a store writes a field of a tensor map, or its first bytes for the first thread; a map is no tile."""
    if (Verb.MODIFIES, TENSOR_MAPS) in possible_facts(store.opcode):
        return True
    made = [_first_address(kernel, step) for step in kernel.facts.steps(Verb.MODIFIES, TENSOR_MAPS)]
    own = _first_address(kernel, store) if made else None
    distances = (own.distance(one) for one in made if one is not None) if own is not None else ()
    return any(distance is not None and 0 <= distance < _SIZE_OF_MAP for distance in distances)


def _first_address(kernel: Kernel, step: Step) -> LinearValue | None:
    """The address that a store has on all paths for the first thread that may execute it."""
    values = kernel.threads.values_at(step)
    operand = kernel.operand(step, *kernel.facts.roles(step, Verb.WRITES))
    return None if values is None or operand is None else values.on_any_path(step, operand)


def _all_stores(kernel: Kernel) -> list[Step]:
    return [step for step in kernel.facts.shared_accesses(Verb.WRITES) if _stores(kernel, step)]


def _stores(kernel: Kernel, step: Step) -> bool:
    """Whether a thread itself writes to shared memory here, and nothing that it reads there."""
    facts = possible_facts(step.opcode)
    if (Verb.WRITES, "") not in facts or not any(word.startswith(".shared") for word in step.opcode):
        return False
    return (Verb.ORDERS, THREADS) not in facts and _is_generic_store(kernel, step)


def _addresses(kernel: Kernel, step: Step) -> Iterator[MemoryLocation | None]:
    """The places in shared memory that the operands in brackets name."""
    tree = kernel.context(step).instruction
    for operand in () if tree is None else tree.operands:
        if operand.kind is OperandKind.ADDRESS:
            yield kernel.places.of(step, operand)
