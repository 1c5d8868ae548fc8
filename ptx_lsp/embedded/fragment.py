"""Fragments: the PTX of an inline-assembly statement."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Generator, Iterable, Iterator, Sequence
from operator import attrgetter

from ptx_lsp.analysis.symbols.given_names import GivenKind, GivenName
from ptx_lsp.derived_values import Deriving, once
from ptx_lsp.embedded.alike_templates import AlikeTemplate, AlikeTemplates
from ptx_lsp.embedded.constraints import CONSTANT
from ptx_lsp.embedded.fragment_operand import FragmentOperand, SignedNames, fragment_operands
from ptx_lsp.embedded.holes import HoleText, JoinedTemplate
from ptx_lsp.embedded.position_map import PositionMap, Replacement, RunKind, TextRun, replacing
from ptx_lsp.embedded.template import Sigil, SigilKind, marks_of
from ptx_lsp.embedded.unknown_parts import UnknownParts
from ptx_lsp.embedded.unknown_values import with_digits
from ptx_lsp.hosts.site import Site, Variant
from ptx_lsp.lazy_sequence import LazySequence, making
from ptx_lsp.stepwise import emptying, in_parts, listed, run_to_completion
from ptx_lsp.suppressions import MARK
from ptx_lsp.text import Span


class AsmFragment(Deriving):
    """The text of one variant of a statement as PTX, with its operands and its places in the host."""

    def __init__(self, site: Site, variant: Variant, text: str, runs: Sequence[TextRun]) -> None:
        self.site = site
        self.variant = variant
        self.text = text
        """The PTX: ``%%`` is ``%``, escapes of the host are read, operands stay (``%0``)."""
        self.map = PositionMap(runs)
        self.marks: tuple[Sigil, ...] = ()
        """The sigils of the template, with places in ``text``."""
        self.operands: tuple[FragmentOperand, ...] = ()
        self.unknown = UnknownParts()

    @once
    def key(self) -> tuple[str, str, str, UnknownParts]:
        """All that the verdict on the fragment depends on, besides the targets."""
        return self.text, self._newer.signature, self._older.signature, self.unknown

    @once
    def has_two_readings(self) -> bool:
        """Whether nvcc declares some operand with another type for targets before sm_100."""
        return any(one.letter is not None and one.letter.kind != one.letter.older for one in self.operands)

    def given(self, *, older: bool = False) -> tuple[GivenName, ...]:
        """The names that the statements may use without a declaration, as newer or older compilers declare them."""
        return (self._older if older else self._newer).names

    @once
    def _newer(self) -> SignedNames:
        return run_to_completion(self._naming(older=False))

    @once
    def _older(self) -> SignedNames:
        return run_to_completion(self._naming(older=True)) if self.has_two_readings else self._newer

    def preparing(self) -> Iterator[None]:
        """Find :meth:`given`, ``key`` and ``checked`` in steps of a few milliseconds."""
        newer = self.__dict__["_newer"] = yield from self._naming(older=False)
        self.__dict__["_older"] = (yield from self._naming(older=True)) if self.has_two_readings else newer
        self.__dict__["checked"] = yield from self._checking()

    def _naming(self, *, older: bool) -> Generator[None, None, SignedNames]:
        found: dict[str, GivenName] = {}
        for part in in_parts(self.marks):
            for mark in part:
                if mark.kind in _OPERANDS:
                    name = self.text[mark.span.start : mark.span.end]
                    if name not in found:
                        operand = self.operand_of(mark)
                        found[name] = _unknown(name) if operand is None else operand.given(name, older=older)
            yield
        for number, match in enumerate(_HOLE_NAME.finditer(self.text) if HoleText.BEGIN in self.text else (), 1):
            if match[0] not in found:
                found[match[0]] = _unknown(match[0])
            if not number % _IN_A_STEP:
                yield
        return (yield from SignedNames.signing([*found.values()]))

    def operand_of(self, mark: Sigil) -> FragmentOperand | None:
        """The operand that a mark refers to; None if there is none."""
        if mark.kind is SigilKind.OPERAND:
            return self.operands[mark.number] if mark.number < len(self.operands) else None
        if mark.kind is SigilKind.NAMED:
            return self._by_name.get(mark.name)
        return None

    @once
    def _by_name(self) -> dict[str, FragmentOperand]:
        found: dict[str, FragmentOperand] = {}
        for one in self.operands:
            if one.written.name is not None:
                found.setdefault(one.written.name, one)
        return found

    @once
    def rewritten_names(self) -> frozenset[str]:
        """The names of operands that the host writes otherwise: ``$x`` for ``{x}``."""
        return frozenset(self.text[mark.span.start : mark.span.end] for mark in self.marks if mark.text is not None)

    @once
    def checked(self) -> str:
        """``text`` with digits for constants of unknown value where they are a part of an expression: ``[%1+00]``.

        PTX has no names there. The numbers with which they are computed, but for addresses, are zero too: nothing may
        depend on them. All places stay the same.
        """
        return run_to_completion(self._checking())

    def _checking(self) -> Generator[None, None, str]:
        names = {one.name for one in self.given() if one.kind is not GivenKind.REGISTER}
        return (yield from with_digits(self.text, names)) if names else self.text

    def has_unknown_value(self, offset: int) -> bool:
        """Whether ``checked`` has a number for an unknown one in the statement around an offset, but in no address."""
        if self.checked == self.text:
            return False
        at = bisect_left(self._ends, offset)
        known = self._unknown_values.get(at)
        if known is None:
            first = self._ends[at - 1] + 1 if at else 0
            end = self.text.find(";", offset)
            end = end if end >= 0 else len(self.text)
            written, checked = (_ADDRESS.sub("", text[first:end]) for text in (self.text, self.checked))
            known = self._unknown_values[at] = written != checked
        return known

    @once
    def _ends(self) -> list[int]:
        """The places of all marks that end a statement."""
        return [match.start() for match in _ENDS.finditer(self.text)]

    @once
    def _unknown_values(self) -> dict[int, bool]:
        """The answers of :meth:`has_unknown_value`, by the number of ends before."""
        return {}

    def number_of(self, operand: FragmentOperand) -> int:
        """The number of an operand."""
        return self._numbers[id(operand)]

    @once
    def _numbers(self) -> dict[int, int]:
        return {id(one): number for number, one in enumerate(self.operands)}

    @property
    def has_known_operands(self) -> bool:
        """Whether the host writes out all operands: none of their constraints is the value of a macro."""
        is_known = self.variant.are_operands_known and not self.variant.problems
        return is_known and all(one.constraint is not None for one in self.operands)

    def is_comment(self, offset: int) -> bool:
        """Whether an offset of the text is in a comment."""
        at = bisect_right(self._comments, offset, key=attrgetter("start")) - 1
        return at >= 0 and offset < self._comments[at].end

    @once
    def _comments(self) -> list[Span]:
        """The comments from the character after their mark on."""
        return [Span(match.start() + 2, match.end()) for match in _COMMENTS.finditer(self.text)]

    @property
    def is_unknown(self) -> bool:
        """Whether a part of each statement is unknown."""
        end = -1
        for start, stop in self.unknown.opaque:
            if start > end + 1:
                return False
            end = stop
        return end >= len(self.text) or not self.text[end + 1 :].strip() and _OPENING.search(self.text) is None

    @once
    def is_blank(self) -> bool:
        """Whether it has nothing but white space and comments, with nothing to say about them."""
        return _BLANK(self.text) is not None and self.text.isascii() and MARK not in self.text


_OPERANDS = frozenset({SigilKind.OPERAND, SigilKind.MODIFIED, SigilKind.NAMED})
_ENDS = re.compile(r"[;{}]")
_BLANK = re.compile(r"(?:[ \t\r\n]++|//[^\n\0]*+|/\*(?:[^*\0]|\*(?!/))*+\*/)*+").fullmatch
_OPENING = re.compile(r"[{(\[\"]|/\*")
"""The beginnings of what may lack its end at the end of the text."""
_COMMENTS = re.compile(r"//[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/)?+")
_HOLE_NAME = re.compile(rf"[%$]?{HoleText.BEGIN}\d+_", re.ASCII)
_ADDRESS = re.compile(r"\[[^\[\];]*\]")
_IN_A_STEP = 1024
_LARGE = 4000
"""Characters of a fragment that is prepared in steps."""


def _unknown(name: str) -> GivenName:
    return GivenName(name, GivenKind.UNKNOWN)


def fragments_of(site: Site) -> Sequence[AsmFragment]:
    """The fragments of a statement, one for each of its variants."""
    return run_to_completion(making_fragments(site))


def making_fragments(site: Site) -> Generator[None, None, Sequence[AsmFragment]]:
    """:func:`fragments_of`; the only one of a statement in steps of a few milliseconds, others when asked for."""
    yield from site.reading()
    variants = site.variants
    alike = site.alike.derived(AlikeTemplates) if site.alike is not None else None
    if alike is not None and (known := alike.of(site.text, variants[0].operands)) is not None:
        return [_of_template(site, known)]

    def steps(number: int) -> Generator[None, None, AsmFragment]:
        fragment = yield from _making(site, (yield from making(variants, number)))
        if len(fragment.text) >= _LARGE:
            yield from fragment.preparing()
        return fragment

    if len(variants) == 1:
        fragment = yield from steps(0)
        if alike is not None and alike.is_asked_for:
            alike.keep(_template(fragment))
        return [fragment]
    return LazySequence(len(variants), lambda number: run_to_completion(steps(number)), steps)


def _template(fragment: AsmFragment) -> AlikeTemplate:
    """The template of a fragment, for statements that are alike."""
    host, written = fragment.site.text, fragment.variant.operands
    names = fragment._newer, fragment._older  # noqa: SLF001
    return AlikeTemplate(
        host, written, fragment.text, fragment.map, fragment.marks, fragment.operands, fragment.unknown, *names
    )


def _of_template(site: Site, template: AlikeTemplate) -> AsmFragment:
    """The fragment of a statement with one variant whose template is known."""
    fragment = AsmFragment(site, site.variants[0], template.text, ())
    fragment.map, fragment.marks, fragment.operands = template.map, template.marks, template.operands
    fragment.unknown = template.unknown
    fragment.__dict__["_newer"], fragment.__dict__["_older"] = template.newer, template.older
    return fragment


def most_different_first(count: int) -> range:
    """The places of a statement's fragments: after the first one those that take the other branches."""
    return range(0, -count, -1)


def _making(site: Site, variant: Variant) -> Generator[None, None, AsmFragment]:
    operands = yield from fragment_operands(site.dialect, variant.operands)
    template = JoinedTemplate()
    yield from template.joining(variant.pieces, site.text)
    text, runs = template.text, template.runs
    has_operands = variant.has_operand_lists if site.dialect == "rust" else bool(operands)
    marks = yield from listed(marks_of(site.dialect, text, has_operands=has_operands))
    are_registers = [one.letter is not None and one.letter.is_register for one in operands]
    changes: list[Replacement] = []
    for number, mark in enumerate(marks, 1):
        is_operand = mark.kind is SigilKind.OPERAND
        is_register = is_operand and mark.number < len(operands) and are_registers[mark.number]
        if is_operand and not is_register and _is_pasted(text, mark, operands):
            changes.append(_pasted(mark, number - 1))
        elif mark.text is not None:
            changes.append(_change(mark))
        if not number % _IN_A_STEP:
            yield
    moved = tuple((yield from listed(_moved(marks, changes))) if changes else marks)
    yield from emptying(marks)
    text, runs = yield from replacing(text, runs, changes)
    has_holes = template.has_holes or any(change.kind is RunKind.HOLE for change in changes)
    yield from emptying(changes)
    fragment = AsmFragment(site, variant, text, runs)
    fragment.marks, fragment.operands = moved, operands
    if has_holes:
        holes = [Span(run.ptx, run.ptx_end) for run in runs if run.kind is RunKind.HOLE]
        fragment.unknown = UnknownParts(*(yield from template.unknown(text, holes)))
    return fragment


def _is_pasted(text: str, mark: Sigil, operands: Sequence[FragmentOperand]) -> bool:
    """Whether a mark that is no register stands for unknown text: it may be anything, or is a part of a word."""
    letter = operands[mark.number].letter if mark.number < len(operands) else None
    start, end = mark.span
    is_part = _is_word(text[start - 1 : start]) or _is_word(text[end : end + 1]) or text[end : end + 1] in ("%", "$")
    return is_part or letter is not None and letter.kind != CONSTANT


def _is_word(character: str) -> bool:
    return character.isalnum() or character in ("_", "$", ".", ":")


def _pasted(mark: Sigil, number: int) -> Replacement:
    return Replacement(*mark.span, f"{HoleText.BEGIN}9{number}_", RunKind.HOLE)


def _change(mark: Sigil) -> Replacement:
    assert mark.text is not None
    return Replacement(*mark.span, mark.text, RunKind.ESCAPE if mark.kind is SigilKind.ESCAPE else RunKind.OPERAND)


def _moved(marks: Iterable[Sigil], changes: Iterable[Replacement]) -> Iterator[Sigil]:
    """The marks with places in the text after the changes."""
    by = 0
    waiting = iter(changes)
    change = next(waiting, None)
    for mark in marks:
        kind, (start, end), number, name, text = mark
        length = end - start
        if change is not None and change.start == start:
            length = len(change.text)
            change = next(waiting, None)
        begin = start + by
        yield Sigil(kind, Span(begin, begin + length), number, name, text)
        by += length - (end - start)
