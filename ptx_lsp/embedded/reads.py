"""The reads and writes of a fragment: outputs that it reads too early, and accesses to memory."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator

from ptx_lsp.analysis.dataflow.effects import Control, words
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.fragment_operand import FragmentOperand
from ptx_lsp.embedded.target_sets import guarded_targets, target_set
from ptx_lsp.embedded.template import Sigil, SigilKind
from ptx_lsp.stepwise import in_parts, run_to_completion
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.documents.stepwise_loading import load_stepwise
from ptx_lsp.syntax.tree import Instruction, OperandKind
from ptx_lsp.text import Span

_OPCODE_BEFORE = r"\s++[\w.:]*[A-Za-z]\s*+(?:\Z|[;{}:])"
_RESULT_BEFORE = re.compile(_OPCODE_BEFORE, re.ASCII)
"""In reverse: text before the first operand of an instruction without a guard."""
_VECTOR_BEFORE = re.compile(rf"[\w\s,%$|]*+\{{{_OPCODE_BEFORE}", re.ASCII)
"""In reverse: text before one of a vector there."""
_FAR = 4000
_OPERANDS_IN_A_STEP = 256
_LONG = 1 << 14
"""Characters of a fragment that is read in steps."""
_REFERENCES = frozenset({SigilKind.OPERAND, SigilKind.NAMED})


def first_reads(fragment: AsmFragment) -> Iterator[tuple[Span, FragmentOperand] | None]:
    """The outputs that the template reads on every path before it writes them, with the first place.

    None is a pause.
    """
    if fragment.unknown.opaque:
        return
    suspects = yield from _suspects(fragment)
    if not suspects:
        return
    yield None
    semantics = yield from _reading(fragment)
    for function in semantics.module.functions:
        if function.has_unbalanced_braces:
            return
        flow = semantics.flow(function)
        if len(fragment.text) > _LONG:
            yield from flow.preparing()
        said: set[str] = set()
        for node, name, index, always in flow.assignment.read_before_write():
            if name not in suspects or name in said or not always:
                continue
            effect = semantics.effects.of(node.chunk, index)
            statement = node.chunk.statement(index)
            found = words(statement.text)
            if name in {found[at] for at in effect.reads}:
                said.add(name)
                start = semantics.module.positions.statement_start(node.chunk, index)
                at = re.search(
                    rf"{re.escape(name)}(?![\w$])(?!.*{re.escape(name)}(?![\w$]))", statement.text, re.DOTALL
                )
                if at is not None:
                    yield Span(start + at.start(), start + at.end()), suspects[name]


def _suspects(fragment: AsmFragment) -> Generator[None, None, dict[str, FragmentOperand]]:
    """The outputs whose first mention may be a read, by their names."""
    found: dict[str, FragmentOperand] = {}
    places = yield from _first_two(fragment)
    for number, (mark, *others) in enumerate(places, 1):
        if not number % _OPERANDS_IN_A_STEP:
            yield
        operand = fragment.operand_of(mark)
        if operand is None or operand.constraint is None or operand.letter is None:
            continue
        if not operand.written.is_output or operand.constraint.reads or not operand.letter.is_register:
            continue
        start, end = mark.span
        name = fragment.text[start:end]
        is_twice = bool(others) and fragment.text.find(";", end, others[0].span.start) < 0
        if is_twice or not _is_result(fragment.text[max(start - _FAR, 0) : start]):
            found[name] = operand
    return found


def _first_two(fragment: AsmFragment) -> Generator[None, None, Iterable[list[Sigil]]]:
    """The first reference to each operand, and the second one if there is one."""
    found: dict[tuple[int, str], list[Sigil]] = {}
    for part in in_parts(fragment.marks):
        for mark in part:
            if mark.kind in _REFERENCES:
                places = found.setdefault((mark.number, mark.name), [])
                if len(places) < 2:
                    places.append(mark)
        yield
    return found.values()


def _is_result(before: str) -> bool:
    """Whether what stands before the name of an operand makes it a result."""
    reverse = before[::-1]
    return _RESULT_BEFORE.match(reverse) is not None or "{" in before and _VECTOR_BEFORE.match(reverse) is not None


def memory_writes(fragment: AsmFragment) -> Iterator[Span]:
    """The opcodes of the instructions with an address that do more than to write registers."""
    if "[" not in fragment.text:
        return
    semantics = run_to_completion(_reading(fragment))
    for function in semantics.module.functions:
        for chunk in function.chunks:
            for index in range(len(chunk)):
                statement = chunk.statement(index)
                tree = statement.shape.tree
                if not isinstance(tree, Instruction) or statement.shape.errors:
                    continue
                has_address = any(operand.kind is OperandKind.ADDRESS for operand in tree.operands)
                effect = semantics.effects.of(chunk, index)
                if has_address and not effect.results_only and effect.control is Control.ON and not _loads(tree):
                    start = semantics.module.positions.statement_start(chunk, index)
                    first, last = statement.span(tree.opcode_tokens[0]), statement.span(tree.opcode_tokens[-1])
                    yield Span(start + first.start, start + last.end)


def _loads(tree: Instruction) -> bool:
    """Whether the only address of an instruction is its last operand, as that of a load."""
    return tree.operands[-1].kind is OperandKind.ADDRESS and all(
        operand.kind is not OperandKind.ADDRESS for operand in tree.operands[:-1]
    )


def _reading(fragment: AsmFragment) -> Generator[None, None, Semantics]:
    guarded = guarded_targets((*fragment.site.guards, *fragment.variant.guards))
    target = target_set((), guarded).targets[0]
    if len(fragment.text) <= _LONG:
        return Semantics(Module(Document(fragment.checked), None, target, given=fragment.given()))
    document = yield from load_stepwise(fragment.checked)
    given = fragment.given()
    yield
    module = Module(document, None, target, given=given, at_once=False)
    yield from module.read()
    return Semantics(module)
