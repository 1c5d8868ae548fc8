"""Words of the language outside the instruction pages, and snippets: ``grammar/vocabulary``, ``grammar/snippets``."""
