"""Types in names that are mangled by the Itanium C++ ABI.

Source: Itanium C++ ABI, section 5.1.5, "Type encodings".
"""

from __future__ import annotations

from ptx_lsp.names.reader import NotMangledError, Reader
from ptx_lsp.names.shown import (
    Shown,
    array_type,
    each,
    function_type,
    member_pointer,
    pointer,
    suffixed,
    with_arguments,
    word,
)
from ptx_lsp.names.tables import OTHER_TYPES, TYPES

_QUALIFIERS = {"r": " restrict", "V": " volatile", "K": " const"}
_MARKS = {"P": "*", "R": "&", "O": "&&"}
_RESTRICT = " __restrict__"


class TypeReader(Reader):
    """Reads types; names and expressions in them are read by subclasses."""

    def __init__(self, text: str, at: int = 0) -> None:
        super().__init__(text, at)
        self.substitutions: list[Shown] = []
        """The parts so far that later ones can refer to."""
        self.arguments: list[Shown] = []
        """The template arguments that ``T_`` refers to."""
        self.lambda_depth = 0
        """The number of parameter lists of lambdas around, in which ``T_`` is ``auto``."""

    def name_of_type(self) -> Shown:
        """Read the name of a class or enumeration."""
        raise NotImplementedError

    def expression(self) -> Shown:
        """Read an expression."""
        raise NotImplementedError

    def substitution(self) -> Shown:
        """Read a reference to an earlier part, or an abbreviation of the standard library."""
        raise NotImplementedError

    def template_arguments(self, *, are_outer: bool = False) -> list[Shown]:
        """Read the arguments of a template; ``are_outer``: of the name that is mangled, to which ``T_`` refers."""
        raise NotImplementedError

    def type(self) -> Shown:
        """Read a type.

        Raises:
            NotMangledError: there is none.

        """
        self.enter()
        found = self._type()
        self.leave()
        return found

    def _type(self) -> Shown:
        first = self.peek()
        if first in TYPES:
            self.at += 1
            return word(TYPES[first])
        if first in _QUALIFIERS:
            found = self._qualified()
        elif first in _MARKS:
            self.at += 1
            found = pointer(self.type(), _MARKS[first])
        elif first == "F":
            found = self.function("")
        elif first == "A":
            found = self._array()
        elif first == "M":
            self.at += 1
            owner = self.type()
            found = member_pointer(owner, self.type())
        elif first in ("C", "G"):
            self.at += 1
            found = suffixed(self.type(), " complex" if first == "C" else " imaginary")
        elif first == "U":
            found = self._vendor_qualified()
        elif first == "u":
            self.at += 1
            found = word(self.identifier())
            if self.peek() == "I":
                found = with_arguments(found, self.template_arguments())
        elif first == "T" and self.peek(2) not in ("Ts", "Tu", "Te"):
            found = self._parameter_or_template()
        elif first == "S" and self.peek(2) != "St":
            start = self.at
            found = self.substitution()
            if self.peek() == "I":
                found = with_arguments(found, self.template_arguments())
            elif self.at - start == 2 and self.text[start + 1].islower():
                return found._replace(base="")  # an abbreviation is no new part
            else:
                return found
        elif first == "D":
            builtin = self._builtin_d()
            if builtin is not None:
                return builtin
            found = self._type_d()
        else:
            if self.peek(2) in ("Ts", "Tu", "Te"):
                self.at += 2
            found = self.name_of_type()
        self.substitutions.append(found)
        return found

    def _qualified(self) -> Shown:
        qualifiers = ""
        while self.peek() in _QUALIFIERS and self.peek():
            one = self.next()
            qualifiers = (_RESTRICT if one == "r" else _QUALIFIERS[one]) + qualifiers
        if self.peek() == "F":
            return self.function(qualifiers)
        return suffixed(self.type(), qualifiers)

    def _parameter_or_template(self) -> Shown:
        found = self.parameter()
        if self.peek() == "I":
            self.substitutions.append(found)
            found = with_arguments(found, self.template_arguments())
        return found

    def parameter(self) -> Shown:
        """Read a reference to a template parameter, such as ``T0_``.

        Raises:
            NotMangledError: it refers to none.

        """
        self.expect("T")
        if self.take("L"):
            self.number()
            self.expect("_")
        number = self.parameter_number()
        if self.lambda_depth:
            return word("auto")
        if number >= len(self.arguments):
            raise NotMangledError
        return self.arguments[number]

    def function(self, suffix: str) -> Shown:
        """Read the type of a function; ``suffix``: its qualifiers."""
        self.expect("F")
        self.take("Y")
        result = self.type()
        parameters = []
        while not self.take("E"):
            if self.peek(2) in ("RE", "OE"):
                suffix += " &" if self.next() == "R" else " &&"
                continue
            parameters.append(self.type())
        return function_type(result, parameters, suffix)

    def _array(self) -> Shown:
        self.expect("A")
        size = self.digits()
        if not size and self.peek() != "_":
            size = self.expression().text
        self.expect("_")
        return each(lambda one: array_type(one, size), self.type())

    def _vendor_qualified(self) -> Shown:
        self.expect("U")
        name = self.identifier()
        if self.peek() == "I":
            name = with_arguments(word(name), self.template_arguments()).text
        return suffixed(self.type(), f" {name}")

    def _builtin_d(self) -> Shown | None:
        two = self.peek(2)
        if two in OTHER_TYPES:
            self.at += 2
            return word(OTHER_TYPES[two])
        if two == "DF":
            self.at += 2
            bits = self.number()
            if self.take("b"):
                return word("std::bfloat16_t")
            if self.take("x"):
                return word(f"_Float{bits}x")
            self.expect("_")
            return word(f"_Float{bits}")
        if two in ("DB", "DU"):
            self.at += 2
            size = self.digits() or self.expression().text
            self.expect("_")
            return word(f"{'unsigned ' if two == 'DU' else ''}_BitInt({size})")
        return None

    def _type_d(self) -> Shown:
        two = self.peek(2)
        self.at += 2
        if two in ("Dt", "DT"):
            inner = self.expression()
            self.expect("E")
            return word(f"decltype ({inner.text})")._replace(short="decltype(…)")
        if two == "Dp":
            return self.type()  # an argument that is a pack shows its elements
        if two == "Dv":
            size = self.digits() or (self.take("_") and self.expression().text) or ""
            self.expect("_")
            return suffixed(self.type(), f" __vector({size})")
        if two == "Do":
            return self.function(" noexcept")
        raise NotMangledError
