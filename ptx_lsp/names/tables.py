"""The codes of types and operators in names that are mangled by the Itanium C++ ABI.

Source: Itanium C++ ABI, section 5.1, "External Names (a.k.a. Mangling)".
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TYPES: Mapping[str, str] = MappingProxyType(
    {
        "v": "void",
        "w": "wchar_t",
        "b": "bool",
        "c": "char",
        "a": "signed char",
        "h": "unsigned char",
        "s": "short",
        "t": "unsigned short",
        "i": "int",
        "j": "unsigned int",
        "l": "long",
        "m": "unsigned long",
        "x": "long long",
        "y": "unsigned long long",
        "n": "__int128",
        "o": "unsigned __int128",
        "f": "float",
        "d": "double",
        "e": "long double",
        "g": "__float128",
        "z": "...",
    }
)
"""Builtin types of one letter."""

OTHER_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "Dd": "decimal64",
        "De": "decimal128",
        "Df": "decimal32",
        "Dh": "half",
        "Di": "char32_t",
        "Ds": "char16_t",
        "Du": "char8_t",
        "Da": "auto",
        "Dc": "decltype(auto)",
        "Dn": "decltype(nullptr)",
    }
)
"""Builtin types of two letters."""

STANDARD: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "Sa": ("std::allocator", "allocator"),
        "Sb": ("std::basic_string", "basic_string"),
        "Ss": ("std::string", "basic_string"),
        "Si": ("std::istream", "basic_istream"),
        "So": ("std::ostream", "basic_ostream"),
        "Sd": ("std::iostream", "basic_iostream"),
    }
)
"""Abbreviations of the standard library, with the name of their constructors."""

LITERAL_SUFFIXES: Mapping[str, str] = MappingProxyType({"i": "", "j": "u", "l": "l", "m": "ul", "x": "ll", "y": "ull"})
"""The suffix of an integer constant by the code of its type."""

OPERATORS: Mapping[str, tuple[str, int]] = MappingProxyType(
    {
        "nw": ("new", 0),
        "na": ("new[]", 0),
        "dl": ("delete", 0),
        "da": ("delete[]", 0),
        "aw": ("co_await", 1),
        "ps": ("+", 1),
        "ng": ("-", 1),
        "ad": ("&", 1),
        "de": ("*", 1),
        "co": ("~", 1),
        "nt": ("!", 1),
        "pl": ("+", 2),
        "mi": ("-", 2),
        "ml": ("*", 2),
        "dv": ("/", 2),
        "rm": ("%", 2),
        "an": ("&", 2),
        "or": ("|", 2),
        "eo": ("^", 2),
        "aS": ("=", 2),
        "pL": ("+=", 2),
        "mI": ("-=", 2),
        "mL": ("*=", 2),
        "dV": ("/=", 2),
        "rM": ("%=", 2),
        "aN": ("&=", 2),
        "oR": ("|=", 2),
        "eO": ("^=", 2),
        "ls": ("<<", 2),
        "rs": (">>", 2),
        "lS": ("<<=", 2),
        "rS": (">>=", 2),
        "eq": ("==", 2),
        "ne": ("!=", 2),
        "lt": ("<", 2),
        "gt": (">", 2),
        "le": ("<=", 2),
        "ge": (">=", 2),
        "ss": ("<=>", 2),
        "aa": ("&&", 2),
        "oo": ("||", 2),
        "pp": ("++", 1),
        "mm": ("--", 1),
        "cm": (",", 2),
        "pm": ("->*", 2),
        "pt": ("->", 0),
        "cl": ("()", 0),
        "ix": ("[]", 0),
        "qu": ("?", 3),
    }
)
"""The spelling of operators, and the number of operands in expressions; 0 for a form of its own."""

CASTS: Mapping[str, str] = MappingProxyType(
    {"dc": "dynamic_cast", "sc": "static_cast", "cc": "const_cast", "rc": "reinterpret_cast"}
)
OF_EXPRESSIONS: Mapping[str, str] = MappingProxyType(
    {"sz": "sizeof", "az": "alignof", "te": "typeid", "nx": "noexcept"}
)
OF_TYPES: Mapping[str, str] = MappingProxyType({"st": "sizeof", "at": "alignof", "ti": "typeid"})

SPECIAL: Mapping[str, str] = MappingProxyType(
    {
        "TV": "vtable for ",
        "TT": "VTT for ",
        "TI": "typeinfo for ",
        "TS": "typeinfo name for ",
    }
)
"""Data that the compiler makes for a type."""
SPECIAL_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "GV": "guard variable for ",
        "TH": "TLS init function for ",
        "TW": "TLS wrapper function for ",
    }
)
"""Functions and data that the compiler makes for a variable."""
