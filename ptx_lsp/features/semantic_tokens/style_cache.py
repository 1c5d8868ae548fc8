"""A cache of the styles of a document's statements, per chunk.

A shape determines everything about its statements except the meanings of their names. So a *style*
(the classes of a statement's tokens) is computed once per shape and meanings; a file of 90,000
statements has some thousand. Each chunk records the names that its styles depend on: after an edit
elsewhere in its function or in the module, only these are looked up again.
"""

from __future__ import annotations

from collections.abc import Generator

from ptx_lsp.analysis.module.function import Function, Segment
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.prefix_meanings import PrefixMeanings
from ptx_lsp.analysis.symbols.scopes import groups_key
from ptx_lsp.analysis.symbols.symbols import Scope
from ptx_lsp.analysis.symbols.used_names import used_names
from ptx_lsp.features.semantic_tokens.classify import LONGEST, classify, highlighted_text
from ptx_lsp.features.semantic_tokens.name_classes import UNKNOWN, meaning
from ptx_lsp.features.semantic_tokens.word_classes import ClassifiedToken, classify_words
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES, Shape
from ptx_lsp.syntax.statement import Statement

_WITHOUT_NAMES = frozenset({Kind.OPEN, Kind.CLOSE, Kind.EMPTY})
"""Kinds of statements that need no tree for their style."""


class Style:
    """The token classes of a statement; one object for all statements with equal classes, so that it can be a key."""

    __slots__ = ("classified",)

    def __init__(self, classified: tuple[ClassifiedToken, ...]) -> None:
        self.classified = classified


_MOST_TABLES = 1000


class _Words(NamedTuple):
    """The meanings of names and register prefixes when a segment was styled."""

    names: dict[str, int]
    groups: PrefixMeanings


class _Styled(NamedTuple):
    """The styles of a chunk, and their dependencies."""

    function: Function
    generation: int
    borders: list[tuple[int, int]]
    words: list[_Words]
    styles: list[Style]


class StyleCache:
    """The styles of one module's statements; entries are revalidated after edits."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._about = (module.version, module.target)
        self._chunks: dict[Chunk, _Styled] = {}
        self._tables: dict[PrefixMeanings, dict[int, Style | None]] = {}
        """Per set of prefix meanings, the style of each shape; None if it also depends on other names."""
        self._by_codes: dict[tuple[int, ...], Style] = {}
        self._interned: dict[tuple[int, tuple[ClassifiedToken, ...]], Style] = {}

    def of(self, chunk: Chunk) -> list[Style]:
        """Return the style of each statement of a chunk; an identical list while nothing has changed."""
        return run_to_completion(self.preparing(chunk))

    def preparing(self, chunk: Chunk) -> Generator[None, None, list[Style]]:
        """:meth:`of` in steps of some statements."""
        module = self._module
        if (module.version, module.target) != self._about:
            self._about = (module.version, module.target)
            self._chunks.clear()
            self._by_codes.clear()
            self._tables.clear()
        function = module.function_of(chunk)
        held = self._chunks.get(chunk)
        if held is not None:
            if held.function is function and held.generation == module.generation:
                return held.styles
            if self._still_holds(held, function, chunk):
                self._chunks[chunk] = held._replace(function=function, generation=module.generation)
                return held.styles
        yield
        made = self._chunks[chunk] = yield from self._make(function, chunk)
        return made.styles

    def keep_only(self, chunks: list[Chunk]) -> None:
        """Discard the chunks that are no longer in the document."""
        if len(self._chunks) > len(chunks):
            present = set(chunks)
            for chunk in [chunk for chunk in self._chunks if chunk not in present]:
                del self._chunks[chunk]

    def _still_holds(self, held: _Styled, function: Function, chunk: Chunk) -> bool:
        """Whether all names of a chunk have the meanings that they had when it was styled."""
        segments = function.segments[chunk]
        if _borders(segments) != held.borders:
            return False
        for segment, words in zip(segments, held.words, strict=True):
            scope = segment.scope
            if words.groups != groups_key(scope):
                shapes = set(chunk.shapes[segment.start : segment.end])
                prefixes = {prefix for number in shapes for _, prefix in SHAPES[number].names if prefix}
                if any(scope.prefix_code(prefix) != words.groups.code(prefix) for prefix in prefixes):
                    return False
            if any(meaning(name, scope, *self._about) != number for name, number in words.names.items()):
                return False
        return True

    def _make(self, function: Function, chunk: Chunk) -> Generator[None, None, _Styled]:
        segments = function.segments[chunk]
        styles: list[Style] = []
        words = [_Words({}, groups_key(segment.scope)) for segment in segments]
        for segment, used in zip(segments, words, strict=True):
            styles += yield from self._segment(chunk, segment, used)
        return _Styled(function, self._module.generation, _borders(segments), words, styles)

    def _segment(self, chunk: Chunk, segment: Segment, words: _Words) -> Generator[None, None, list[Style]]:
        start, end, scope, _ = segment
        shapes = chunk.shapes[start:end]
        if len(self._tables) > _MOST_TABLES:
            self._tables.clear()
        known = self._tables.setdefault(words.groups, {})
        for number in set(shapes).difference(known):
            known[number] = self._of_shape(chunk, start + shapes.index(number), SHAPES[number], scope)
            yield
        found: list[Style] = []
        for at, number in enumerate(shapes, start):
            style = known[number]
            if style is None:
                style = self._of_statement(chunk.part(at), SHAPES[number], scope, words)
                yield
            found.append(style)
        return found

    def _of_shape(self, chunk: Chunk, at: int, shape: Shape, scope: Scope) -> Style | None:
        """Return the style of all statements of a shape in a scope; None if it depends on their names."""
        if shape.tree is None and shape.kind not in _WITHOUT_NAMES:
            return None
        key = [shape.id]
        for _, prefix in shape.names:
            if not prefix:
                return None
            code = scope.prefix_code(prefix)
            if code is None:
                return None
            key.append(code)
        return self._style(chunk.part(at), shape, tuple(key))

    def _of_statement(self, text: str, shape: Shape, scope: Scope, words: _Words) -> Style:
        def mean(name: str) -> int:
            number = words.names.get(name)
            if number is None:
                number = words.names[name] = meaning(name, scope, *self._about)
            return number

        if shape.tree is None:
            return self._intern(shape, classify_words(Statement(highlighted_text(text, shape), shape), mean))
        if len(text) > LONGEST:
            return self._style(text, shape, (shape.id, *[UNKNOWN] * len(shape.names)))
        return self._style(text, shape, (shape.id, *map(mean, used_names(text, shape))))

    def _style(self, text: str, shape: Shape, key: tuple[int, ...]) -> Style:
        """Return the style for the shape and the meanings in ``key``."""
        style = self._by_codes.get(key)
        if style is None:
            statement = Statement(highlighted_text(text, shape), shape)
            style = self._by_codes[key] = self._intern(shape, classify(statement, key[1:], *self._about))
        return style

    def _intern(self, shape: Shape, classified: tuple[ClassifiedToken, ...]) -> Style:
        return self._interned.setdefault((shape.id, classified), Style(classified))


def _borders(segments: list[Segment]) -> list[tuple[int, int]]:
    return [(segment.start, segment.end) for segment in segments]
