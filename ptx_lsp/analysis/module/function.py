"""The record of one function, or of the module text before the first: its scopes and where they reach.

A function begins at its head and owns every statement up to the next head, so
the variables between two functions belong to the record of the first. Each run
of statements with one innermost scope is a :class:`Segment`. The records are
made by the ``scanner``.
"""

from __future__ import annotations

from bisect import bisect_right
from enum import IntEnum
from operator import attrgetter

from ptx_lsp.analysis.symbols.symbols import Place, Scope, Symbol
from ptx_lsp.derived_values import Deriving
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk


class Segment(NamedTuple):
    """Statements ``[start, end)`` of a chunk, all with the same innermost scope."""

    start: int
    end: int
    scope: Scope
    inside: bool
    """Whether it stands in the body of a function."""


class StructureFaultKind(IntEnum):
    """Kinds of faults in the structure of a function."""

    DUPLICATE = 1
    UNCLOSED_BRACE = 2
    UNMATCHED_BRACE = 3
    OUTSIDE = 4
    """A statement that belongs into a function body stands in the module."""
    INSIDE = 5
    """A module directive stands in a function body."""
    NO_SECTION = 6
    """Debug data stands outside of sections."""
    IN_SECTION = 7
    """A declaration stands in a debug section."""
    NO_BRACE = 8
    """A function body begins without its brace."""
    SPACE = 9
    """A variable stands in the module, in a state space that has none there in some versions."""
    UNLABELLED = 10
    """A ``.callprototype`` or list of targets without a label right before it."""
    EXTERN_BODY = 11
    """A function with a body is declared as ``.extern``."""
    NO_BODY = 12
    """A kernel has neither a body nor a ``;``."""
    BLOCK_IN_SECTION = 13
    """A brace is opened in a debug section."""
    TOO_DEEP = 14
    """A block in more blocks than ptxas can read."""


class StructureFault(NamedTuple):
    """A fault and where it is; ``earlier`` is the first declaration of a duplicate."""

    fault: StructureFaultKind
    place: Place
    symbol: Symbol | None = None
    earlier: Symbol | None = None


class Function(Deriving):
    """A function with all its chunks, scopes and structural faults."""

    __slots__ = (
        "__weakref__",
        "aliases",
        "chunks",
        "faults",
        "files",
        "first",
        "globals",
        "half_declared",
        "has_body",
        "has_broken_file",
        "has_unbalanced_braces",
        "headers",
        "late",
        "scope",
        "section_labels",
        "sections",
        "segments",
        "sources",
        "symbol",
    )

    def __init__(self, chunks: tuple[Chunk, ...]) -> None:
        self.first = chunks[0]
        self.chunks = chunks
        self.symbol: Symbol | None = None
        """None for the text before the first function head."""
        self.scope = Scope()
        """Parameters and the outermost declarations of the body."""
        self.globals: list[Symbol] = []
        """The symbols that it adds to the module: itself and the variables declared after its body."""
        self.segments: dict[Chunk, list[Segment]] = {}
        self.aliases: list[Place] = []
        """Its ``.alias`` lines."""
        self.headers: list[Place] = []
        """Its ``.version``, ``.target`` and ``.address_size`` lines."""
        self.files: list[Place] = []
        """The ``.file`` lines after it."""
        self.sections: list[Place] = []
        """The ``.section`` lines after it."""
        self.sources: list[Place] = []
        """The directives in the ``.nv_intermediate_source_section`` after it."""
        self.section_labels: list[Place] = []
        """The labels in these sections."""
        self.faults: list[StructureFault] = []
        self.late: dict[Scope, dict[str, Symbol]] = {}
        """Registers and variables declared after an instruction of their scope."""
        self.has_body = False
        self.has_unbalanced_braces = False
        """Whether its braces do not pair: which labels are in sight of each other is then unknown."""
        self.has_broken_file = False
        """Whether a ``.file`` line after it has a syntax error."""
        self.half_declared: frozenset[str] = frozenset()
        """Words of broken declarations: of names that begin so it is not said that they are undeclared."""

    def is_inside(self, chunk: Chunk, statement: int) -> bool:
        """Whether a statement of one of its chunks stands in its body."""
        segments = self.segments[chunk]
        return segments[bisect_right(segments, statement, key=_start) - 1].inside

    def after(self, chunk: Chunk, statement: int) -> Place | None:
        """The statement after one of its statements, which may be in the next chunk; None after the last."""
        if statement + 1 < len(chunk):
            return Place(chunk, statement + 1, 0)
        following = self.chunks.index(chunk) + 1
        return Place(self.chunks[following], 0, 0) if following < len(self.chunks) else None


def statement_count(function: Function) -> int:
    """Number of statements of the chunks of a function, those without an instruction included."""
    return sum(len(chunk.kinds) for chunk in function.chunks)


_start = attrgetter("start")
