"""The language server: the one part of ptx-lsp that speaks the Language Server Protocol.

``boot`` answers ``initialize`` and then loads the rest; ``loop`` reads messages;
``protocol`` bends pygls where a big file needs it; ``session`` holds the open
documents; ``handlers`` is one thin function per request. What PTX means is known
only below this package.
"""
