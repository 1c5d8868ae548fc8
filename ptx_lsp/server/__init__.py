"""The language server: the one part of ptx-lsp that speaks the Language Server Protocol.

``boot`` answers ``initialize`` and then loads the rest; ``loop`` reads messages;
``protocol`` bends pygls where a big file needs it; ``server`` holds the open
documents, ``reader`` reads them in slices; ``handlers`` is one thin function per request. What PTX means is known
only below this package.
"""
