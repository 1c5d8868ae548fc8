"""``NamedTuple``, as in ``typing``, made in a seventh of the time.

``typing.NamedTuple`` compiles the annotation of each field, which is text where ``annotations`` are imported from
``__future__``, and ``collections.namedtuple`` compiles a constructor and makes five methods for each class. What comes
of the annotations is never read, the methods can be inherited, and constructors of equal length differ only in the
names of their arguments. For two hundred classes that is a tenth of a check of a short file. Type checkers see the
class of ``typing``. Generic tuples need that class also when the program runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["NamedTuple"]

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from collections import _tuplegetter
    from collections.abc import Iterable
    from functools import cache
    from types import CodeType, FunctionType

    class _Record(tuple):
        """The methods that ``collections.namedtuple`` makes for each class."""

        __slots__ = ()
        _fields = ()

        @classmethod
        def _make(cls, values: Iterable[Any]) -> _Record:
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **changes: Any) -> _Record:
            made = self._make(map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"Got unexpected field names: {list(changes)!r}")
            return made

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            fields = ", ".join(f"{field}={value!r}" for field, value in self._asdict().items())
            return f"{type(self).__name__}({fields})"

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

    @cache
    def _constructor(count: int) -> CodeType:
        """The code of a constructor with so many arguments, which need their names."""
        names = "".join(f"_{number}, " for number in range(count))
        return eval(f"lambda _cls, {names}: _new(_cls, ({names}))").__code__

    _GLOBALS = {"_new": tuple.__new__, "__builtins__": {}, "__name__": "named_tuple"}

    class _Meta(type):
        """Makes a named tuple of each class that has :class:`NamedTuple` as its base."""

        def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> type:
            """The named tuple with the annotated names as fields, and the values of the class body as defaults."""
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            fields = tuple(namespace.setdefault("__annotations__", {}))
            defaults = {field: namespace[field] for field in fields if field in namespace}
            code = _constructor(len(fields)).replace(
                co_varnames=("_cls", *fields), co_name="__new__", co_qualname=f"{name}.__new__"
            )
            namespace["__new__"] = FunctionType(code, _GLOBALS, "__new__", tuple(defaults.values()))
            for index, field in enumerate(fields):
                namespace[field] = _tuplegetter(index, None)
            namespace |= {"__slots__": (), "_fields": fields, "_field_defaults": defaults, "__match_args__": fields}
            return type(name, (_Record,), namespace)

    class NamedTuple(metaclass=_Meta):
        """Base of classes that are tuples with named fields."""
