"""Names that rustc mangles: the v0 scheme, and the older one, which adds a hash to names of the Itanium C++ ABI.

Source: The Rust RFC Book, 2603, "Rust Symbol Name Mangling (v0)".
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ptx_lsp.names.reader import NotMangledError, Reader
from ptx_lsp.names.shown import MOST_TEXT, Shown, limited

_PREFIX = "_R"
_MOST_PARTS = 2000
"""The maximum number of parts; references to earlier parts can double it with each letter of the name."""
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_TYPES = {
    "a": "i8",
    "b": "bool",
    "c": "char",
    "d": "f64",
    "e": "str",
    "f": "f32",
    "h": "u8",
    "i": "isize",
    "j": "usize",
    "l": "i32",
    "m": "u32",
    "n": "i128",
    "o": "u128",
    "p": "_",
    "s": "i16",
    "t": "u16",
    "u": "()",
    "v": "...",
    "x": "i64",
    "y": "u64",
    "z": "!",
}
_NUMBERS = frozenset("ahijlmnostxy")


def read(name: str) -> tuple[Shown, str]:
    """Read a name of the v0 scheme; what follows it is the second part of the answer.

    Raises:
        NotMangledError: it is none.

    """
    reader = _RustReader(name)
    reader.expect(_PREFIX)
    try:
        text = reader.path(in_type=False)
        if reader.peek() in ("C", "N", "B", "M", "X", "Y", "I"):
            reader.path(in_type=False)  # the crate that instantiates a generic function
    except (IndexError, ValueError, OverflowError, UnicodeError):
        raise NotMangledError from None
    parts = re.split(r"::(?![^<]*>)", text)
    return Shown(text, short=limited("::".join(parts[-2:]))), name[reader.at :]


_HASH = re.compile(r"h[0-9a-f]{16}")
_ESCAPES = {"SP": "@", "BP": "*", "RF": "&", "LT": "<", "GT": ">", "LP": "(", "RP": ")", "C": ","}


def legacy(components: list[str]) -> Shown | None:
    """The name of a function in the older scheme from the parts of the mangled name; None if the hash is missing."""
    if len(components) < 2 or not _HASH.fullmatch(components[-1]):
        return None
    parts = [_unescaped(one) for one in components[:-1]]
    return Shown("::".join(parts), short=limited("::".join(parts[-2:])))


def _unescaped(part: str) -> str:
    if part.startswith("_$"):
        part = part[1:]

    def character(found: re.Match[str]) -> str:
        code = found[1]
        if code in _ESCAPES:
            return _ESCAPES[code]
        return chr(int(code[1:], 16)) if re.fullmatch("u[0-9a-f]{1,4}", code) else found[0]

    return re.sub(r"\$(\w{1,6})\$", character, part).replace("..", "::")


class _RustReader(Reader):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._parts = 0
        self._bound = 0
        """The number of lifetimes that ``for<…>`` declares around."""

    def path(self, *, in_type: bool) -> str:
        """Read the path of a function, type or trait."""
        self.enter()
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise NotMangledError
        found = self._path(in_type)[:MOST_TEXT]
        self.leave()
        return found

    def _path(self, in_type: bool) -> str:
        kind = self.next()
        if kind == "C":
            self._disambiguator()
            return self._identifier()
        if kind in ("M", "X"):
            self._disambiguator()
            self.path(in_type=False)
        if kind == "M":
            return f"<{self._type()}>"
        if kind in ("X", "Y"):
            return f"<{self._type()} as {self.path(in_type=True)}>"
        if kind == "N":
            namespace = self.next()
            outer = self.path(in_type=in_type)
            number = self._disambiguator()
            name = self._identifier()
            if namespace.isupper():
                what = {"C": "closure", "S": "shim"}.get(namespace, namespace)
                return f"{outer}::{{{what}{':' if name else ''}{name}#{number}}}"
            return f"{outer}::{name}" if name else outer
        if kind == "I":
            name = self.path(in_type=in_type)
            arguments = []
            while not self.take("E"):
                arguments.append(self._argument())
            return f"{name}{'' if in_type else '::'}<{', '.join(arguments)}>"
        if kind == "B":
            return self._earlier(lambda reader: reader.path(in_type=in_type))
        raise NotMangledError

    def _earlier(self, read: Callable[[_RustReader], str]) -> str:
        """Read a part again to which a reference leads."""
        start = self.at - 1
        place = self._base62() + len(_PREFIX)
        if place >= start:
            raise NotMangledError
        after, self.at = self.at, place
        found = read(self)
        self.at = after
        return found

    def _base62(self) -> int:
        found = self.digits(_DIGITS)
        self.expect("_")
        if len(found) > 20:
            raise NotMangledError
        number = 0
        for digit in found:
            number = number * 62 + _DIGITS.index(digit)
        return number + 1 if found else 0

    def _disambiguator(self) -> int:
        return self._base62() + 1 if self.take("s") else 0

    def _identifier(self) -> str:
        is_encoded = self.take("u")
        length = self.number()
        self.take("_")
        found = self.text[self.at : self.at + length]
        self.at += length
        if self.at > len(self.text):
            raise NotMangledError
        if is_encoded:
            plain, _, rest = found.rpartition("_")
            return (f"{plain}-{rest}" if plain else rest).encode("ascii").decode("punycode")
        return found

    def _argument(self) -> str:
        if self.take("L"):
            return self._lifetime()
        return self._constant() if self.take("K") else self._type()

    def _lifetime(self) -> str:
        number = self._base62()
        if number > self._bound:
            raise NotMangledError
        return self._named(self._bound - number) if number else "'_"

    @staticmethod
    def _named(number: int) -> str:
        return f"'{chr(ord('a') + number)}" if number < 26 else f"'_{number}"

    def _binder(self) -> tuple[int, str]:
        """Read the lifetimes that a type declares: how many, and their declaration."""
        count = self._base62() + 1 if self.take("G") else 0
        if count > 26:
            raise NotMangledError
        names = ", ".join(self._named(self._bound + one) for one in range(count))
        self._bound += count
        return count, f"for<{names}> " if count else ""

    def _type(self) -> str:
        self.enter()
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise NotMangledError
        found = self._any_type()[:MOST_TEXT]
        self.leave()
        return found

    def _any_type(self) -> str:
        kind = self.next()
        if kind in _TYPES:
            return _TYPES[kind]
        if kind == "A":
            inner = self._type()
            return f"[{inner}; {self._constant()}]"
        if kind == "S":
            return f"[{self._type()}]"
        if kind == "T":
            inner_types = self._types()
            return f"({', '.join(inner_types)}{',' if len(inner_types) == 1 else ''})"
        if kind in ("R", "Q"):
            lifetime = self._lifetime() if self.take("L") else "'_"
            shown = "" if lifetime == "'_" else f"{lifetime} "
            return f"&{shown}{'mut ' if kind == 'Q' else ''}{self._type()}"
        if kind in ("P", "O"):
            return f"*{'const' if kind == 'P' else 'mut'} {self._type()}"
        if kind == "F":
            return self._function()
        if kind == "D":
            return self._traits()
        if kind == "B":
            return self._earlier(_RustReader._type)
        self.at -= 1
        return self.path(in_type=True)

    def _types(self) -> list[str]:
        found = []
        while not self.take("E"):
            found.append(self._type())
        return found

    def _function(self) -> str:
        count, before = self._binder()
        before += "unsafe " if self.take("U") else ""
        if self.take("K"):
            before += f'extern "{"C" if self.take("C") else self._identifier().replace("_", "-")}" '
        parameters = ", ".join(self._types())
        result = self._type()
        self._bound -= count
        return f"{before}fn({parameters})" + ("" if result == "()" else f" -> {result}")

    def _traits(self) -> str:
        count, before = self._binder()
        traits = []
        while not self.take("E"):
            trait = self.path(in_type=True)
            bindings = []
            while self.take("p"):
                name = self._identifier()
                bindings.append(f"{name} = {self._type()}")
            if bindings:
                inner = ", ".join(bindings)
                trait = f"{trait[:-1]}, {inner}>" if trait.endswith(">") else f"{trait}<{inner}>"
            traits.append(trait)
        self._bound -= count
        self.expect("L")
        lifetime = self._lifetime()
        return f"dyn {before}{' + '.join(traits)}" + ("" if lifetime == "'_" else f" + {lifetime}")

    def _constant(self) -> str:
        if self.take("p"):
            return "_"
        if self.take("B"):
            return self._earlier(_RustReader._constant)
        kind = self.next()
        sign = "-" if self.take("n") else ""
        digits = self.digits("0123456789abcdef")
        self.expect("_")
        if len(digits) > 32:
            raise NotMangledError
        value = int(digits or "0", 16)
        if kind == "b":
            return "true" if value else "false"
        if kind == "c":
            character = chr(value)
            return f"'{character if character.isascii() and character.isprintable() else f'{chr(92)}u{{{value:x}}}'}'"
        if kind not in _NUMBERS:
            raise NotMangledError
        return f"{sign}{value}"
