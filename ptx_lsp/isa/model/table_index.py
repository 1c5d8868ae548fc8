"""The rows of a table that hold for the words in the places of a form, without a look at the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ptx_lsp.isa.model.form import Table, TableRow, literals


class TableIndex:
    """Sets of the rows of one table by the words of its columns of qualifiers; a bit is a row.

    Args:
        table: the table.
        slot_numbers: the places of the form by their names.

    """

    def __init__(self, table: Table, slot_numbers: Mapping[str, int]) -> None:
        columns = [(at, slot_numbers[name]) for at, name in enumerate(table.columns) if name.startswith(".")]
        self.places = tuple(place for _, place in columns)
        """The places that the table looks at."""
        self._rows = table.rows
        self._all = (1 << len(table.rows)) - 1
        self._columns: list[tuple[int, dict[str | None, int]]] = []
        for at, place in columns:
            rows_of_word: dict[str | None, int] = {}
            for number, row in enumerate(table.rows):
                for word in literals(tuple(map(str, row.cells[at]))):
                    rows_of_word[word] = rows_of_word.get(word, 0) | 1 << number
            self._columns.append((place, rows_of_word))

    def rows(self, values: Sequence[str | None]) -> Iterator[TableRow]:
        """The rows whose cells have the words that stand in the places, in their order."""
        left = self._all
        for place, rows_of_word in self._columns:
            left &= rows_of_word.get(values[place], 0)
            if not left:
                return
        while left:
            lowest = left & -left
            yield self._rows[lowest.bit_length() - 1]
            left ^= lowest
