"""Inline assembly in sources of other languages: the statements and calls, and the text of their templates.

Text only: this package knows the literals, macros and conditions of the host languages, and nothing of PTX's meaning.
"""
