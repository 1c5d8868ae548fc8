"""Expressions in names that are mangled by the Itanium C++ ABI: template arguments, sizes, ``decltype``.

Source: Itanium C++ ABI, section 5.1.6, "Expressions".
"""

from __future__ import annotations

import struct

from ptx_lsp.names.itanium_types import TypeReader
from ptx_lsp.names.reader import NotMangledError
from ptx_lsp.names.shown import MOST_TEXT, Shown, listed, with_arguments, word
from ptx_lsp.names.tables import CASTS, LITERAL_SUFFIXES, OF_EXPRESSIONS, OF_TYPES, OPERATORS

_FOLDS = frozenset({"fl", "fr", "fL", "fR"})


class MangledExpressionReader(TypeReader):
    """Reads expressions."""

    def encoding(self) -> Shown:
        """Read a function or variable with its type."""
        raise NotImplementedError

    def expression(self) -> Shown:
        """Read an expression.

        Raises:
            NotMangledError: there is none, or it is of a kind that is not supported.

        """
        self.enter()
        found = word(self._expression()[:MOST_TEXT])
        self.leave()
        return found

    def _expression(self) -> str:
        if self.peek() == "L":
            return self.literal().text
        if self.peek() == "T":
            return self.parameter().text
        two = self.peek(2)
        if two in ("fp", "fL") and (two == "fp" or self.text[self.at + 2 : self.at + 3].isdigit()):
            return self._function_parameter()
        if two in _FOLDS:
            return self._fold()
        self.take("gs")
        two = self.peek(2)
        if two in ("on", "sr", "dn") or two[:1].isdigit():
            return self.unresolved_name().text
        self.at += 2
        if two in CASTS:
            kind = self.type().text
            return f"{CASTS[two]}<{kind}>({self._operand()})"
        if two in OF_TYPES:
            return f"{OF_TYPES[two]} ({self.type().text})"
        if two in OF_EXPRESSIONS:
            return f"{OF_EXPRESSIONS[two]} ({self._operand()})"
        found = self._of_list(two)
        if found is not None:
            return found
        symbol, operands = OPERATORS.get(two, ("", 0))
        if operands == 1:
            self.take("_")  # the prefix form of ++ and --
            return f"{symbol}{self._enclosed()}"
        if operands == 2:
            left = self._enclosed()
            return f"{left}{symbol}{self._enclosed()}"
        if operands == 3:
            return f"{self._enclosed()}?{self._enclosed()}:{self._enclosed()}"
        raise NotMangledError

    def _of_list(self, two: str) -> str | None:
        """Read the rest of an expression that is neither an operator nor about a type; None if it is another one."""
        if two == "cl":
            return f"{self._operand()}({listed(self._until_end())})"
        if two == "cv":
            kind = self.type().text
            if self.take("_"):
                return f"({kind})({listed(self._until_end())})"
            return f"({kind}){self._enclosed()}"
        if two in ("il", "tl"):
            kind = self.type().text if two == "tl" else ""
            return f"{kind}{{{listed(self._until_end())}}}"
        if two in ("dt", "pt"):
            left = self._operand()
            return f"{left}{'.' if two == 'dt' else '->'}{self.unresolved_name().text}"
        if two == "ds":
            left = self._operand()
            return f"{left}.*{self._operand()}"
        if two == "ix":
            left = self._enclosed()
            return f"{left}[{self._operand()}]"
        if two == "sZ":
            inner = self.parameter().text if self.peek() == "T" else self._function_parameter()
            return f"sizeof...({inner})"
        if two == "sP":
            return f"sizeof...({listed(self._until_end())})"
        if two == "sp":
            return self._operand()
        if two == "tr":
            return "throw"
        if two == "tw":
            return f"throw {self._operand()}"
        return None

    def _operand(self) -> str:
        return self.expression().text

    def _enclosed(self) -> str:
        """An operand of an operator, in brackets unless it is one word."""
        text = self._operand()
        return text if text.replace("_", "").isalnum() else f"({text})"

    def _until_end(self) -> list[Shown]:
        found = []
        while not self.take("E"):
            found.append(self.expression())
        return found

    def _function_parameter(self) -> str:
        self.at += 1
        if self.take("L"):
            self.number()
        self.expect("p")
        if self.take("T"):
            return "this"
        while self.peek() and self.peek() in "rVK":
            self.at += 1
        number = self.digits()
        self.expect("_")
        return f"{{parm#{int(number) + 2 if len(number) < 9 and number else 1}}}"

    def _fold(self) -> str:
        kind = self.peek(2)
        self.at += 2
        symbol = OPERATORS.get(self.peek(2), ("", 0))[0]
        self.at += 2
        first = self._operand()
        if kind in ("fL", "fR"):
            return f"({first} {symbol} ... {symbol} {self._operand()})"
        return f"(... {symbol} {first})" if kind == "fl" else f"({first} {symbol} ...)"

    def operator_name(self) -> Shown:
        """Read the name of an operator or conversion.

        Raises:
            NotMangledError: it is none.

        """
        two = self.peek(2)
        self.at += 2
        if two == "cv":
            kind = self.type().text
            return Shown(f"operator {kind}", base=f"operator {kind}", has_no_result=True)
        if two == "li":
            return word(f'operator"" {self.identifier()}')
        if two not in OPERATORS:
            raise NotMangledError
        symbol = OPERATORS[two][0]
        return word(f"operator{' ' if symbol[0].isalpha() else ''}{symbol}")

    def unresolved_name(self) -> Shown:
        """Read a name that depends on template parameters.

        Raises:
            NotMangledError: there is none.

        """
        scopes = []
        if self.take("srN"):
            scopes.append(self._with_arguments(self.type()).text)
            while not self.take("E"):
                scopes.append(self._simple().text)
        elif self.take("sr"):
            if self.peek().isdigit():
                while not self.take("E"):
                    scopes.append(self._simple().text)
            else:
                scopes.append(self._with_arguments(self.type()).text)
        if self.take("dn"):
            scopes.append("~" + self._simple().text)
        elif self.take("on"):
            scopes.append(self._with_arguments(self.operator_name()).text)
        else:
            scopes.append(self._simple().text)
        return word("::".join(scopes))

    def _simple(self) -> Shown:
        return self._with_arguments(word(self.identifier()))

    def _with_arguments(self, name: Shown) -> Shown:
        return with_arguments(name, self.template_arguments()) if self.peek() == "I" else name

    def literal(self) -> Shown:
        """Read a constant: ``Lj5E`` is ``5u``.

        Raises:
            NotMangledError: it is none.

        """
        self.expect("L")
        if self.take("_Z") or self.take("Z"):
            found = self.encoding()
            self.expect("E")
            return found
        code = self.peek()
        if self.take("DnE") or self.take("Dn0E"):
            return word("nullptr")
        kind = self.type()
        if code == "A" and self.take("E"):
            return word(f'"<{kind.text}>"')
        sign = "-" if self.take("n") else ""
        if code in ("f", "d", "e"):
            digits = self.digits("0123456789abcdef")
            self.expect("E")
            return word(_float(code, digits))
        digits = self.digits()
        self.expect("E")
        if not digits:
            return word(f"({kind.text})0")
        if code == "b" and digits in ("0", "1"):
            return word("true" if digits == "1" else "false")
        if code in LITERAL_SUFFIXES:
            return word(f"{sign}{digits}{LITERAL_SUFFIXES[code]}")
        return Shown(f"({kind.text}){sign}{digits}", short=f"({kind.own}){sign}{digits}")


def _float(code: str, digits: str) -> str:
    """A floating-point constant from the digits of its bits."""
    sizes = {"f": (8, ">f"), "d": (16, ">d")}
    if code in sizes and len(digits) == sizes[code][0]:
        value = struct.unpack(sizes[code][1], bytes.fromhex(digits))[0]
        return f"{value:g}" + ("f" if code == "f" else "")
    return f"(long double)[{digits}]"
