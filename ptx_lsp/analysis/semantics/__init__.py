"""Derived facts of a module, made when they are asked for and forgotten when an edit makes them void.

``semantics``            all of it: effects, flagged statements, flows, packed values
``flow``                 the analyses of one function
``flagged_statements``   the statements that some check may speak about
``surroundings``         what the meaning of a chunk's statements depends on in its function
"""
