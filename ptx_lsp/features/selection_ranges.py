"""Selection ranges: token, operand, statement, block, function, file, each enclosing the previous one.

In a comment the innermost range is the comment. In a function head, the parameter and its list are ranges too.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from itertools import repeat

from ptx_lsp.analysis.module.chunk_summary import any_of
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.semantics.text_sections import TextSection, block_around, finding_sections
from ptx_lsp.analysis.symbols.declarations import declarations_in
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tokens import TokenKind
from ptx_lsp.syntax.tree import FunctionHead, Instruction, Operand, Prototype, Tree
from ptx_lsp.syntax.trivia import comments
from ptx_lsp.text import Span

INNERMOST, OUTERMOST = 90, 10
"""The numbers of innermost and outermost ranges kept of a longer list; clients read the nested answer by recursion."""


def selection_with_loops(semantics: Semantics, offset: int) -> list[Span]:
    """Return :func:`selecting_with_loops` for one place, at once."""
    return run_to_completion(selecting_with_loops(semantics, [offset]))[0]


def selecting_with_loops(semantics: Semantics, offsets: Iterable[int]) -> Generator[None, None, list[list[Span]]]:
    """Find the ranges of :func:`selection` with the basic block, labelled blocks and loops around some places.

    One that crosses a pair of braces around the place is left out.
    """
    module = semantics.module
    known: dict[Function, list[TextSection]] = {}
    answers = []
    for offset in offsets:
        yield
        found = selection(module, offset)
        answers.append(found)
        if not module.document.chunks:
            continue
        number, index, _ = module.document.locate(max(0, min(offset, module.document.length)))
        chunk = module.document.chunks[number]
        function = module.function_of(chunk)
        if function not in known:
            known[function] = yield from finding_sections(semantics, function)
            yield
        inner = [one.span for one in known[function] if one.span.start <= offset <= one.span.end]
        block = block_around(semantics, function, chunk, index)
        if block is not None and block.start <= offset <= block.end:
            inner.append(block)
        for span in _limited(sorted(inner, key=lambda one: one.end - one.start)):
            at = next((at for at, one in enumerate(found) if _is_larger(one, span)), len(found))
            if at and found[at - 1] != span and _is_larger(span, found[at - 1]) and at < len(found):
                found.insert(at, span)
        answers[-1] = _limited(found)
    return answers


def selection(module: Module, offset: int) -> list[Span]:
    """Return the ranges around ``offset``, innermost first; the last one is the whole document.

    Of more than a hundred ranges only the innermost and the outermost ones are returned.
    """
    document = module.document
    whole = Span(0, document.length)
    if not document.chunks:
        return [whole]
    offset = max(0, min(offset, document.length))
    number, index, inside = document.locate(offset)
    chunk = document.chunks[number]
    statement = chunk.statement(index)
    start = offset - inside
    found = [span.shifted(start) for span in _in_statement(statement, inside)]
    found += _blocks(module, number, index)
    found.append(whole)
    growing = _growing(found, offset)
    return _limited(growing)


def _limited(growing: list[Span]) -> list[Span]:
    return growing if len(growing) <= INNERMOST + OUTERMOST else growing[:INNERMOST] + growing[-OUTERMOST:]


def _growing(spans: list[Span], offset: int) -> list[Span]:
    """Keep the spans that contain ``offset`` and strictly enlarge the previous one."""
    found: list[Span] = []
    for span in spans:
        if span.start <= offset <= span.end > span.start and (not found or _is_larger(span, found[-1])):
            found.append(span)
    return found


def _is_larger(span: Span, inner: Span) -> bool:
    return span.start <= inner.start and inner.end <= span.end and span != inner


def _in_statement(statement: Statement, inside: int) -> Iterator[Span]:
    tokens = statement.tokens
    touched = [token for token in tokens if token.start <= inside <= token.end]
    # Between two adjacent tokens, prefer the word to the punctuation.
    for _, start, end in sorted(touched, key=lambda token: token.kind is TokenKind.MARK):
        yield Span(start, end)
    for comment in comments(statement.text):
        if comment.start < inside <= comment.end:
            yield comment
    tree = statement.shape.tree
    if isinstance(tree, Instruction):
        opcode = Span(statement.span(tree.opcode_tokens[0]).start, statement.span(tree.opcode_tokens[-1]).end)
        if opcode.start <= inside <= opcode.end:
            yield opcode
        yield from sorted(_operands(statement, tree.operands), key=lambda span: span.end - span.start)
    else:
        yield from sorted(_declarations(statement, tree), key=lambda span: span.end - span.start)
    yield Span(statement.lead, tokens[-1].end if tokens else len(statement.text))


def _declarations(statement: Statement, tree: Tree | None) -> Iterator[Span]:
    """Yield parameters of a head, their parenthesized lists, and the elements of initializers."""
    for declaration in declarations_in(tree):
        yield statement.span(declaration.first, declaration.last)
        for declarator in declaration.declarators:
            if declarator.initializer is not None:
                yield from _operands(statement, (declarator.initializer,))
    if isinstance(tree, FunctionHead | Prototype):
        for declarations in (tree.returns, tree.parameters):
            if declarations:
                first, last = declarations[0].first - 1, declarations[-1].last
                if last < len(statement.tokens) and (statement.word(first), statement.word(last)) == ("(", ")"):
                    yield statement.span(first, last + 1)


def _operands(statement: Statement, operands: tuple[Operand, ...]) -> Iterator[Span]:
    pending = [*reversed(operands)]  # braces may be nested without a bound
    while pending:
        operand = pending.pop()
        yield Span(statement.span(operand.first).start, statement.span(operand.last - 1).end)
        pending += reversed(operand.parts)


def _blocks(module: Module, number: int, index: int) -> Iterator[Span]:
    """Yield the brace pairs around a statement, innermost first, each without and then with its head."""
    openings, ends = _openings(module, number, index), _ends(module, number, index)
    for (opening_number, opening), end in zip(openings, ends, strict=False):
        yield Span(_start(module, opening_number, opening), end)
        head = _head_before(module, opening_number, opening)
        if head is not None:
            yield Span(head, end)


def _openings(module: Module, number: int, index: int) -> Iterator[tuple[int, int]]:
    """Yield the opening braces of the blocks around a statement, innermost first."""
    depth = 0
    for opening_number, opening in _backwards(module, number, index):
        kind = module.document.chunks[opening_number].kinds[opening]
        if kind == Kind.CLOSE and (opening_number, opening) != (number, index):
            depth += 1
        elif kind == Kind.OPEN:
            if not depth:
                yield opening_number, opening
            depth = max(0, depth - 1)
        if kind == Kind.FUNCTION:
            return


def _backwards(module: Module, number: int, index: int) -> Iterator[tuple[int, int]]:
    chunks = module.document.chunks
    while number >= 0:
        marks = [match.start() for match in _STRUCTURE.finditer(chunks[number].kinds, 0, index + 1)]
        for at in reversed(marks):
            yield number, at
        number -= 1
        index = len(chunks[number].kinds) - 1 if number >= 0 else -1


_STRUCTURE = any_of({Kind.OPEN, Kind.CLOSE, Kind.FUNCTION})


def _start(module: Module, number: int, index: int) -> int:
    chunk = module.document.chunks[number]
    return module.document.chunk_start(number) + chunk.starts()[index] + chunk.statement(index).lead


def _ends(module: Module, number: int, index: int) -> Iterator[int]:
    """Yield the ends of the blocks around a statement, innermost first; an unclosed block ends with its function."""
    depth = 0
    document = module.document
    at = index if document.chunks[number].kinds[index] == Kind.CLOSE else index + 1
    for current in range(number, len(document.chunks)):
        chunk: Chunk = document.chunks[current]
        for match in _STRUCTURE.finditer(chunk.kinds, at):
            statement, kind = match.start(), match[0][0]
            if kind == Kind.OPEN:
                depth += 1
            elif kind == Kind.FUNCTION:
                yield from repeat(document.chunk_start(current) + chunk.starts()[statement])
            elif depth:
                depth -= 1
            else:
                yield document.chunk_start(current) + chunk.starts()[statement + 1]
        at = 0
    yield from repeat(document.length)


def _head_before(module: Module, number: int, index: int) -> int | None:
    """Return the start of the function or section head whose body opens at a statement."""
    chunks = module.document.chunks
    if index == 0:
        if number == 0:
            return None
        number, index = number - 1, len(chunks[number - 1].kinds)
    kind = chunks[number].kinds[index - 1]
    return _start(module, number, index - 1) if kind in (Kind.FUNCTION, Kind.SECTION) else None
