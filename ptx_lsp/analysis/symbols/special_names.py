"""Names that the language itself declares: special registers and ``WARP_SZ``.

Source: PTX ISA, "Special Registers", "Predefined Constants".
"""

from __future__ import annotations

from functools import cache, lru_cache

from ptx_lsp.analysis.symbols.symbols import operand_code
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.gate import Need
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version


@cache
def special_names() -> frozenset[str]:
    """All special registers of all versions, including each member of numbered groups."""
    return frozenset(catalogue().vocabulary.special_registers)


@lru_cache(maxsize=1 << 13)
def special_code(name: str, version: Version, target: Target) -> int:
    """The operand code of a special register; 0 if the version and target have none of that name."""
    register = catalogue().vocabulary.special_registers.get(name)
    if register is None or not register.gate.allows(version, target):
        return 0
    kind = register.type if not register.vector else f".v{register.vector}{register.type}"
    return operand_code(ActualOperand("special", type=kind, narrow=register.narrow))


@lru_cache(maxsize=1 << 13)
def special_need(name: str, version: Version, target: Target) -> Need | None:
    """The unmet requirement of a special register; None if it is available and for other names."""
    register = catalogue().vocabulary.special_registers.get(name)
    return register.gate.why_not(version, target) if register is not None else None
