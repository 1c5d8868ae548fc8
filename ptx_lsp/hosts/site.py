"""An inline-assembly statement or call in a file of another language: the result of the lexers of this package.

All offsets within a site are relative to its start, so that an edit before it changes nothing but its position.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from enum import IntEnum

from ptx_lsp.derived_values import Deriving
from ptx_lsp.hosts.host_tables import have_other_processor, other_processors
from ptx_lsp.lazy_sequence import making
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.text import Span


class PieceKind(IntEnum):
    """The relation of a piece of the template to the text of the host."""

    VERBATIM = 0
    """The template contains the text of the host as it stands."""
    ESCAPE = 1
    r"""One character or a few for an escape of the host: ``\n``, ``\"``, ``{{`` of an f-string."""
    JOIN = 2
    """Nothing: the place between two adjacent literals, a line splice within one, or a branch of ``#if``. Between two
    templates of Rust it is a new line."""
    MACRO = 3
    """The value of a macro or constant whose definition the file contains; the host text is its name."""
    HOLE = 4
    """Unknown text: an expression of an f-string, an unknown macro, ``#param``."""


class Piece(NamedTuple):
    """A run of the template, and its place in the host text. The pieces of a template have ascending places.

    A place between two pieces (the quotation marks, comments between literals) belongs to a ``JOIN``.
    """

    start: int
    """Offset from the start of the site."""
    end: int
    text: str
    """The text of the template here; empty for ``HOLE`` and, but for new lines, ``JOIN``."""
    kind: PieceKind


class AsmOperand(NamedTuple):
    """An operand of the statement, in the order that numbers refer to: outputs before inputs."""

    constraint: str | None
    """As written, without quotation marks: ``=r``, ``+l``, ``n``; None if it is not a literal. In Rust and in
    ``nvvm.inline_ptx`` the class or the type, with ``=`` for an output and ``+`` for one that is read as well."""
    constraint_span: Span
    """The constraint without quotation marks, relative to the start of the site."""
    expression_span: Span
    """The expression without its parentheses; empty where the call has none for this operand."""
    expression: str
    """The expression in one line, for hints."""
    name: str | None
    """The name that ``%[name]`` refers to."""
    is_output: bool
    """Whether it is in the list of outputs."""


class Clobber(NamedTuple):
    """A clobber, without quotation marks."""

    text: str
    span: Span


class TargetGuard(NamedTuple):
    """A condition that encloses the statement: of ``#if`` or ``if constexpr``, or a macro like ``NV_IF_TARGET``."""

    kind: str
    """``__CUDA_ARCH__``, ``macro``, ``NV_IF_TARGET``, ``if constexpr``, ``toolkit`` or ``other``."""
    text: str
    """The condition as written, in one line."""
    is_negated: bool
    """Whether the statement is in a branch in which the condition does not hold."""
    targets: frozenset[str] | None
    """The targets for which this branch can be compiled, with the negation applied: ``sm_90``, ``sm_90a`` ..., of those
    in ``grammar/vocabulary/targets.md``. Empty: only the host. None: the condition does not restrict them, or its
    meaning is unknown."""


class Certainty(IntEnum):
    """The degree to which it is certain that the template is PTX."""

    HOST = 0
    """It is assembly of the host's processor."""
    UNKNOWN = 1
    """Nothing in the text decides it: only what reads as PTX can be judged."""
    DEVICE = 2
    """The surroundings are device code."""


class SiteProblem(NamedTuple):
    """A place at which the lexer had to guess: a missing parenthesis, a literal without its end."""

    message: str
    span: Span


class Variant(NamedTuple):
    """One reading of the statement: one choice of the branches of the ``#if`` within it."""

    pieces: tuple[Piece, ...]
    operands: tuple[AsmOperand, ...]
    has_operand_lists: bool
    """Whether a colon follows the template. In CUDA C++ ``%%`` is an escape only then; in Rust false if it is raw."""
    clobbers: tuple[Clobber, ...]
    guards: tuple[TargetGuard, ...]
    """The conditions of the branches within the statement."""
    problems: tuple[SiteProblem, ...]
    are_operands_known: bool
    """Whether ``operands`` is complete; otherwise their number and constraints are unknown: a macro or a variable."""


class Parts(NamedTuple):
    """The result of reading the text of a statement."""

    keyword_span: Span
    """``asm``, ``inline_asm_elementwise``."""
    variants: Sequence[Variant]
    """At least one, at most 8; the first is that of the first branches."""


class ReadParts(NamedTuple):
    """The parts of a statement that is like others, with what it shares with them."""

    parts: Parts
    alike: Deriving


class Site:
    """An inline-assembly statement or call in a host file. Its text is read when its parts are first asked for."""

    __slots__ = (
        "_alike",
        "_alike_of",
        "_context",
        "_is_other",
        "_names",
        "_parts",
        "_read",
        "block",
        "dialect",
        "guards",
        "host",
        "macro",
        "start",
        "text",
    )

    host: str
    """The language: ``cuda-cpp``, ``python``, ``rust``, ``llvm``, ``mlir`` or ``mojo``. That of the innermost one
    for CUDA C++ in a Python string."""
    dialect: str
    """The notation of operands in the template: a row of ``grammar/hosts/dialects.md``."""
    start: int
    """The offset of the statement in the host text."""
    text: str
    """The text of the whole statement or call."""
    guards: tuple[TargetGuard, ...]
    """The conditions that enclose it, outermost first. All hold."""
    block: int
    """The offset of the ``{`` of the function that contains it; -1 outside of functions. Templates of one function
    can open and close a block of PTX together."""
    macro: str | None
    """The macro whose definition contains it."""

    def __init__(
        self,
        read: Callable[[str], Parts | Generator[None, None, Parts | ReadParts]],
        place: tuple[str, str, int, str],
        context: Certainty,
        names: tuple[tuple[str, str | None], ...] = (),
        alike_of: Callable[[str], Deriving | None] | None = None,
    ) -> None:
        self._read = read
        self._alike_of = alike_of
        self.host, self.dialect, self.start, self.text = place
        self._context = context
        self.guards = ()
        self.block = -1
        self.macro = None
        self._alike: Deriving | None = None
        self._names = names  # those of the scopes around it that its text contains, with the values that ``read`` takes
        self._parts: Parts | None = None
        self._is_other: bool | None = None  # whether it is assembly of another processor, if that is known

    def set_context(self, guards: tuple[TargetGuard, ...], certainty: Certainty) -> None:
        """Sets what encloses it. For the lexers."""
        self.guards = guards
        self._context = certainty
        self._is_other = None

    def is_equal(self, other: Site) -> bool:
        """Whether another one has the same text and surroundings, wherever it is in the same host text."""
        mine = (self.text, self.dialect, self.host, self._context, self.macro, self.guards, self._names)
        theirs = (other.text, other.dialect, other.host, other._context, other.macro, other.guards, other._names)
        return mine == theirs

    @property
    def context(self) -> Certainty:
        """The certainty that its surroundings give it, before it is read."""
        return self._context

    @property
    def alike(self) -> Deriving | None:
        """The values that it shares with others that differ only in digits; it needs not be read for them.

        None if it shares none, or if it is the first one of them.
        """
        return self._alike_of(self.text) if self._parts is None and self._alike_of is not None else self._alike

    @property
    def span(self) -> Span:
        """The whole statement or call, in the host text."""
        return Span(self.start, self.start + len(self.text))

    @property
    def parts(self) -> Parts:
        """All that the text of the statement says, which does not depend on its place."""
        if self._parts is None:
            run_to_completion(self.reading())
        assert self._parts is not None
        return self._parts

    def reading(self) -> Generator[None, None, None]:
        """Find :attr:`parts` and the first variant in steps: a statement may be as long as a file."""
        if self._parts is None:
            found = self._read(self.text)
            read = found if isinstance(found, Parts) else (yield from found)
            if isinstance(read, ReadParts):
                self._parts, self._alike = read
                return
            yield from making(read.variants, 0)
            self._parts = read
            yield

    @property
    def variants(self) -> Sequence[Variant]:
        """Its readings: one, or up to 8 if there is an ``#if`` within it."""
        return self.parts.variants

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The template, of the first variant."""
        return self.parts.variants[0].pieces

    @property
    def operands(self) -> tuple[AsmOperand, ...]:
        """The operands of the first variant."""
        return self.parts.variants[0].operands

    @property
    def are_operands_known(self) -> bool:
        """Whether ``operands`` is complete, in the first variant."""
        return self.parts.variants[0].are_operands_known

    @property
    def problems(self) -> tuple[SiteProblem, ...]:
        """The problems of the first variant."""
        return self.parts.variants[0].problems

    @property
    def certainty(self) -> Certainty:
        """The degree to which it is certain that the template is PTX."""
        if self._is_other is None:
            is_host = self._context == Certainty.HOST
            self._is_other = not is_host and is_of_other_processor(self.parts.variants[0], self._context)
        return Certainty.HOST if self._is_other else self._context


_WORD = 5
"""The least length of a constraint that is a word; shorter ones are letters."""
_FIRST_WORDS = re.compile(r"(?:^|[;\n{}])[^\S\n]*+([A-Za-z_][\w.]*)")


def is_of_other_processor(variant: Variant, context: Certainty) -> bool:
    """Whether a template is of another processor, by its instructions; outside of device code also by its operands.

    Of a constraint that is a word, such as ``const``, only the whole counts.
    """
    text = "".join([piece.text for piece in variant.pieces])
    if have_other_processor(set(_FIRST_WORDS.findall(text))):
        return True
    if context == Certainty.DEVICE or not (variant.clobbers or variant.operands):
        return False
    clobbers = {one.text.lstrip("%") for one in variant.clobbers}
    written = {constraint.lstrip("=+&") for constraint in {one.constraint or "" for one in variant.operands}}
    letters = written.union(*(one for one in written if len(one) < _WORD))
    return any(clobbers & processor.clobbers or letters & processor.letters for processor in other_processors())
