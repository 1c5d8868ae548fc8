"""How control and values flow through one function: computed when somebody asks, function by function.

``flow``      all of the following for one function: :class:`Flow`, what :meth:`Module.flow` answers
``effects``   what statements of one shape read and write, and where control goes after them
``pieces``    a chunk as straight-line pieces; made once for each chunk
``graph``     the pieces of a function joined to a control-flow graph
``steps``     single instructions of a graph, and which lie before, after or between others
``sets``      which registers are written on every path, or read on some path
``values``    what constants and masks tell about a register: its known bits (``bits``, ``operations``)
"""
