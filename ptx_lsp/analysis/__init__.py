"""The meaning of a document: functions, scopes, symbols, matches, flows. Knows nothing of wording or protocol.

Imports go one way: ``symbols`` ← ``module`` ← ``statements`` ← ``dataflow`` ← ``synchronization``, ``descriptors`` ←
``semantics`` ← ``references`` ← ``cursor``. A :class:`Module` is what the text declares; :class:`Semantics` holds a
module and owns what is derived from it.
"""
