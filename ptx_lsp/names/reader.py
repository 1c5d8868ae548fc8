"""Reading a mangled name from left to right, within bounds."""

from __future__ import annotations

MOST_DEPTH = 90
"""The maximum nesting depth; names of real programs stay below 40."""


class NotMangledError(Exception):
    """The text is no mangled name, or has a part that is not supported."""


class Reader:
    """A position in a mangled name."""

    def __init__(self, text: str, at: int = 0) -> None:
        self.text = text
        self.at = at
        self._depth = 0

    def peek(self, length: int = 1) -> str:
        """The next characters, as many as are left."""
        return self.text[self.at : self.at + length]

    def take(self, wanted: str) -> bool:
        """Skip ``wanted`` if it comes next; whether it did."""
        if self.text.startswith(wanted, self.at):
            self.at += len(wanted)
            return True
        return False

    def expect(self, wanted: str) -> None:
        """Skip ``wanted``.

        Raises:
            NotMangledError: something else comes next.

        """
        if not self.take(wanted):
            raise NotMangledError

    def next(self) -> str:
        """Take one character.

        Raises:
            NotMangledError: there is none.

        """
        if self.at >= len(self.text):
            raise NotMangledError
        self.at += 1
        return self.text[self.at - 1]

    def digits(self, base: str = "0123456789") -> str:
        """Take the digits that come next."""
        start = self.at
        while self.at < len(self.text) and self.text[self.at] in base:
            self.at += 1
        return self.text[start : self.at]

    def number(self) -> int:
        """Take a decimal number.

        Raises:
            NotMangledError: there is none, or it is longer than any text.

        """
        found = self.digits()
        if not found or len(found) > 9:
            raise NotMangledError
        return int(found)

    def identifier(self) -> str:
        """Take a name with its length before it.

        Raises:
            NotMangledError: the text is shorter.

        """
        length = self.number()
        start = self.at
        self.at += length
        if self.at > len(self.text) or not length:
            raise NotMangledError
        return self.text[start : self.at]

    def sequence_number(self) -> int:
        """Take the number of a substitution: ``_`` is 0, ``0_`` is 1, in base 36.

        Raises:
            NotMangledError: there is none.

        """
        found = self.digits("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        self.expect("_")
        if len(found) > 6:
            raise NotMangledError
        return int(found, 36) + 1 if found else 0

    def parameter_number(self) -> int:
        """Take the number of a template parameter: ``_`` is 0, ``0_`` is 1, in base 10.

        Raises:
            NotMangledError: there is none.

        """
        number = 0 if self.peek() == "_" else self.number() + 1
        self.expect("_")
        return number

    def enter(self) -> None:
        """Begin a nested part.

        Raises:
            NotMangledError: parts are nested too deeply.

        """
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise NotMangledError

    def leave(self) -> None:
        """End a nested part."""
        self._depth -= 1
