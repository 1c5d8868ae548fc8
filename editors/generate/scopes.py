"""The TextMate scopes of PTX: one for each type of the server's semantic tokens, so that colours stay when it comes up.

Chosen by what themes colour, VS Code's own first: instructions as keywords, qualifiers as storage modifiers, types as
library types, directives as keywords of another kind. State spaces and predicates are as members of enumerations and
constants, so that they differ from other qualifiers and registers; labels as functions, since few themes colour labels.

Source: TextMate manual, "Language Grammars", "Naming Conventions"; VS Code, "Semantic Highlight Guide".
"""

from __future__ import annotations

from ptx_lsp.features.semantic_tokens.legend import TokenType

SCOPES: dict[TokenType, str] = {
    TokenType.OPCODE: "keyword.control.instruction.ptx",
    TokenType.QUALIFIER: "storage.modifier.qualifier.ptx",
    TokenType.ROUNDING: "storage.modifier.rounding.ptx",
    TokenType.ORDER: "storage.modifier.order.ptx",
    TokenType.SCOPE: "storage.modifier.scope.ptx",
    TokenType.CACHE: "storage.modifier.cache.ptx",
    TokenType.SHAPE: "storage.modifier.shape.ptx",
    TokenType.SPACE: "variable.other.enummember.space.ptx",
    TokenType.TYPE: "support.type.ptx",
    TokenType.DIRECTIVE: "keyword.other.directive.ptx",
    TokenType.REGISTER: "variable.other.register.ptx",
    TokenType.PREDICATE: "variable.other.constant.predicate.ptx",
    TokenType.SPECIAL: "variable.language.special-register.ptx",
    TokenType.VARIABLE: "variable.other.readwrite.ptx",
    TokenType.PARAMETER: "variable.parameter.ptx",
    TokenType.FUNCTION: "entity.name.function.ptx",
    TokenType.LABEL: "entity.name.function.label.ptx",
    TokenType.PROPERTY: "variable.other.property.ptx",
    TokenType.CONSTANT: "variable.other.enummember.ptx",
    TokenType.SECTION: "entity.name.namespace.ptx",
    TokenType.NUMBER: "constant.numeric.ptx",
    TokenType.STRING: "string.quoted.double.ptx",
    TokenType.COMMENT: "comment.ptx",
}
"""The scope of each type. A grammar may add to the end what only it tells: ``constant.numeric.hex.ptx``."""
