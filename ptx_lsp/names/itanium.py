"""Names that are mangled by the Itanium C++ ABI, as nvcc, clang and gcc do.

Source: Itanium C++ ABI, section 5.1, "External Names (a.k.a. Mangling)".
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ptx_lsp.names.entity import Entity
from ptx_lsp.names.itanium_expressions import MangledExpressionReader
from ptx_lsp.names.reader import NotMangledError
from ptx_lsp.names.shown import ANONYMOUS, Shown, listed, qualified, with_arguments, word
from ptx_lsp.names.tables import SPECIAL, SPECIAL_NAMES, STANDARD

_PREFIX = "_Z"
_GLOBAL = "_GLOBAL__N"
"""The name of an anonymous namespace."""


def read(name: str) -> tuple[Entity, str]:
    """Read a mangled name; what follows it, such as ``_param_0``, is the second part of the answer.

    Raises:
        NotMangledError: it is no mangled name.

    """
    reader = _NameReader(name)
    reader.expect(_PREFIX)
    try:
        found = reader.signature()
    except (NotMangledError, IndexError, ValueError, OverflowError):
        raise NotMangledError from None
    return found, name[reader.at :]


class _NameReader(MangledExpressionReader):
    """Reads names of functions, variables and types."""

    def encoding(self) -> Shown:
        """Read a function or variable with its type, as one text."""
        self.enter()
        found = self.signature()
        self.leave()
        name = found.name
        if found.parameters is None:
            return name
        text = f"{name.text}({listed(found.parameters)}){found.suffix}"
        return Shown(text, short=name.brief, base=name.base, alone=name.own)

    def signature(self) -> Entity:
        """Read a function or variable with its type.

        Raises:
            NotMangledError: there is none.

        """
        if self.peek() in ("T", "G") and self.peek(2) not in ("Ts",):
            return Entity(self._special(), None, None, "")
        outer = self.arguments
        name, suffix = self._name(is_outer=True)
        if self._is_at_end():
            self.arguments = outer if self.lambda_depth else self.arguments
            return Entity(name, None, None, "")
        result = None
        if name.has_arguments and not name.has_no_result:
            result = self.type()
        parameters = [self.type()]
        while not self._is_at_end():
            parameters.append(self.type())
        return Entity(name, parameters, result, suffix)

    def _is_at_end(self) -> bool:
        return self.peek() in ("", "E", ".", "_", "$") or self.peek(1) == "Q"

    def _special(self) -> Shown:
        two = self.peek(2)
        if two in SPECIAL:
            self.at += 2
            return word(SPECIAL[two] + self.type().text)
        if two in SPECIAL_NAMES:
            self.at += 2
            return word(SPECIAL_NAMES[two] + self._name()[0].text)
        if two == "GR":
            self.at += 2
            name = self._name()[0]
            self.sequence_number()
            return word(f"reference temporary for {name.text}")
        if self.take("GTt"):
            return word(f"transaction clone for {self.encoding().text}")
        if two in ("Th", "Tv"):
            self.at += 2
            for _ in range(2 if two == "Tv" else 1):
                self.take("n")
                self.number()
                self.expect("_")
            return word(f"{'non-virtual' if two == 'Th' else 'virtual'} thunk to {self.encoding().text}")
        raise NotMangledError

    # ------------------------------------------------------------------ names

    def _name(self, *, is_outer: bool = False) -> tuple[Shown, str]:
        """A name and the qualifiers of a member function; ``is_outer``: of the name that is mangled."""
        if self.peek() == "N":
            return self._nested(is_outer=is_outer)
        if self.peek() == "Z":
            return self._local()
        if self.peek() == "S" and self.peek(2) != "St":
            found = self.substitution()
            return with_arguments(found, self.template_arguments(are_outer=is_outer)), ""
        outer = word("std") if self.take("St") else None
        found = qualified(outer, self._unqualified(None))
        if self.peek() == "I":
            self.substitutions.append(found)
            found = with_arguments(found, self.template_arguments(are_outer=is_outer))
        return found, ""

    def name_of_type(self) -> Shown:
        """Read the name of a class or enumeration.

        Raises:
            NotMangledError: there is none.

        """
        if not (self.peek().isdigit() or self.peek() in ("N", "Z", "S", "U", "L")):
            raise NotMangledError
        return self._name()[0]

    def _nested(self, *, is_outer: bool) -> tuple[Shown, str]:
        self.expect("N")
        suffix = ""
        qualifiers = {"r": " restrict", "V": " volatile", "K": " const"}
        self.take("H")
        while self.peek() in qualifiers:
            suffix = qualifiers[self.next()] + suffix
        if self.peek() in ("R", "O"):
            suffix += " &" if self.next() == "R" else " &&"
        found: Shown | None = None
        count = len(self.substitutions)
        while not self.take("E"):
            first, two = self.peek(), self.peek(2)
            if first == "I":
                if found is None:
                    raise NotMangledError
                found = with_arguments(found, self.template_arguments(are_outer=is_outer))
            elif two == "St":
                self.at += 2
                found = qualified(word("std"), self._unqualified(None))
            elif first == "S":
                found = self.substitution()
                continue
            elif first == "T":
                found = self.parameter()
            elif two in ("Dt", "DT"):
                found = self.type()
                continue
            elif first == "M":
                self.at += 1
                continue
            else:
                found = qualified(found, self._unqualified(found))
            self.substitutions.append(found)
        if found is None:
            raise NotMangledError
        if len(self.substitutions) > count:
            self.substitutions.pop()  # the whole name is one only as a type, which then adds it
        return found, suffix

    def _local(self) -> tuple[Shown, str]:
        self.expect("Z")
        function = self.encoding()
        self.expect("E")
        if self.take("s"):
            self._discriminator()
            return qualified(function, word("string literal")), ""
        if self.take("d"):
            self.digits()
            self.expect("_")
            name, suffix = self._name()
            return qualified(function, name), suffix
        name, suffix = self._name()
        self._discriminator()
        return qualified(function, name), suffix

    def _discriminator(self) -> None:
        start = self.at
        if self.take("__"):
            if not (self.digits() and self.take("_")):
                self.at = start
        elif self.take("_"):
            if self.peek().isdigit():
                self.at += 1
            else:
                self.at = start

    def _unqualified(self, outer: Shown | None) -> Shown:
        self.take("L")
        first, two = self.peek(), self.peek(2)
        if first.isdigit():
            found = _named(self.identifier())
        elif two == "Ut":
            self.at += 2
            number = self.digits()
            self.expect("_")
            found = word(f"'unnamed{number}'")
        elif two == "Ul":
            found = self._lambda()
        elif two == "DC":
            self.at += 2
            names = []
            while not self.take("E"):
                names.append(self.identifier())
            found = word(f"[{', '.join(names)}]")
        elif first in ("C", "D") and outer is not None:
            found = self._structor(outer)
        else:
            found = self.operator_name()
        while self.take("B"):
            tag = self.identifier()
            found = found._replace(left=f"{found.left}[abi:{tag}]", short=found.brief)
        return found

    def _lambda(self) -> Shown:
        self.at += 2
        self.lambda_depth += 1
        parameters = [self.type()]
        while not self.take("E"):
            parameters.append(self.type())
        self.lambda_depth -= 1
        digits = self.digits()
        self.expect("_")
        number = int(digits) + 2 if digits and len(digits) < 9 else 1
        text = f"{{lambda({listed(parameters)})#{number}}}"
        return Shown(text, short="{lambda}" if number == 1 else f"{{lambda#{number}}}", base=text)

    def _structor(self, outer: Shown) -> Shown:
        kind = self.next()
        inherited = kind == "C" and self.take("I")
        if not self.next().isdigit():
            raise NotMangledError
        if inherited:
            self.type()
        name = ("~" if kind == "D" else "") + (outer.base or outer.own)
        return Shown(name, base=name, has_no_result=True)

    # ------------------------------------------------------------------ substitutions, template arguments

    def substitution(self) -> Shown:
        """Read a reference to an earlier part, or an abbreviation of the standard library.

        Raises:
            NotMangledError: it refers to none.

        """
        two = self.peek(2)
        if two in STANDARD:
            self.at += 2
            name, base = STANDARD[two]
            found = Shown(name, base=base, alone=name.partition("::")[2])
            while self.take("B"):
                found = found._replace(left=f"{found.left}[abi:{self.identifier()}]")
            return found
        self.expect("S")
        number = self.sequence_number()
        if number >= len(self.substitutions):
            raise NotMangledError
        return self.substitutions[number]

    def template_arguments(self, *, are_outer: bool = False) -> list[Shown]:
        """Read the arguments of a template; ``are_outer``: of the name that is mangled, to which ``T_`` refers."""
        self.expect("I")
        with self._nested_arguments(are_outer) as found:
            while not self.take("E"):
                found.append(self._argument())
        return found

    @contextmanager
    def _nested_arguments(self, are_outer: bool) -> Iterator[list[Shown]]:
        found: list[Shown] = []
        self.enter()
        yield found
        self.leave()
        if are_outer:
            self.arguments = found

    def _argument(self) -> Shown:
        first = self.peek()
        if first == "X":
            self.at += 1
            found = self.expression()
            self.expect("E")
            return found
        if first == "L":
            return self.literal()
        if first == "J":
            self.at += 1
            elements = []
            while not self.take("E"):
                elements.append(self._argument())
            return Shown("", pack=tuple(one for each in elements for one in (each.pack or (each,))))
        return self.type()


def _named(name: str) -> Shown:
    return Shown(ANONYMOUS, base=ANONYMOUS) if name.startswith(_GLOBAL) else word(name)
