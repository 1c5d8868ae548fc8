"""Why a written operand does not fit: the narrowest part that is wrong, and what would be right there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ptx_lsp.isa.matching.addresses import takes_offset
from ptx_lsp.isa.matching.fitting import Fitting
from ptx_lsp.isa.matching.values import REFERENCES
from ptx_lsp.isa.matching.vectors import CONSTANTS
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.form import FormOperand
from ptx_lsp.isa.model.match_result import Mismatch, Problem
from ptx_lsp.isa.model.operand_pattern import Alternative, ranges_in_words
from ptx_lsp.isa.vocabulary.register_types import BITS

Path = tuple[int, ...]


def explain(
    fitting: Fitting, operands: list[FormOperand], written: tuple[ActualOperand, ...], path: Path = ()
) -> list[Mismatch]:
    """The mismatches of written operands against as many operands of a form."""
    return [
        mismatch
        for at, (operand, given) in enumerate(zip(operands, written, strict=True))
        for mismatch in _operand(fitting, operand, given, (*path, at))
    ]


def _operand(fitting: Fitting, operand: FormOperand, written: ActualOperand, path: Path) -> Iterator[Mismatch]:
    if fitting.accepts(operand, written):
        return
    selector = fitting.value(operand.selector) or "" if operand.selector else ""
    if written.selector != selector:
        if written.selector:
            yield Mismatch(Problem.OPERAND_PART, operand=path, wanted=fitting.selectors(operand))
        else:
            yield Mismatch(Problem.OPERAND_KIND, operand=path, wanted=(selector,))
        return
    if (written.pair is not None) != fitting.wants_pair(operand):
        extra = written.pair is not None
        yield Mismatch(
            Problem.OPERAND_KIND,
            operand=(*path, -1) if extra else path,
            message="a second result is not allowed here"
            if extra
            else f"a second result is missing: '{operand.name}|{operand.pair}'",
        )
        return
    signed_sink = written.sign and written.kind == "sink"
    if fitting.is_written(operand) and not signed_sink and written.kind in (*CONSTANTS, "variable", "special", "sink"):
        yield Mismatch(Problem.OPERAND_KIND, operand=path, wanted=("register",))
        return
    if written.sign and fitting.accepts(operand, written._replace(sign="")):
        yield Mismatch(Problem.OPERAND_SIGN, operand=path)
        return
    if not fitting.body(operand, written):
        yield from _body(fitting, operand, written, path)
    elif written.pair is not None:
        yield from _value(fitting, operand.pair, written.pair, (*path, -1))
    else:
        wrong = next((at for at, part in enumerate(written.parts) if part.kind not in ("register", "sink")), -1)
        yield Mismatch(Problem.OPERAND_KIND, operand=(*path, wrong) if wrong >= 0 else path, wanted=("register",))


def _body(fitting: Fitting, operand: FormOperand, written: ActualOperand, path: Path) -> Iterator[Mismatch]:
    kind = operand.kind
    if kind == "name":
        yield from _value(fitting, operand.name, written, path)
    elif kind == "number":
        problem = Problem.OPERAND_VALUE if written.kind == "integer" else Problem.OPERAND_KIND
        yield Mismatch(problem, operand=path, wanted=(operand.name,))
    elif kind == "sink":
        yield Mismatch(Problem.OPERAND_KIND, operand=path, wanted=("_",))
    elif written.kind != kind:
        yield Mismatch(Problem.OPERAND_KIND, operand=path, wanted=(kind,))
    else:
        parts = fitting.operands(operand.parts)
        if len(parts) != len(written.parts):
            problem = Problem.VECTOR_LENGTH if kind == "vector" else Problem.OPERAND_COUNT
            message = "" if kind == "vector" else _part_count(kind, operand.parts, written)
            yield Mismatch(problem, operand=path, wanted=(str(len(parts)),), message=message)
        elif kind == "vector":
            yield from explain(fitting, parts, written.parts, path)
        else:
            if (written.offset or written.parts[0].offset) and not takes_offset(fitting, operand, written):
                message = "an address before further operands cannot have an offset; add it to the register first"
                if len(written.parts) == 1 or written.parts[0].kind in REFERENCES.values():
                    message = "a texture, a surface and its handle cannot have an offset"
                yield Mismatch(Problem.OPERAND_KIND, operand=path, message=message)
            if not fitting.base(operand, written.parts[0]):
                yield _address(fitting, operand, written.parts[0], (*path, 0))
            for at, (part, given) in enumerate(zip(parts, written.parts, strict=True)):
                if at:
                    yield from _operand(fitting, part, given, (*path, at))


def _part_count(kind: str, parts: tuple[FormOperand, ...], written: ActualOperand) -> str:
    """The message about too few or too many operands in an address or argument list; optional ones are in braces."""
    shown = ""
    for part in parts:
        word = f"{{{part.name or '…'}}}" if part.kind == "vector" else part.name or "…"
        comma = ", " if shown else ""
        shown += f"{{{comma}{word}}}" if part.option else f"{comma}{word}"
    least = sum(not part.option for part in parts)
    wanted = " or ".join(map(str, range(least, len(parts) + 1)))
    count = len(written.parts)
    noun = "operand" if count == 1 else "operands"
    what, whole = ("address", f"[{shown}]") if kind == "address" else ("list", f"({shown})")
    return f"this {what} has {count} {noun}; expected {wanted}: {whole}"


def _address(fitting: Fitting, operand: FormOperand, base: ActualOperand, path: Path) -> Mismatch:
    """The kinds of an address here: state spaces, register types, or references."""
    wanted = [fitting.value(space.type) or "generic" for space in fitting.spaces(operand)]
    references = [word for word in wanted if word in REFERENCES]
    if len(references) == len(wanted):
        return Mismatch(Problem.OPERAND_KIND, operand=path, wanted=tuple(references))
    if fitting.only_shared:
        wanted = [".shared" if word == "generic" else word for word in wanted]
    types = [word for word in wanted if word in BITS] or [".b64", ".b32"]
    if base.kind == "register":
        return Mismatch(Problem.OPERAND_TYPE, operand=path, wanted=tuple(types))
    spaces = [word for word in wanted if word not in BITS and word not in references] or references
    return Mismatch(Problem.OPERAND_KIND, operand=path, wanted=(*spaces, "register"))


def _value(fitting: Fitting, name: str, written: ActualOperand, path: Path) -> Iterator[Mismatch]:
    """The kinds of a value: the alternative that comes nearest decides what is said."""
    alternatives = [alternative for kind in fitting.kinds(name) for alternative in kind.alternatives]
    wider = any(kind.wider for kind in fitting.kinds(name))
    vectors = [
        (alternative, length) for alternative in alternatives if (length := _length(fitting, alternative)) is not None
    ]
    scalars = [
        alternative
        for alternative in alternatives
        if alternative.what == "type" and _length(fitting, alternative) is None
    ]
    if written.kind == "vector" and vectors:
        yield from _vector(fitting, vectors, written, wider, path)
    elif written.kind == "register" and scalars:
        yield Mismatch(Problem.OPERAND_TYPE, operand=path, wanted=_types(fitting, scalars))
    elif written.kind == "integer" and any(alternative.what == "imm" for alternative in alternatives):
        yield Mismatch(
            Problem.OPERAND_VALUE,
            operand=path,
            wanted=ranges_in_words(one for each in alternatives for one in each.ranges),
        )
    else:
        wanted = tuple(
            dict.fromkeys(word for alternative in alternatives for word in _kind_words(fitting, alternative))
        )
        yield Mismatch(Problem.OPERAND_KIND, operand=path, wanted=wanted)


def _length(fitting: Fitting, alternative: Alternative) -> int | None:
    if alternative.what == "vector":
        return len(alternative.elements)
    if alternative.what == "type" and alternative.length is not None:
        return fitting.count(alternative.length)
    return None


def _vector(
    fitting: Fitting, vectors: list[tuple[Alternative, int]], written: ActualOperand, wider: bool, path: Path
) -> Iterator[Mismatch]:
    right = [alternative for alternative, length in vectors if length == len(written.parts)]
    if not right:
        lengths = dict.fromkeys(str(length) for _, length in vectors)
        yield Mismatch(Problem.VECTOR_LENGTH, operand=path, wanted=tuple(lengths))
        return
    wrong = []
    for at, part in enumerate(written.parts):
        element = right[0] if right[0].what == "type" else None
        if element is None:
            kind = right[0].elements[at]
            fits = any(fitting.alternative(inner, part, kind.wider) for inner in kind.alternatives)
            types = _types(fitting, kind.alternatives)
        else:
            whole = written._replace(parts=(part,) * len(written.parts))
            fits = fitting.alternative(element, whole, wider)
            types = _types(fitting, [element])
        if not fits and part.kind != "unknown":
            problem = Problem.OPERAND_TYPE if part.kind == "register" else Problem.OPERAND_KIND
            words = types if problem is Problem.OPERAND_TYPE else ("register",)
            wrong.append(Mismatch(problem, operand=(*path, at), wanted=words))
    yield from wrong[:1] or [Mismatch(Problem.OPERAND_TYPE, operand=path, wanted=_types(fitting, right))]


def _types(fitting: Fitting, alternatives: Iterable[Alternative]) -> tuple[str, ...]:
    """The types that are wanted, each with the one it lives in."""
    words: dict[str, None] = {}
    for alternative in alternatives:
        name = fitting.value(alternative.type)
        if name:
            words[name] = None
            holder = fitting.form.shared.holders.get(name)
            if holder and not alternative.exact:
                words[holder] = None
    return tuple(words)


def _kind_words(fitting: Fitting, alternative: Alternative) -> Iterator[str]:
    """The names of an alternative in a message."""
    what = alternative.what
    if what == "imm":
        yield "integer"
    elif what == "sink":
        yield "_"
    elif alternative.type in REFERENCES:
        yield alternative.type
    elif what == "type":
        if _length(fitting, alternative) is not None:
            yield "vector"
            return
        yield "register"
        name = fitting.value(alternative.type) or ""
        if not alternative.register and name not in fitting.form.shared.holders:
            if name[1:2] in ("b", "u", "s"):
                yield "integer"
            elif name in (".f32", ".f64"):
                yield "float"
    else:
        yield "special register" if what == "special" else what
