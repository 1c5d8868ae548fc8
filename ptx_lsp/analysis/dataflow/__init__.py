"""How control and values flow through one function: computed when somebody asks, function by function.

``flow``      all of the following for one function: :class:`Flow`, what :meth:`Module.flow` answers
``effects``   what statements of one shape read and write, and where control goes after them
``pieces``    a chunk as straight-line pieces; made once for each chunk
``graph``     the pieces of a function joined to a control-flow graph
``dominance`` which nodes every path passes
``steps``     single instructions of a graph, and which lie before, after or between others
``sets``      which registers are written on every path, or read on some path
``unwritten`` registers that are read before anything wrote them
``addresses`` what kinds of addresses registers hold
``lanes``     where only some lanes of a warp come
``spread``    how far a value can get: a quick pass before paths are followed
``mentions``  what is declared and never mentioned
``values``    what constants and masks tell about a register: its known bits (``bits``, ``operations``)
"""
