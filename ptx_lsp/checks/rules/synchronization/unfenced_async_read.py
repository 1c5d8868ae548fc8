"""W817 unfenced-async-read."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Generator, Iterator
from math import inf

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.symbolic.linear_values import LinearValue
from ptx_lsp.analysis.symbols.symbols import Symbol
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
from ptx_lsp.stepwise import chosen, collected, first
from ptx_lsp.syntax.tree import OperandKind

RULE = warning("W817")
_FENCE = (Verb.FENCES, "async")
_OTHER_FENCES = ((Verb.FENCES, TENSOR_MAPS),)
_SIZE_OF_MAP = 128
_READERS_IN_A_STEP = 64
_MAPS_IN_A_STEP = 16
_MOST_PAIRS = 20_000
"""So many pairs of a copy and a store to what it reads are compared."""
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
    maps = _Maps(kernel)
    found = (yield from _copy_of_stores(kernel, maps)) or (yield from _product_of_stores(kernel, maps))
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
    generic = chosen(lambda step: _is_generic_store(kernel, step), writes)
    stores = yield from collected(generic)
    if not readers or not stores:
        return None
    meets = Meeting(kernel, Verb.READS, Verb.WRITES)
    hazards = AsyncHazards(kernel, work_until(stores, kernel.facts.steps(Verb.FENCES, "async")))

    def is_read(store: Step, arrival: Arrival, values: PathValues) -> bool:
        return meets.is_met_by_earlier(store, arrival, values, _LEAST_MATRIX)

    described = {(step.node, step.statement) for step in readers if _has_descriptor(kernel, step)}

    def may_be_read(store: Step, reader: Step) -> bool:
        return (reader.node, reader.statement) in described or meets.may_meet(reader, store)

    return (yield from first(hazards.accessing(readers, may_be_read, lambda *_: Verdict.FOUND, is_read)))


def _readers(kernel: Kernel) -> list[Step]:
    """The instructions that read through the async proxy."""
    return [step for step in kernel.facts.steps(Verb.PROXY, "async") if kernel.facts.roles(step, Verb.READS)]


def _is_generic_store(kernel: Kernel, step: Step) -> bool:
    """Whether a thread itself writes to shared memory through the generic proxy."""
    facts = kernel.facts
    return facts.find(step, Verb.PROXY, "async") is None and facts.find(step, Verb.STARTS, "bytes") is None


def _copy_of_stores(kernel: Kernel, maps: _Maps) -> Generator[None, None, tuple[Step, Step] | None]:
    """A bulk copy out of a variable that threads store to, and the last of these stores."""
    stores: _Stores | None = None
    found: dict[_Source, tuple[Step, ...]] = {}
    left = _MOST_PAIRS
    for number, step in enumerate(_readers(kernel), 1):
        if not number % _READERS_IN_A_STEP:
            yield
        place = kernel.spot(step, "srcMem")
        if place is None or kernel.is_before(step, _FENCE, *_OTHER_FENCES):
            continue
        if stores is None:
            stores = _Stores(kernel)
            yield from stores.finding(maps)
        if step not in stores.after(place.variable):
            continue
        source = _Source(place, kernel.constant(step, "size"))
        if source not in found:
            found[source] = tuple(stores.to(source))
        for one in found[source]:
            left -= 1
            if left < 0:
                return None
            if kernel.leads(one, step):  # only then one is sought, the nearest
                earlier, known = kernel.steps.before(step), {*found[source]}
                return step, next(one for one in earlier if one in known)
    return None


class _Source(NamedTuple):
    """The memory that a copy reads."""

    place: MemoryLocation
    size: int | None
    """The number of bytes; None if it is not known."""


class _Stored(NamedTuple):
    """A place that a store writes for sure."""

    offset: int | None
    step: Step
    is_map: bool


class _Stores:
    """The stores of threads by the variables that they surely write."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._of: dict[Symbol, list[_Stored]] = {}
        """Those at unknown offsets first, then by offset."""
        self._after: dict[Symbol, After] = {}

    def finding(self, maps: _Maps) -> Iterator[None]:
        """Find them, in steps of a few milliseconds."""
        yield from maps.finding()
        for step in _all_stores(self._kernel):
            yield
            if step is None:
                continue
            is_map = maps.has(step)
            for spot in _addresses(self._kernel, step):
                if spot is not None:
                    self._of.setdefault(spot.variable, []).append(_Stored(spot.offset, step, is_map))
        for stores in self._of.values():
            stores.sort(key=_offset)

    def after(self, variable: Symbol) -> After:
        """All that can be executed after one of the stores to a variable."""
        if variable not in self._after:
            stores = self._of.get(variable, [])
            self._after[variable] = After(self._kernel.graph, [one.step for one in stores])
        return self._after[variable]

    def to(self, source: _Source) -> Iterator[Step]:
        """The stores to what a copy reads, as far as nothing shows that they go to another part of the variable."""
        stores, start = self._of.get(source.place.variable, []), source.place.offset
        for one in stores:
            if start is not None and one.offset is not None:
                break
            if not one.is_map:
                yield one.step
        if start is None:
            return
        for at in range(bisect_left(stores, float(start), key=_offset), len(stores)):
            _, step, is_map = stores[at]
            distance = _offset(stores[at]) - start
            if source.size is not None and distance >= max(source.size, 1):
                break
            if not distance or not is_map:
                yield step


def _offset(store: _Stored) -> float:
    return -inf if store.offset is None else store.offset


def _product_of_stores(kernel: Kernel, maps: _Maps) -> Generator[None, None, tuple[Step, Step] | None]:
    """A product, or copy to Tensor Memory, of matrices that only threads can have stored; the last store before."""
    readers = [step for step in _readers(kernel) if _has_descriptor(kernel, step)]
    if not readers or any(COUNTS_BYTES in opcode for opcode in opcodes_of(kernel)):
        return None
    yield from maps.finding()
    stores: list[Step] = []
    for one in _all_stores(kernel):
        yield
        if one is not None and not maps.has(one):
            stores.append(one)
    after_stores = After(kernel.graph, stores)
    for step in readers:
        if step in after_stores and not kernel.is_before(step, _FENCE, *_OTHER_FENCES):
            known = {*stores}
            return step, next(one for one in kernel.steps.before(step) if one in known)
    return None


def _has_descriptor(kernel: Kernel, step: Step) -> bool:
    return kernel.operand(step, "a-desc", "b-desc", "s-desc") is not None


class _Maps:
    """The tensor maps that a kernel makes; a map is no tile."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._starts: dict[object, list[int]] = {}
        """The first bytes of maps whose fields are written, by what varies in their addresses."""
        self._are_found = False

    def finding(self) -> Iterator[None]:
        """Find them, in steps of a few milliseconds."""
        if self._are_found:
            return
        for number, step in enumerate(self._kernel.facts.steps(Verb.MODIFIES, TENSOR_MAPS), 1):
            if not number % _MAPS_IN_A_STEP:
                yield
            address = _first_address(self._kernel, step)
            if address is not None:
                self._starts.setdefault(address.terms, []).append(address.number)
        for numbers in self._starts.values():
            numbers.sort()
        self._are_found = True

    def has(self, store: Step) -> bool:
        """Whether a store writes a field of a tensor map, or its first bytes for the first thread."""
        if (Verb.MODIFIES, TENSOR_MAPS) in possible_facts(store.opcode):
            return True
        own = _first_address(self._kernel, store) if self._starts else None
        numbers = self._starts.get(own.terms, []) if own is not None else []
        at = bisect_right(numbers, own.number) if own is not None else 0
        return at > 0 and own is not None and own.number - numbers[at - 1] < _SIZE_OF_MAP


def _first_address(kernel: Kernel, step: Step) -> LinearValue | None:
    """The address that a store has on all paths for the first thread that may execute it."""
    values = kernel.threads.values_at(step)
    operand = kernel.operand(step, *kernel.facts.roles(step, Verb.WRITES))
    return None if values is None or operand is None else values.on_any_path(step, operand)


def _all_stores(kernel: Kernel) -> Iterator[Step | None]:
    """The stores of threads to shared memory, in the order of the text; None is a pause."""
    writes = yield from kernel.facts.finding_shared_accesses(Verb.WRITES)
    yield from chosen(lambda step: _stores(kernel, step), writes)


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
