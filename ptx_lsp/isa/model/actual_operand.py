"""Operands as a statement writes them, reduced to what a form can ask about them."""

from __future__ import annotations

from ptx_lsp.named_tuples import NamedTuple


class ActualOperand(NamedTuple):
    """One written operand. Hashable: matches are remembered by it.

    ``kind`` is one of

    ================  ================================================================================
    ``register``      a register of ``type`` (``.b32``; a vector register is ``.v4.b32``)
    ``special``       a special register of ``type``
    ``integer``       an integer constant; ``value`` None stands for any value
    ``float``         a floating-point constant, of ``type`` ``.f32`` if written ``0f…``, else ``.f64``
    ``address``       ``[a, b]``: ``parts`` are the base and what follows it
    ``vector``        ``{a, b}``
    ``arguments``     ``(a, b)`` of a call
    ``sink``          ``_``
    ``variable``      the name of a variable of ``type`` in ``space``
    ``function``      the name of a function
    ``label``         the name of a label, of a ``.callprototype`` or of a list of targets
    ``texref`` ...    the name of a ``.texref``, ``.samplerref`` or ``.surfref`` variable
    ``misindexed``    ``a[i]`` of something that is no array, or with an index that is no integer: fits nothing
    ``unknown``       a name without declaration, or a broken operand: fits anything, so that one mistake
                      is reported once
    ================  ================================================================================
    """

    kind: str
    type: str = ""
    value: int | float | None = None
    space: str = ""
    """The state space of a variable (``.shared``)."""
    sign: str = ""
    """``-`` or ``!`` in front."""
    selector: str = ""
    """The qualifier after the operand: ``.b0``, ``.h1``, ``.unified``."""
    parts: tuple[ActualOperand, ...] = ()
    pair: ActualOperand | None = None
    """The second result of ``d|p``."""
    offset: bool = False
    """A constant is added: ``a+4``, ``[a+4]``."""
    narrow: bool = False
    """A special register that can be read with fewer bits than it has."""
    array: bool = False
    """A variable that can be indexed: ``a[4]``."""
    role: str = ""
    """The role of a ``.param`` variable (``kernel parameter``, ``parameter``, ``result``, ``argument``);
    of a label that names no place the directive after it (``.branchtargets``); ``.entry`` of a kernel."""
