"""Mojo with calls of ``inlined_assembly``."""

from __future__ import annotations

from ..texts.shapes import Generator, between, nested
from .shapes import in_language

MOJO: dict[str, Generator] = {
    "mojo: scopes": between(
        "from sys import inlined_assembly\n",
        lambda n: f'fn f{n}():\n    alias T{n} = ("a"\n    inlined_assembly[T{n}, "=r"]()\n',
    ),
    "mojo: calls in the arguments of calls, with parameters": nested(
        "from sys import inlined_assembly\nfn f(a: Int32):\n    x = (",
        lambda n: (
            f'inlined_assembly["ad{n}.s32 $0, $1, q{n};", Int32, constraints="=r,r,~{{memory}}", '
            "has_side_effect=True](\n"
        ),
        "a",
        lambda n: f", Int32({n}))\n",
        ")\n",
    ),
}
HOSTS = in_language("mojo", MOJO)
