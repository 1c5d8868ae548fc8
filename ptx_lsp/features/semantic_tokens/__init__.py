"""Semantic tokens: the class of every word of a document, for semantic highlighting.

``legend`` defines types and modifiers; ``name_classes``, ``word_classes`` and ``classify`` classify names, words and
statements; ``style_cache`` caches the result per chunk; ``tokens`` converts it to records.
See docs/semantic-tokens.md.
"""
