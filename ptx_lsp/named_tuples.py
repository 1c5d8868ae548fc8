"""``NamedTuple``, as in ``typing``, without the time that ``typing`` and ``collections`` spend at import.

``typing.NamedTuple`` compiles the annotation of each field, which is text where ``annotations`` are imported from
``__future__``, and ``collections.namedtuple`` compiles a constructor and makes six methods for each class. For two
hundred classes that is a twelfth of a check of a short file. Here all classes share the methods, and those with as
many fields share the code of the constructor. Type checkers see the class of ``typing``. Generic tuples need that class
also when the program runs.
"""

from __future__ import annotations

from collections import namedtuple
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NamedTuple
else:

    class _Record(tuple):
        """The methods of all named tuples."""

        __slots__ = ()
        _fields: tuple[str, ...] = ()

        @classmethod
        def _make(cls, values: Iterable[Any]) -> Self:
            """A tuple of values that are in the order of the fields."""
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **changes: Any) -> Self:
            """A copy with other values of some fields."""
            made = tuple.__new__(type(self), map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"Got unexpected field names: {list(changes)!r}")
            return made

        def _asdict(self) -> dict[str, Any]:
            """The values by the names of the fields."""
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            """As it would be constructed, each value with the name of its field."""
            return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._asdict().items())})"

        def __getnewargs__(self) -> tuple[Any, ...]:
            """The arguments of the constructor, for ``pickle`` and ``copy``."""
            return tuple(self)

    class _Meta(type):
        """Makes a named tuple of each class that has :class:`NamedTuple` as its base."""

        def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> type:
            """The named tuple with the annotated names as fields, and the values of the class body as defaults."""
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            fields = tuple(namespace.get("__annotations__", ()))
            defaults = {field: namespace.pop(field) for field in fields if field in namespace}
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError(f"{name}: a field without a default follows one with a default")
            model = _model(len(fields))
            code = model.__new__.__code__.replace(co_varnames=("_cls", *fields))
            new = FunctionType(code, model.__new__.__globals__, "__new__", tuple(defaults.values()))
            new.__qualname__ = f"{name}.__new__"
            namespace |= {field: vars(model)[other] for field, other in zip(fields, model._fields, strict=True)}
            namespace |= {"__slots__": (), "__new__": new, "__match_args__": fields}
            return type(name, (_Record,), namespace | {"_fields": fields, "_field_defaults": defaults})

    @cache
    def _model(count: int) -> type:
        """A named tuple with so many fields; those of others are like it but for their names."""
        return namedtuple("_model", [f"field{number}" for number in range(count)])

    class NamedTuple(metaclass=_Meta):
        """Base of classes that are tuples with named fields."""


__all__ = ["NamedTuple"]
