"""A document as functions, scopes and a header, kept up to date edit by edit.

``module``      the whole: what it declares, which functions it has, and what an edit changes of that
``function``    the record of one function: scopes, segments, structural faults
``scanner``     from the marks of chunks to such records (``chunk_summary``, ``braces``, ``bare_functions``)
``header``      ``.version``, ``.target``, ``.address_size``, and what counts by them
``positions``   offsets and lines of places
``name_index``  the chunks in which a name of the module stands (``mentioned_names``)
``call_sites``  the positions that ``inlined_at`` refers to
``interface``   what other files see of a module; ``program`` joins several
"""
