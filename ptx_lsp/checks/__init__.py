"""The checks: a rule a file. This list is the table of contents.

A rule file holds ``RULE`` and one or more of ``check(context)`` for one statement, ``check_function(function)``,
``check_module(module)``, ``check_flow(flow)`` and ``check_fragment(fragment)``. The docstring of the first of these
is the page that ``ptx-lsp explain`` prints. ``check`` gets the statements that the analysis flags, and those that the
rule asks for with ``accepts_shape(shape)``. :class:`~ptx_lsp.checks.support.check.Check` names all hooks.

A rule file is imported when there is something to ask it about: in most texts the analysis flags no statement, and
few instructions have rules of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cache, lru_cache
from importlib import import_module
from types import MappingProxyType

from ptx_lsp.checks.support.check import Check


class When(Enum):
    """When a rule is asked, if it is not about certain instructions."""

    ALWAYS = 1
    """In each text: it has ``check_module``, ``accepts_shape``, or ``check_flow`` for functions of all kinds."""
    FLAGGED = 2
    """For flagged statements, and for functions with a faulty head or faulty braces: it has only ``check``,
    ``check_function`` and ``merge_group``."""
    EMBEDDED = 3
    """For statements of inline assembly in sources of other languages."""


ALWAYS, FLAGGED, EMBEDDED = When


def _with(*words: str) -> frozenset[str]:
    """A rule that has only ``check_flow``, for functions with one of these words in the opcode of an instruction."""
    return frozenset(words)


RULES: MappingProxyType[str, When | frozenset[str]] = MappingProxyType(
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
        "suspicious.unlikely_value": ALWAYS,
        "suspicious.misaligned_access": ALWAYS,
        "suspicious.out_of_bounds": ALWAYS,
        "directives.launch_limits": ALWAYS,
        "declarations.shared_memory": ALWAYS,
        "dataflow.uninitialized_register": ALWAYS,
        "dataflow.maybe_uninitialized": ALWAYS,
        "dataflow.unused_result": ALWAYS,
        "dataflow.unused_declaration": ALWAYS,
        "dataflow.unreachable_code": ALWAYS,
        "dataflow.missing_call": _with("ld"),
        "dataflow.missing_return": ALWAYS,
        "dataflow.divergent_barrier": ALWAYS,
        "dataflow.wrong_space_address": ALWAYS,
        "values.truncated_address": _with("cvt"),
        "values.shared_race": _with("st"),
        "values.weak_polling": _with("ld"),
        "values.member_mask": _with("bar", "match", "redux", "shfl", "vote"),
        "values.stale_load": _with(".nc"),
        "values.register_budget": _with("setmaxnreg"),
        "descriptors.illegal_field": _with("mma", "tcgen05", "wgmma"),
        "descriptors.conflicting_fields": _with("mma", "tcgen05", "wgmma"),
        "descriptors.foreign_descriptor": _with("mma", "tcgen05", "wgmma"),
        "synchronization.unawaited_copy": _with("clusterlaunchcontrol", "cp", "mbarrier"),
        "synchronization.uncommitted_copy": _with("cp"),
        "synchronization.unfenced_wgmma": _with("wgmma"),
        "synchronization.uncommitted_wgmma": _with("wgmma"),
        "synchronization.unawaited_wgmma": _with("wgmma"),
        "synchronization.uninitialized_mbarrier": _with("clusterlaunchcontrol", "cp", "mbarrier"),
        "synchronization.unexpected_bytes": _with("clusterlaunchcontrol", "cp", "mbarrier"),
        "synchronization.wrong_parity": _with("mbarrier"),
        "synchronization.unawaited_bulk_copy": _with("cp"),
        "synchronization.unfreed_tensor_memory": _with("tcgen05"),
        "synchronization.kept_alloc_permit": _with("tcgen05"),
        "synchronization.tensor_memory_columns": _with("tcgen05"),
        "synchronization.unawaited_tensor_load": _with("tcgen05"),
        "synchronization.uncommitted_tensor_work": _with("tcgen05"),
        "synchronization.unawaited_tensor_store": _with("tcgen05"),
        "synchronization.mixed_cta_groups": _with("tcgen05"),
        "synchronization.unfenced_async_read": _with("cp", "tcgen05", "wgmma"),
        "synchronization.unbounded_registers": _with("setmaxnreg"),
        "synchronization.register_bound": _with("setmaxnreg"),
        "synchronization.unfenced_mbarrier": _with("mbarrier"),
        "synchronization.ignored_wait": _with("mbarrier"),
        "synchronization.unpaired_cluster_barrier": _with("barrier"),
        "synchronization.unsynchronized_cluster": _with("mapa"),
        "synchronization.unfenced_tensor_map": _with("tensormap"),
        "mbarriers.unsignaled_mbarrier": _with("mbarrier"),
        "mbarriers.reinitialized_mbarrier": _with("mbarrier"),
        "mbarriers.overwritten_mbarrier": _with("mbarrier"),
        "mbarriers.unpublished_mbarrier": _with("mbarrier"),
        "mbarriers.inverted_wait": _with("mbarrier"),
        "mbarriers.wrong_byte_count": _with("cp"),
        "mbarriers.ring_parity": _with("mbarrier"),
        "mbarriers.circular_wait": _with("mbarrier"),
        "mbarriers.arrival_count": _with("mbarrier"),
        "tensor_memory.late_allocation": _with("tcgen05"),
        "tensor_memory.deallocated_columns": _with("tcgen05"),
        "tensor_memory.repeated_allocation": _with("tcgen05"),
        "tensor_memory.undefined_accumulator": _with("tcgen05"),
        "tensor_memory.unpipelined_pair": _with("tcgen05"),
        "barriers.cluster_barrier_order": _with("barrier"),
        "barriers.barrier_count": _with(".arrive"),
        "barriers.same_destination": _with("cp"),
        "barriers.early_access": _with("griddepcontrol"),
        "barriers.unfinished_write": _with("cp"),
        "target.unneeded_header": ALWAYS,
        "style.deprecated_spelling": ALWAYS,
        "style.documented_order": ALWAYS,
        "suspicious.no_effect": ALWAYS,
        "embedded.operand_number": EMBEDDED,
        "embedded.operand_modifier": EMBEDDED,
        "embedded.doubled_percent": EMBEDDED,
        "embedded.constraint_letter": EMBEDDED,
        "embedded.constraint_modifier": EMBEDDED,
        "embedded.clobber": EMBEDDED,
        "embedded.unfinished_template": EMBEDDED,
        "embedded.unused_operand": EMBEDDED,
        "embedded.unwritten_output": EMBEDDED,
        "embedded.outside_braces": EMBEDDED,
        "embedded.missing_memory": EMBEDDED,
        "embedded.bare_percent": EMBEDDED,
        "embedded.missing_comma": EMBEDDED,
    }
)
"""The rule files below ``rules``, in the order in which they are asked."""


@cache
def _check(rule: str) -> Check:
    return Check.of(import_module(f"{__name__}.rules.{rule}"))


@cache
def always_asked() -> tuple[Check, ...]:
    """The checks that each text is shown to."""
    return tuple(_check(rule) for rule, when in RULES.items() if when is ALWAYS)


@cache
def asked_when_flagged() -> tuple[Check, ...]:
    """The checks of flagged statements and faulty functions, among them those that are always asked."""
    return tuple(_check(rule) for rule, when in RULES.items() if when in (ALWAYS, FLAGGED))


def importing() -> Iterator[None]:
    """Import the checks of flagged statements before a statement is flagged, one in a step: together 20 ms."""
    for rule, when in RULES.items():
        if when in (ALWAYS, FLAGGED):
            _check(rule)
            yield


@cache
def fragment_checks() -> tuple[Check, ...]:
    """The checks of inline assembly."""
    return tuple(_check(rule) for rule, when in RULES.items() if when is EMBEDDED)


def flow_checks(words: frozenset[str]) -> tuple[Check, ...]:
    """The checks of the flow through a function with some words in the opcodes of its instructions."""
    return _flow_checks(words & _DECIDING)


def flow_checks_in(text: str) -> tuple[Check, ...]:
    """The checks of the flow through the functions of a text, found by words in it: perhaps more than are needed."""
    return _flow_checks(frozenset(word for word in _DECIDING if word in text))


_DECIDING = frozenset().union(*(when for when in RULES.values() if not isinstance(when, When)))
"""The words of the instructions that some rules are only about."""

_ABOUT_ASYNCHRONOUS_WORK = ("synchronization.", "mbarriers.", "tensor_memory.")

ASYNCHRONOUS: frozenset[str] = frozenset().union(
    *(when for rule, when in RULES.items() if rule.startswith(_ABOUT_ASYNCHRONOUS_WORK) and not isinstance(when, When))
)
"""The instructions that the rules about asynchronous work are about."""


@lru_cache(maxsize=256)
def _flow_checks(words: frozenset[str]) -> tuple[Check, ...]:
    """The checks for a choice of the deciding words; most functions have few of them."""
    asked = (
        _check(rule)
        for rule, when in RULES.items()
        if (when is ALWAYS if isinstance(when, When) else not when.isdisjoint(words))
    )
    return tuple(check for check in asked if check.check_flow is not None)


@cache
def all_checks() -> tuple[Check, ...]:
    """All checks, by code; their files are imported."""
    return tuple(map(_check, RULES))
