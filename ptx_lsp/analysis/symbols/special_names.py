"""Names that the language itself declares: special registers and ``WARP_SZ``.

Source: PTX ISA, "Special Registers", "Predefined Constants".
"""

from __future__ import annotations

from functools import cache

from ptx_lsp.analysis.symbols.symbols import operand_code
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.gate import Need
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.process_cache import memoized


@cache
def special_names() -> frozenset[str]:
    """All special registers of all versions, including each member of numbered groups."""
    return frozenset(catalogue().vocabulary.special_registers)


def special_code(name: str, version: Version, target: Target) -> int:
    """The operand code of a special register; 0 if the version and target have none of that name."""
    return _special_code(name, version, target) if name in special_names() else 0


@memoized(1 << 12)
def _special_code(name: str, version: Version, target: Target) -> int:
    register = catalogue().vocabulary.special_registers[name]
    if not register.gate.allows(version, target):
        return 0
    kind = register.type if not register.vector else f".v{register.vector}{register.type}"
    return operand_code(ActualOperand("special", type=kind, narrow=register.narrow))


def special_need(name: str, version: Version, target: Target) -> Need | None:
    """The unmet requirement of a special register; None if it is available and for other names."""
    return _special_need(name, version, target) if name in special_names() else None


@memoized(1 << 12)
def _special_need(name: str, version: Version, target: Target) -> Need | None:
    return catalogue().vocabulary.special_registers[name].gate.why_not(version, target)
