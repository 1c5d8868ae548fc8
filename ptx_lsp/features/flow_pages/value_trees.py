"""The origin of a value, or its uses, as a tree."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.cursor.expressions import ExpressionReader
from ptx_lsp.analysis.references.dependences import Dependence, sources, users
from ptx_lsp.analysis.references.register_writes import writes_at
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.features.flow_pages.page_links import line_link, shortened
from ptx_lsp.names.demangle import brief_name
from ptx_lsp.stepwise import collected

_MOST_LINES = 300
"""The maximum number of lines of a tree."""
_DEEPEST = 24


class TreePage:
    """The origin of a value, or its uses, as a tree in which each statement leads on once."""

    def __init__(self, semantics: Semantics, cursor: Cursor, is_origin: bool, uri: str) -> None:
        self._semantics = semantics
        self._cursor = cursor
        self._is_origin = is_origin
        self._uri = uri
        self._reader = ExpressionReader(semantics, cursor.context.function)

    def making(self) -> Generator[None, None, str]:
        """Make the page, a line in a step."""
        title = "Origin of" if self._is_origin else "Uses of"
        line = self._semantics.module.document.position(self._cursor.span.start)[0] + 1
        lines = [f"# {title} `{self._cursor.word}` in line {line}", ""]
        places = writes_at(self._semantics, self._cursor.context, self._cursor.token) or []
        first = [Dependence(place, self._cursor.word, is_declaration=False) for place in places]
        lines += yield from collected(self._tree(first))
        return "\n".join(lines) + "\n"

    def _tree(self, first: list[Dependence]) -> Iterator[str | None]:
        """Yield the lines, after each None as a pause."""
        seen: set[object] = set()
        waiting = [(one, 0) for one in reversed(first)]
        left = _MOST_LINES
        while waiting:
            one, depth = waiting.pop()
            left -= 1
            if left < 0:
                yield f"- … {len(waiting) + 1} more"
                return
            key = (*one.place[:2], one.name)
            is_new = key not in seen
            seen.add(key)
            following = self._following(one) if is_new and depth < _DEEPEST else []
            is_cut = not is_new and not one.is_declaration
            yield f"{'  ' * depth}- {self._line(one)}" + (" (see above)" if is_cut else "")
            yield None
            waiting += [(inner, depth + 1) for inner in reversed(following)]

    def _following(self, one: Dependence) -> list[Dependence]:
        if one.is_declaration:
            return []
        context = self._context(one)
        if self._is_origin:
            return sources(self._semantics, context) or []
        if one.name.startswith("".join(context.instruction.opcode) if context.instruction else "\0"):
            return []
        return users(self._semantics, context, one.name) or []

    def _line(self, one: Dependence) -> str:
        line = self._semantics.module.positions.line_of(one.place)
        context = self._context(one)
        if one.is_declaration:
            symbol = context.function.symbol
            is_mangled = symbol is not None and brief_name(symbol.name) != symbol.name
            own = one.name.removeprefix(f"{symbol.name}_") if symbol is not None and is_mangled else one.name
            return f"`{brief_name(own)}` ({line_link(self._uri, line)})"
        text = shortened(context)
        value = self._reader.register(context, one.name, after=True)
        known = f" = `{value.text}`" if value is not None and value.is_known else ""
        return f"`{text}` ({line_link(self._uri, line)}){known}"

    def _context(self, one: Dependence) -> StatementContext:
        context = self._cursor.context
        return StatementContext(context.module, context.function, one.place.chunk, one.place.statement)
