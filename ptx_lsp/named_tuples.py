"""``NamedTuple``, as in ``typing``, without the time that ``typing`` spends on annotations at import.

``typing.NamedTuple`` compiles the annotation of each field, which is text where ``annotations`` are imported from
``__future__``. What it makes of them is never read, and for two hundred classes it is a twentieth of a check of a short
file. Type checkers see the class of ``typing``. Generic tuples need that class also when the program runs.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any

__all__ = ["NamedTuple"]

if TYPE_CHECKING:
    from typing import NamedTuple
else:

    class _Meta(type):
        """Makes a named tuple of each class that has :class:`NamedTuple` as its base."""

        def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> type:
            """The named tuple with the annotated names as fields, and the values of the class body as defaults."""
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            fields = namespace.pop("__annotations__", {})
            defaults = [namespace.pop(field) for field in fields if field in namespace]
            made = namedtuple(name, fields, defaults=defaults, module=namespace["__module__"])
            made.__annotations__ = fields
            for key, value in namespace.items():
                if key != "__module__":
                    setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Meta):
        """Base of classes that are tuples with named fields."""
