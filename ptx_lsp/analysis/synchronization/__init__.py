"""What asynchronous instructions demand of the rest of their kernel.

``kernel``     one kernel as such rules see it: which instructions lie before, behind, and in line with one
``spots``      places in shared memory, as far as the text tells which they are
``barriers``   the mbarriers of a kernel and who uses them
``groups``     how far the groups of asynchronous work that were committed are waited for
"""
