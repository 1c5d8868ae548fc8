"""The operands of a fragment, and the names that they give to its statements."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence

from ptx_lsp.analysis.symbols.given_names import GivenKind, GivenName
from ptx_lsp.embedded.constraints import CONSTANT, Constraint, Letter, letters_of, read_constraint
from ptx_lsp.hosts.site import AsmOperand
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized
from ptx_lsp.stepwise import listed, mapped

_NAMES_IN_A_STEP = 1024


class FragmentOperand(NamedTuple):
    """An operand of the statement as the fragment sees it."""

    written: AsmOperand
    constraint: Constraint | None
    """None if the host does not write it as a literal. An output to which an input is tied has ``+``."""
    letter: Letter | None
    """None if the constraint is wrong or unknown."""
    number: int
    """The number by which templates refer to it."""

    def given(self, name: str, *, older: bool) -> GivenName:
        """The name that stands for it, with the meaning that newer or older compilers give it."""
        letter = self.letter
        if letter is None:
            return GivenName(name, GivenKind.UNKNOWN)
        if letter.kind == CONSTANT:
            return GivenName(name, GivenKind.CONSTANT)
        if not letter.is_register:
            return GivenName(name, GivenKind.UNKNOWN)
        assert self.constraint is not None
        type_ = letter.older if older else letter.kind
        is_output = self.written.is_output
        is_input = not is_output or "+" in self.constraint.modifiers
        return GivenName(name, GivenKind.REGISTER, type_, is_input, is_output)


def fragment_operands(
    dialect: str, operands: Sequence[AsmOperand]
) -> Generator[None, None, tuple[FragmentOperand, ...]]:
    """The operands of a statement in a notation; in steps of some thousand."""
    read = yield from mapped(_constraint, operands)
    return tuple((yield from listed(_operands(letters_of(dialect), operands, read))))


def _constraint(operand: AsmOperand) -> Constraint | None:
    return None if operand.constraint is None else read_constraint(operand.constraint)


def _operands(
    letters: Mapping[str, Letter], operands: Sequence[AsmOperand], read: Sequence[Constraint | None]
) -> Iterator[FragmentOperand]:
    tied = {one.tied for one in read if one is not None and one.tied is not None}
    for number, (written, constraint) in enumerate(zip(operands, read, strict=True)):
        letter = None
        if number in tied and constraint is not None:
            constraint = constraint._replace(modifiers=constraint.modifiers.replace("=", "+"))
        if constraint is not None:
            source = constraint
            if constraint.tied is not None and constraint.tied < len(read):
                source = read[constraint.tied] or constraint
            letter = letters.get(source.letters)
        yield FragmentOperand(written, constraint, letter, number)


class SignedNames(NamedTuple):
    """The names that statements may use without a declaration."""

    names: tuple[GivenName, ...]
    signature: str
    """A text that other names do not have: it is compared quickly."""

    @classmethod
    def signing(cls, names: Sequence[GivenName]) -> Generator[None, None, SignedNames]:
        """With their signature, in steps of a thousand."""
        parts: list[str] = []
        for at in range(0, len(names), _NAMES_IN_A_STEP):
            if at:
                yield
            parts.append(_signature(tuple(names[at : at + _NAMES_IN_A_STEP])))
        return cls(tuple(names), "".join(parts))


NO_NAMES = SignedNames((), "")


@memoized(1024)
def _signature(names: tuple[GivenName, ...]) -> str:
    return repr([tuple(one) for one in names])  # several times as fast as the names of all fields
