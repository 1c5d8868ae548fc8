"""Fragments: the PTX of an inline-assembly statement."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Generator, Iterator, Sequence
from operator import attrgetter

from ptx_lsp.analysis.symbols.given_names import GivenKind, GivenName
from ptx_lsp.derived_values import Deriving, once
from ptx_lsp.embedded.alike_templates import AlikeTemplate, AlikeTemplates
from ptx_lsp.embedded.fragment_operand import NO_NAMES, FragmentOperand, SignedNames, fragment_operands
from ptx_lsp.embedded.holes import HoleText, JoinedTemplate
from ptx_lsp.embedded.position_map import PositionMap
from ptx_lsp.embedded.replaced_marks import ReplacedMarks, replacing_marks
from ptx_lsp.embedded.template import Sigil, SigilKind, reading_marks
from ptx_lsp.embedded.text_runs import Changes, RunKind, changing
from ptx_lsp.embedded.unknown_parts import UnknownParts
from ptx_lsp.embedded.unknown_values import with_digits
from ptx_lsp.hosts.site import Site, Variant
from ptx_lsp.lazy_sequence import LazySequence, making
from ptx_lsp.process_cache import ProcessCache
from ptx_lsp.stepwise import in_parts, run_to_completion
from ptx_lsp.suppressions import MARK
from ptx_lsp.text import Span


class AsmFragment(Deriving):
    """The text of one variant of a statement as PTX, with its operands and its places in the host."""

    def __init__(self, site: Site, variant: Variant, template: JoinedTemplate, replaced: ReplacedMarks) -> None:
        self.site = site
        self.variant = variant
        self._template = template
        self.text = replaced.text
        """The PTX: ``%%`` is ``%``, escapes of the host are read, operands stay (``%0``)."""
        self.marks = replaced.marks
        """The sigils of the template but escapes, with places in ``text``."""
        self.replaced = replaced
        """The template with what its sigils stand for."""
        self.operands: tuple[FragmentOperand, ...] = ()
        self.unknown = UnknownParts()

    @once
    def key(self) -> tuple[str, str, str, UnknownParts]:
        """All that the verdict on the fragment depends on, besides the targets."""
        return self.text, self._newer.signature, self._older.signature, self.unknown

    @once
    def map(self) -> PositionMap:
        """The places in the host."""
        return run_to_completion(_mapping(self._template, self.replaced.changes))

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
        """Find ``map``, :meth:`given`, ``key`` and ``checked`` in steps of a few milliseconds."""
        if "map" not in self.__dict__:
            self.__dict__["map"] = yield from _mapping(self._template, self.replaced.changes)
        newer = self.__dict__["_newer"] = yield from self._naming(older=False)
        self.__dict__["_older"] = (yield from self._naming(older=True)) if self.has_two_readings else newer
        self.__dict__["checked"] = yield from self._checking()

    def _naming(self, *, older: bool) -> Generator[None, None, SignedNames]:
        if not self.marks and HoleText.BEGIN not in self.text:
            return NO_NAMES
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
_MOST_SHARED = 1 << 10
_LARGE = 4000
"""Characters of a statement whose fragment is prepared in steps."""


def _mapping(template: JoinedTemplate, changes: Changes | None) -> Generator[None, None, PositionMap]:
    """The places of a template with changes in its host, in steps."""
    return PositionMap((yield from changing((yield from template.making_runs()), changes)))


def _unknown(name: str) -> GivenName:
    return GivenName(name, GivenKind.UNKNOWN)


def fragments_of(site: Site) -> Sequence[AsmFragment]:
    """The fragments of a statement, one for each of its variants."""
    return run_to_completion(making_fragments(site))


def making_fragments(site: Site, shared: SharedFragments | None = None) -> Generator[None, None, Sequence[AsmFragment]]:
    """:func:`fragments_of`; the only one of a statement in steps of a few milliseconds, others when asked for."""
    yield from site.reading()
    variants = site.variants
    alike = site.alike.derived(AlikeTemplates) if site.alike is not None else None
    if alike is not None and (known := alike.of(site.text, variants[0].operands)) is not None:
        return [_of_template(site, known)]

    def steps(number: int) -> Generator[None, None, AsmFragment]:
        variant = yield from making(variants, number)
        known = shared.of_other(site, variant) if shared is not None else None
        if known is not None:
            return known
        fragment = yield from _making(site, variant)
        if len(site.text) >= _LARGE:
            yield from fragment.preparing()
        elif shared is not None:
            shared.add(fragment)
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
    template, *names = fragment._template, fragment._newer, fragment._older  # noqa: SLF001
    return AlikeTemplate(
        host, written, template, fragment.replaced, fragment.map, fragment.operands, fragment.unknown, *names
    )


def _of_template(site: Site, known: AlikeTemplate) -> AsmFragment:
    """The fragment of a statement with one variant whose template is known."""
    fragment = AsmFragment(site, site.variants[0], known.template, known.replaced)
    fragment.operands, fragment.unknown = known.operands, known.unknown
    fragment.__dict__.update(map=known.map, _newer=known.newer, _older=known.older)
    return fragment


class SharedFragments:
    """The fragments of short statements, for others that are equal: those have the same variant, as one object."""

    def __init__(self) -> None:
        self._known: ProcessCache[int, AsmFragment] = ProcessCache(_MOST_SHARED)

    def add(self, fragment: AsmFragment) -> None:
        """Keep a fragment, unless the text of its statement matters."""
        if HoleText.BEGIN not in fragment.text:
            self._known[id(fragment.variant)] = fragment

    def of_other(self, site: Site, variant: Variant) -> AsmFragment | None:
        """The fragment of a variant in another statement, with all that is known of it; None if it is not kept."""
        known = self._known.get(id(variant))
        if known is None:
            return None
        found = AsmFragment.__new__(AsmFragment)
        found.__dict__.update(known.__dict__, site=site)
        return found

    def forget(self) -> None:
        """Keep none."""
        self._known.clear()


def most_different_first(count: int) -> range:
    """The places of a statement's fragments: after the first one those that take the other branches."""
    return range(0, -count, -1)


def _making(site: Site, variant: Variant) -> Generator[None, None, AsmFragment]:
    operands = (yield from fragment_operands(site.dialect, variant.operands)) if variant.operands else ()
    template = JoinedTemplate(variant.pieces)
    yield from template.joining(site.text)
    has_operands = variant.has_operand_lists if site.dialect == "rust" else bool(operands)
    marks = yield from reading_marks(site.dialect, template.text, has_operands=has_operands)
    replaced = ReplacedMarks(template.text)
    if marks is not None:
        replaced = yield from replacing_marks(template.text, marks, operands)
    fragment = AsmFragment(site, variant, template, replaced)
    fragment.operands = operands
    if template.has_holes or replaced.has_holes:
        places = fragment.__dict__["map"] = yield from _mapping(template, replaced.changes)
        holes = list(places.runs.of_kind(RunKind.HOLE))
        fragment.unknown = UnknownParts(*(yield from template.unknown(replaced.text, holes)))
    return fragment
