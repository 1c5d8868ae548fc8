"""Semantic tokens: what every word of a document is, for editors that colour by meaning.

``legend`` names the kinds, ``meaning`` and ``paint`` say how names and statements look, ``styles`` keeps that for
the chunks of a document, ``tokens`` makes records of it. See docs/semantic-tokens.md.
"""
