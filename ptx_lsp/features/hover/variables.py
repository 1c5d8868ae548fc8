"""Hover of variables and parameters: state space, size, alignment, initial value, uses."""

from __future__ import annotations

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.references.tally import tally
from ptx_lsp.analysis.symbols.declarations import declarations_in
from ptx_lsp.analysis.symbols.storage import Storage, bits_of, layout_of
from ptx_lsp.analysis.symbols.symbols import Place, Symbol, SymbolKind
from ptx_lsp.features.hover.parts.counts import counted, times_in_words
from ptx_lsp.features.hover.parts.declaration_text import declaration, in_the_middle, readable
from ptx_lsp.features.hover.parts.hover_info import HoverInfo, line_link
from ptx_lsp.features.hover.parts.operand_role import operand_note
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.names.demangle import demangled
from ptx_lsp.syntax.tree import Declaration, FunctionHead, Operand


def variable(cursor: Cursor, symbol: Symbol) -> HoverInfo:
    """Return the hover of a variable or parameter with its layout and uses."""
    module = cursor.context.module
    line = line_link(module.positions.line_of(symbol.place))
    layout = layout_of(symbol)
    mangled = demangled(symbol.name)
    shown = mangled.brief if mangled is not None else cursor.word
    facts = [f"`{shown}`: {_what(symbol)}, declared in {line}", _size(symbol, layout)]
    found = tally(cursor.semantics, symbol)
    uses = times_in_words(found.count) if found.is_complete else f"at least {found.count} times"
    facts.append(f"used {uses}" if found.count else "not used")
    own = (_offset(cursor, symbol), _pointee(symbol), _contents(symbol), _linkage(symbol))
    whole = f"mangled: `{in_the_middle(symbol.name, _LONGEST_NAME)}`" if mangled is not None else ""
    notes = (operand_note(cursor), *own, whole)
    lead = "; ".join(filter(None, facts))
    return HoverInfo(cursor.span, code=(readable(declaration(symbol)),), lead=(lead,), notes=tuple(filter(None, notes)))


def _what(symbol: Symbol) -> str:
    if symbol.kind is SymbolKind.VARIABLE:
        return f"variable in `{symbol.space}` memory"
    if symbol.space == ".reg":
        return f"parameter in a `{symbol.type}` register"
    return "parameter"


def _size(symbol: Symbol, layout: Storage | None) -> str:
    if layout is None:
        return ""
    if layout.size is None:
        return f"size set at launch or in another module, aligned to {counted(layout.align, 'byte')}"
    element = bits_of(symbol.type) // 8 * (symbol.vector or 1)
    count = layout.size // element if element else 0
    parts = f" ({count:,} × {element})" if count > 1 and element > 1 else ""
    return f"{counted(layout.size, 'byte')}{parts}, aligned to {layout.align}"


def _pointee(symbol: Symbol) -> str:
    """Return the attributes that ``.ptr`` declares for a parameter."""
    statement = symbol.place.chunk.statement(symbol.place.statement)
    for one in declarations_in(statement.shape.tree):
        if one.pointer is not None and any(each.name == symbol.place.token for each in one.declarators):
            space = f"into `{statement.word(one.pointer.space)}`" if one.pointer.space >= 0 else "to a generic address"
            align = f", at a multiple of {statement.word(one.pointer.align)} bytes" if one.pointer.align >= 0 else ""
            return f"points {space}{align}"
    return ""


def _contents(symbol: Symbol) -> str:
    """Return the initial value of a variable."""
    space = catalogue().vocabulary.spaces.get(symbol.space)
    if symbol.kind is not SymbolKind.VARIABLE or space is None or not space.initialized:
        return ""
    if symbol.linkage == ".extern":
        return "defined elsewhere"
    tree = symbol.place.chunk.statement(symbol.place.statement).shape.tree
    for one in declarations_in(tree):
        for declarator in one.declarators:
            if declarator.name == symbol.place.token and declarator.initializer is not None:
                return _first_values(symbol, declarator.initializer)
    return "no initializer: zero-initialized"


def _first_values(symbol: Symbol, initializer: Operand) -> str:
    chunk, index, _ = symbol.place
    text = chunk.part(index)
    tokens = chunk.statement(index).tokens
    written = text[tokens[initializer.first].start : tokens[initializer.last - 1].end]
    string = _as_string(symbol, written)
    if string:
        return f"initializer: `{string}`"
    shown = " ".join(written.split())
    return f"initializer: `{shown}`" if len(shown) <= _LONGEST else "has an initializer"


_LONGEST = 48
_LONGEST_NAME = 60
_LONGEST_STRING = 60
_BYTE_TYPES = frozenset({".b8", ".u8", ".s8"})


def _as_string(symbol: Symbol, written: str) -> str:
    """Return an initializer that is a list of bytes as a string constant of C; empty if it is no text."""
    if symbol.type not in _BYTE_TYPES or len(written) > _MOST_READ:
        return ""
    try:
        numbers = [int(word, 0) & 0xFF for word in written.strip().strip("{}").split(",")]
    except ValueError:
        return ""
    content = bytes(numbers).rstrip(b"\0")
    is_text = len(content) > 1 and all(byte in _ESCAPES or 0x20 <= byte < 0x7F for byte in content)
    if not is_text:
        return ""
    shown = "".join(_ESCAPES.get(byte, chr(byte)) for byte in content)
    return f'"{shown}"' if len(shown) <= _LONGEST_STRING else f'"{shown[:_LONGEST_STRING]}" …'


_ESCAPES = {0x07: "\\a", 0x09: "\\t", 0x0A: "\\n", 0x0D: "\\r", 0x22: '\\"', 0x5C: "\\\\", 0x60: "'"}
"""Bytes that are not shown as they are; a backtick would end a code span."""
_MOST_READ = 20_000
"""Characters of an initializer that are read."""


def _linkage(symbol: Symbol) -> str:
    meaning = catalogue().vocabulary.directives.get(symbol.linkage)
    return f"`{symbol.linkage}`: {meaning.words}" if meaning is not None and symbol.linkage else ""


def _offset(cursor: Cursor, symbol: Symbol) -> str:
    """Return a kernel parameter's position and offset in the parameter space."""
    chunk, index, token = symbol.place
    tree = chunk.statement(index).shape.tree
    if symbol.kind is not SymbolKind.PARAMETER or not isinstance(tree, FunctionHead):
        return ""
    parameters = tree.parameters or ()
    names = [declarator.name for one in parameters for declarator in one.declarators]
    if token not in names:
        return "return parameter"
    place = f"parameter {names.index(token) + 1} of {len(names)}"
    if tree.kind != ".entry":
        return place
    offsets = _offsets(cursor, Place(chunk, index, 0), parameters)
    if offsets is None:
        return place
    return f"{place}, at offset {offsets[token]} of the {counted(offsets[-1], 'byte')} of parameters"


def _offsets(cursor: Cursor, head: Place, parameters: tuple[Declaration, ...]) -> dict[int, int] | None:
    """Return the offset of each parameter by its name token, and the total size under -1; None if a size is unknown."""
    owner = cursor.context.module.function_of(head.chunk)
    found: dict[int, int] = {}
    at = 0
    statement = head.chunk.statement(head.statement)
    for one in parameters:
        for declarator in one.declarators:
            symbol = owner.scope.own(statement.word(declarator.name))
            layout = layout_of(symbol) if symbol is not None else None
            if layout is None or layout.size is None:
                return None
            at = -(-at // layout.align) * layout.align
            found[declarator.name] = at
            at += layout.size
    found[-1] = at
    return found
