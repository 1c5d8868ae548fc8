"""Semantic tokens: what every word of a document is, for editors that colour by meaning.

``legend`` names the kinds; ``meaning``, ``words`` and ``paint`` say how names, words and statements look;
``styles`` keeps that for the chunks of a document; ``tokens`` makes records of it. See docs/semantic-tokens.md.
"""
