"""The checks: a rule a file. This list is the table of contents.

A rule file holds ``RULE`` and one or more of ``check(context)`` for one statement, ``check_function(function)``,
``check_module(module)``, ``check_flow(flow)`` and ``check_fragment(fragment)``. The docstring of the first of these
is the page that ``ptx-lsp explain`` prints. ``check`` gets the statements that the analysis flags, and those that the
rule asks for with ``accepts_shape(shape)``. :class:`~ptx_lsp.checks.support.check.Check` names all hooks.
A rule file is imported when there is something to ask it about, which in most texts is so for few.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cache
from importlib import import_module
from types import MappingProxyType

from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.checks.support.check import Check
from ptx_lsp.isa.model.ordering import BYTES, CLUSTER, GRIDS, LANES, PHASE, REGISTERS, TENSOR_MAPS, TENSOR_MEMORY, Verb
from ptx_lsp.process_cache import memoized


class When(Enum):
    """When a rule is asked, if it is not about certain instructions."""

    ALWAYS = 1
    """In each text: it has ``check_module``, ``accepts_shape``, or ``check_flow`` for functions of all kinds."""
    FLAGGED = 2
    """For flagged statements, and functions with a faulty head or braces: all its hooks are about those."""
    EMBEDDED = 3
    """For statements of inline assembly in sources of other languages."""
    OPERANDS = 4
    """In each text as ``ALWAYS``, but its ``check_flow`` only for functions with an instruction that has operands."""
    LISTS = 5
    """As ``EMBEDDED``, but only for statements that have operands or clobbers, or refer to some."""


ALWAYS, FLAGGED, EMBEDDED, OPERANDS, LISTS = When
_IN_EACH_TEXT = (ALWAYS, OPERANDS)
Concern = tuple[Verb, str] | str
"""A property of opcodes: a fact about order, by its verb and object, or a qualifier."""


def _about(*concerns: Concern) -> frozenset[Concern]:
    """A rule that has only ``check_flow``, for functions with an instruction that may have one of these."""
    return frozenset(concerns)


def _facts(*verbs: Verb, of: Iterable[str] = ("",)) -> tuple[Concern, ...]:
    return tuple((verb, what) for what in of for verb in verbs)


_READS, _WRITES = (Verb.READS, ""), (Verb.WRITES, "")
_REGISTERS = _facts(Verb.RAISES, Verb.LOWERS, of=[REGISTERS])
_CLUSTER = _facts(Verb.ARRIVES, Verb.WAITS, of=[CLUSTER])
_TENSOR_MAPS = _facts(Verb.MODIFIES, Verb.FENCES, Verb.PROXY, of=[TENSOR_MAPS])
_PHASES = (
    *_facts(Verb.INITIALIZES, Verb.INVALIDATES, Verb.ARRIVES, Verb.WAITS, of=[PHASE]),
    *_facts(Verb.EXPECTS, Verb.ARRIVES, of=[BYTES]),
)
_WORK = (Verb.STARTS, Verb.COMMITS, Verb.COMPLETES, Verb.WAITS, Verb.FENCES)
_COPIES = _facts(*_WORK, of=["copies", "bulk-copies", BYTES])
_PRODUCTS = _facts(*_WORK, of=["products"])
_TENSOR_MEMORY = (*_facts(*_WORK, of=sorted(TENSOR_MEMORY)), *_facts(Verb.ALLOCATES, Verb.FREES, Verb.RELINQUISHES))
_MULTICAST = (".multicast::cluster", ".multicast::cluster::16b", ".multicast::cluster::32b")
_IMAGES = (".1d", ".2d", ".3d", ".a1d", ".a2d", ".cube", ".acube", ".2dms", ".a2dms")
_PACKED = (*_PRODUCTS, *_TENSOR_MEMORY, ".sp", ".sp::ordered_metadata")

RULES: MappingProxyType[str, When | frozenset[Concern]] = MappingProxyType(
    {
        "syntax.missing_token": FLAGGED,
        "syntax.stray_character": FLAGGED,
        "syntax.malformed_number": FLAGGED,
        "syntax.unclosed": ALWAYS,
        "syntax.split_opcode": FLAGGED,
        "syntax.misplaced_statement": FLAGGED,
        "syntax.unknown_directive": FLAGGED,
        "syntax.non_ascii": FLAGGED,
        "target.module_header": ALWAYS,
        "syntax.syntax_error": FLAGGED,
        "directives.debug_data": ALWAYS,
        "directives.source_location": ALWAYS,
        "directives.file_number": ALWAYS,
        "directives.misused_pragma": ALWAYS,
        "directives.unknown_language": ALWAYS,
        "declarations.constant_bank": ALWAYS,
        "names.undeclared_name": FLAGGED,
        "names.duplicate_name": ALWAYS,
        "names.undeclared_label": FLAGGED,
        "names.wrong_scope": FLAGGED,
        "names.wrong_symbol": FLAGGED,
        "names.inconsistent_declaration": ALWAYS,
        "names.alias": ALWAYS,
        "names.undefined_function": ALWAYS,
        "instructions.unknown_instruction": FLAGGED,
        "instructions.unknown_qualifier": FLAGGED,
        "instructions.missing_qualifier": FLAGGED,
        "instructions.conflicting_qualifiers": FLAGGED,
        "instructions.duplicate_qualifier": FLAGGED,
        "instructions.qualifier_order": FLAGGED,
        "operands.operand_count": FLAGGED,
        "operands.operand_kind": ALWAYS,
        "operands.operand_type": FLAGGED,
        "operands.operand_value": ALWAYS,
        "operands.vector_length": FLAGGED,
        "operands.guard_predicate": FLAGGED,
        "operands.declared_type": ALWAYS,
        "operands.call_arguments": FLAGGED,
        "operands.narrow_address": FLAGGED,
        "declarations.variable_space": ALWAYS,
        "declarations.array_size": ALWAYS,
        "declarations.alignment": ALWAYS,
        "declarations.initial_value": ALWAYS,
        "declarations.initial_shape": ALWAYS,
        "declarations.variable_linkage": ALWAYS,
        "declarations.attribute_place": ALWAYS,
        "declarations.differing_declarations": ALWAYS,
        "declarations.parameter_declaration": FLAGGED,
        "declarations.parameter_size": FLAGGED,
        "operands.parameter_use": FLAGGED,
        "directives.head_directive": FLAGGED,
        "declarations.missing_body": FLAGGED,
        "declarations.missing_label": FLAGGED,
        "operands.constant_expression": ALWAYS,
        "declarations.constant_memory": ALWAYS,
        "operands.unified_operand": ALWAYS,
        "target.newer_version": ALWAYS,
        "target.newer_target": FLAGGED,
        "target.removed_feature": FLAGGED,
        "target.unknown_version": ALWAYS,
        "target.unknown_target": ALWAYS,
        "target.version_target": ALWAYS,
        "target.target_option": ALWAYS,
        "target.texture_mode": ALWAYS,
        "instructions.meaningless_qualifier": FLAGGED,
        "instructions.doubled_qualifier": FLAGGED,
        "syntax.non_ascii_comment": FLAGGED,
        "target.release_dependent": FLAGGED,
        "directives.unknown_pragma": ALWAYS,
        "directives.missing_file": ALWAYS,
        "directives.ignored_directive": ALWAYS,
        "target.ignored_suffix": ALWAYS,
        "suspicious.wide_literal": ALWAYS,
        "suspicious.unlikely_value": OPERANDS,
        "suspicious.misaligned_access": OPERANDS,
        "suspicious.out_of_bounds": OPERANDS,
        "directives.launch_limits": ALWAYS,
        "declarations.shared_memory": OPERANDS,
        "dataflow.uninitialized_register": OPERANDS,
        "dataflow.maybe_uninitialized": OPERANDS,
        "dataflow.unused_result": OPERANDS,
        "dataflow.unused_declaration": ALWAYS,
        "dataflow.unreachable_code": ALWAYS,
        "dataflow.missing_call": _about(_READS),
        "dataflow.missing_return": ALWAYS,
        "dataflow.divergent_barrier": OPERANDS,
        "dataflow.wrong_space_address": OPERANDS,
        "values.truncated_address": _about(".u32", ".s32", ".b32"),
        "values.shared_race": _about(_WRITES),
        "values.weak_polling": _about(_READS),
        "values.member_mask": _about((Verb.WAITS, LANES)),
        "values.stale_load": _about(".nc"),
        "values.register_budget": _about(*_REGISTERS),
        "directives.used_bytes_mask": ALWAYS,
        "dataflow.unpassed_argument": _about(".param", ".param::func", (Verb.CALLS, "")),
        "suspicious.missing_unified": ALWAYS,
        "suspicious.unified_write": ALWAYS,
        "dataflow.opaque_pointer": _about(*_IMAGES),
        "values.narrow_scope": _about(".cta"),
        "descriptors.illegal_field": _about(*_PACKED),
        "descriptors.conflicting_fields": _about(*_PACKED),
        "descriptors.foreign_descriptor": _about(*_PACKED),
        "synchronization.unawaited_copy": _about(*_COPIES, *_PHASES),
        "synchronization.uncommitted_copy": _about(*_COPIES),
        "synchronization.unfenced_wgmma": _about(*_PRODUCTS),
        "synchronization.uncommitted_wgmma": _about(*_PRODUCTS),
        "synchronization.unawaited_wgmma": _about(*_PRODUCTS),
        "synchronization.uninitialized_mbarrier": _about(*_COPIES, *_PHASES),
        "synchronization.unexpected_bytes": _about(*_COPIES, *_PHASES),
        "synchronization.wrong_parity": _about(*_PHASES),
        "synchronization.unawaited_bulk_copy": _about(*_COPIES),
        "synchronization.unfreed_tensor_memory": _about(*_TENSOR_MEMORY),
        "synchronization.kept_alloc_permit": _about(*_TENSOR_MEMORY),
        "synchronization.tensor_memory_columns": _about(*_TENSOR_MEMORY),
        "synchronization.unawaited_tensor_load": _about(*_TENSOR_MEMORY),
        "synchronization.uncommitted_tensor_work": _about(*_TENSOR_MEMORY),
        "synchronization.unawaited_tensor_store": _about(*_TENSOR_MEMORY),
        "synchronization.mixed_cta_groups": _about(*_TENSOR_MEMORY),
        "synchronization.unfenced_async_read": _about(*_COPIES, *_TENSOR_MEMORY, *_PRODUCTS),
        "synchronization.unbounded_registers": _about(*_REGISTERS),
        "synchronization.register_bound": _about(*_REGISTERS),
        "synchronization.unfenced_mbarrier": _about(*_PHASES),
        "synchronization.ignored_wait": _about(*_PHASES),
        "synchronization.unpaired_cluster_barrier": _about(*_CLUSTER),
        "synchronization.unsynchronized_cluster": _about((Verb.MAPS, "")),
        "synchronization.unfenced_tensor_map": _about(*_TENSOR_MAPS),
        "mbarriers.unsignaled_mbarrier": _about(*_PHASES),
        "mbarriers.reinitialized_mbarrier": _about(*_PHASES),
        "mbarriers.overwritten_mbarrier": _about(*_PHASES),
        "mbarriers.unpublished_mbarrier": _about(*_PHASES),
        "mbarriers.inverted_wait": _about(*_PHASES),
        "mbarriers.wrong_byte_count": _about(*_COPIES),
        "mbarriers.ring_parity": _about(*_PHASES),
        "mbarriers.circular_wait": _about(*_PHASES),
        "mbarriers.arrival_count": _about(*_PHASES),
        "mbarriers.unknown_pending_count": _about(".pending_count"),
        "tensor_memory.late_allocation": _about(*_TENSOR_MEMORY),
        "tensor_memory.deallocated_columns": _about(*_TENSOR_MEMORY),
        "tensor_memory.repeated_allocation": _about(*_TENSOR_MEMORY),
        "tensor_memory.undefined_accumulator": _about(*_TENSOR_MEMORY),
        "tensor_memory.unpipelined_pair": _about(*_TENSOR_MEMORY),
        "barriers.cluster_barrier_order": _about(*_CLUSTER),
        "barriers.barrier_count": _about(".arrive"),
        "barriers.same_destination": _about(*_COPIES),
        "barriers.early_access": _about((Verb.WAITS, GRIDS)),
        "barriers.unfinished_write": _about(*_COPIES),
        "tensor_memory.excessive_allocation": _about(*_TENSOR_MEMORY),
        "tensor_memory.outside_allocation": _about(*_TENSOR_MEMORY),
        "tensor_memory.empty_collector": _about((Verb.STARTS, "tensor-work")),
        "tensor_memory.freed_columns": _about(*_TENSOR_MEMORY),
        "tensor_memory.missing_peer": _about(*_TENSOR_MEMORY),
        "barriers.missing_cta": _about((Verb.MAPS, ""), *_MULTICAST),
        "values.partial_warpgroup": _about((Verb.STARTS, "products")),
        "mbarriers.accessed_mbarrier": _about((Verb.INITIALIZES, PHASE)),
        "tensor_memory.unfenced_access": _about(*_TENSOR_MEMORY),
        "tensor_memory.repeated_issue": _about(*_TENSOR_MEMORY, *_COPIES),
        "tensor_memory.overwritten_matrix": _about((Verb.STARTS, "products"), (Verb.STARTS, "tensor-work")),
        "barriers.overwritten_source": _about(*_facts(Verb.STARTS, of=["copies", BYTES])),
        "tensor_memory.unshifted_matrix": _about((Verb.STARTS, "products"), (Verb.STARTS, "tensor-work")),
        "tensor_memory.foreign_lanes": _about(*_facts(Verb.STARTS, of=["tensor-loads", "tensor-stores"])),
        "target.unneeded_header": ALWAYS,
        "style.deprecated_spelling": ALWAYS,
        "style.documented_order": ALWAYS,
        "suspicious.no_effect": ALWAYS,
        "embedded.operand_number": LISTS,
        "embedded.operand_modifier": LISTS,
        "embedded.doubled_percent": EMBEDDED,
        "embedded.constraint_letter": LISTS,
        "embedded.constraint_modifier": LISTS,
        "embedded.clobber": LISTS,
        "embedded.unfinished_template": EMBEDDED,
        "embedded.unused_operand": LISTS,
        "embedded.unwritten_output": LISTS,
        "embedded.outside_braces": EMBEDDED,
        "embedded.missing_memory": EMBEDDED,
        "embedded.bare_percent": LISTS,
        "embedded.missing_comma": LISTS,
    }
)
"""The rule files below ``rules``, in the order in which they are asked."""


@cache
def _check(rule: str) -> Check:
    return Check.of(import_module(f"{__name__}.rules.{rule}"))


@cache
def always_asked() -> tuple[Check, ...]:
    """The checks that each text is shown to."""
    return tuple(_check(rule) for rule, when in RULES.items() if when in _IN_EACH_TEXT)


@cache
def asked_when_flagged() -> tuple[Check, ...]:
    """The checks of flagged statements and faulty functions, among them those that are always asked."""
    return tuple(_check(rule) for rule, when in RULES.items() if when in (*_IN_EACH_TEXT, FLAGGED))


_FOR_MISTAKES = (
    "difflib",
    "ptx_lsp.analysis.module.same_marks",
    "ptx_lsp.analysis.statements.constant_types",
    "ptx_lsp.isa.misspelt",
    "ptx_lsp.isa.matching.solve",
    "ptx_lsp.isa.matching.texture_brackets",
    "ptx_lsp.isa.matching.texture_operands",
    "ptx_lsp.isa.diagnosis.repair",
    "ptx_lsp.isa.diagnosis.operand_reasons",
    "ptx_lsp.isa.diagnosis.gate_reasons",
    "ptx_lsp.isa.diagnosis.meant_form",
    "ptx_lsp.isa.diagnosis.reasons",
    "ptx_lsp.syntax.errors",
)
"""The modules that checks of flagged statements import when they first need them, imported ones before others."""


def importing() -> Iterator[None]:
    """Import what checks flagged statements before a statement is flagged, a module in a step: together 30 ms."""
    for rule, when in RULES.items():
        if when in (*_IN_EACH_TEXT, FLAGGED):
            _check(rule)
            yield
    for module in _FOR_MISTAKES:
        import_module(module)
        yield


@cache
def fragment_checks() -> tuple[Check, ...]:
    """The checks of inline assembly."""
    return tuple(_check(rule) for rule, when in RULES.items() if when in (EMBEDDED, LISTS))


def concerns_of(opcodes: Iterable[tuple[str, ...]]) -> frozenset[Concern]:
    """The properties of some opcodes, of all that rules are only about."""
    return frozenset().union(*map(_concerns, opcodes))


@memoized(1024)
def _concerns(opcode: tuple[str, ...]) -> frozenset[Concern]:
    return _DECIDING.intersection((*possible_facts(opcode), *opcode[1:]))


_DECIDING: frozenset[Concern] = frozenset().union(*(when for when in RULES.values() if not isinstance(when, When)))
"""The facts and qualifiers of the instructions that some rules are only about."""

ASYNCHRONOUS: frozenset[Concern] = frozenset(
    (*_COPIES, *_PHASES, *_PRODUCTS, *_TENSOR_MEMORY, *_REGISTERS, *_CLUSTER, *_TENSOR_MAPS, (Verb.MAPS, ""))
)
"""The facts of the instructions that the rules about asynchronous work are about."""
_OF_KERNELS = ASYNCHRONOUS | {(Verb.WAITS, GRIDS), ".arrive"}
"""The properties of those that the rules about all that a kernel does are about: barriers too."""


def is_about_kernels(check: Check) -> bool:
    """Whether a check asks about all that a kernel does: it is about asynchronous work or barriers."""
    when = RULES[check.name.removeprefix(f"{__name__}.rules.")]
    return not isinstance(when, When) and not when.isdisjoint(_OF_KERNELS)


@memoized(256)
def flow_checks(concerns: frozenset[Concern], *, operands: bool = True) -> tuple[Check, ...]:
    """The checks of the flow through a function whose instructions have some properties, by :func:`concerns_of`.

    Args:
        concerns: the properties.
        operands: whether one of the instructions has operands, or an error.

    """
    always = _IN_EACH_TEXT if operands else (ALWAYS,)
    asked = (rule for rule, when in RULES.items() if (when in always if isinstance(when, When) else concerns & when))
    return tuple(check for check in map(_check, asked) if check.check_flow is not None)


@cache
def all_checks() -> tuple[Check, ...]:
    """All checks, by code; their files are imported."""
    return tuple(map(_check, RULES))
