"""Token types and modifiers, with standard LSP names as fallbacks for custom ones.

Standard names are used where one fits, so that every theme highlights PTX. A client that does not support a custom
name gets its :attr:`TokenType.standard` instead.

Source: LSP specification, "Semantic Tokens".
"""

from __future__ import annotations

from enum import Enum, IntFlag, auto


class TokenType(Enum):
    """The type of a token: its name, the nearest standard name, its use."""

    OPCODE = "opcode", "keyword", "the name of an instruction, all parts: `mov`, `cp` `.async` `.bulk`"
    QUALIFIER = (
        "qualifier",
        "modifier",
        "a qualifier without one of the following roles: `.sat`, `.sync`",
    )
    ROUNDING = "rounding", "modifier", "a rounding mode: `.rn`, `.rzi`"
    ORDER = "order", "modifier", "a memory order: `.acquire`, `.relaxed`, `.volatile`"
    SCOPE = "scope", "modifier", "a scope: `.cta`, `.gpu`"
    CACHE = "cache", "modifier", "a cache operator, priority or hint: `.cg`, `.L2::evict_last`"
    SHAPE = "shape", "modifier", "number and layout of elements: `.m16n8k16`, `.v4`, `.2d`, `.row`"
    SPACE = "space", "modifier", "a state space, in opcodes and declarations: `.global`, `.shared::cta`, `.reg`"
    TYPE = "type", "type", "a type, in opcodes and declarations: `.f32`, `.bf16x2`"
    DIRECTIVE = "directive", "macro", "a directive, or a keyword of one: `.version`, `.maxntid`, `.align`, `inlined_at`"
    REGISTER = "register", "variable", "a register"
    PREDICATE = "predicate", "variable", "a predicate register"
    SPECIAL = "specialRegister", "enumMember", "a special register: `%tid`"
    VARIABLE = "variable", "variable", "a variable"
    PARAMETER = "parameter", "parameter", "a parameter or result of a kernel or function"
    FUNCTION = "function", "function", "a kernel or function"
    LABEL = "label", "enumMember", "a label of an instruction, a `.callprototype` or a list of targets"
    PROPERTY = "property", "property", "a component of a register, a field of a texture: `.x`, `.b0`, `filter_mode`"
    CONSTANT = "enumMember", "enumMember", "a name of a fixed list: `sm_90a`, `texmode_independent`, `WARP_SZ`"
    SECTION = "namespace", "namespace", "the name of a debug section"
    NUMBER = "number", "number", "a number"
    STRING = "string", "string", "a string"
    COMMENT = "comment", "comment", "a comment, one token per line"

    def __init__(self, label: str, standard: str, words: str) -> None:
        self.label = label
        self.standard = standard
        self.words = words


class Modifier(IntFlag):
    """A set of token modifiers."""

    NONE = 0
    DECLARATION = auto()
    DEFINITION = auto()
    READONLY = auto()
    DEPRECATED = auto()
    MODIFICATION = auto()
    DEFAULT_LIBRARY = auto()
    UNAVAILABLE = auto()
    FLOAT = auto()
    BITS16 = auto()
    BITS32 = auto()
    BITS64 = auto()
    BITS128 = auto()
    GLOBAL = auto()
    SHARED = auto()
    CONST = auto()
    LOCAL = auto()


MODIFIERS: dict[Modifier, tuple[str, str]] = {
    Modifier.DECLARATION: ("declaration", "the declaration of a name"),
    Modifier.DEFINITION: ("definition", "a definition: a function with a body"),
    Modifier.READONLY: ("readonly", "special registers, `.const` variables, parameters of kernels, `WARP_SZ`"),
    Modifier.DEPRECATED: ("deprecated", "a spelling that is deprecated in the module's PTX version"),
    Modifier.MODIFICATION: ("modification", "a register that the instruction writes"),
    Modifier.DEFAULT_LIBRARY: ("defaultLibrary", "predefined by the language"),
    Modifier.UNAVAILABLE: ("unavailable", "unavailable for the version or target of the module"),
    Modifier.FLOAT: ("float", "a register of a floating-point type"),
    Modifier.BITS16: ("bits16", "a register of 16 bits"),
    Modifier.BITS32: ("bits32", "a register of 32 bits"),
    Modifier.BITS64: ("bits64", "a register of 64 bits"),
    Modifier.BITS128: ("bits128", "a register of 128 bits"),
    Modifier.GLOBAL: ("global", "a variable in global memory"),
    Modifier.SHARED: ("shared", "a variable in shared memory"),
    Modifier.CONST: ("const", "a variable in constant memory"),
    Modifier.LOCAL: ("local", "a variable in local memory"),
}
"""The name and meaning of each modifier, in the order of their bits. The first six are the protocol's."""
