"""The language server: the only package of ptx-lsp that speaks the Language Server Protocol.

``startup`` answers ``initialize``, loads the rest and reads messages; ``protocol`` overrides parts of pygls that are
too slow for large files; ``client`` holds the client's capabilities, ``documents`` the open documents, ``workspace``
the files on disk; ``handlers`` has one function per request. PTX itself is known only below this package.
"""
