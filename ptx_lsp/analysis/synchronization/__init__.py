"""Demands of asynchronous instructions on the rest of their kernel.

``kernel``            one kernel as such rules see it: instructions before, after, and in line with one
``before_and_after``  what can be executed before or after some instructions
``memory_locations``  places in shared memory, as far as the text says which they are
``barriers``          the mbarriers of a kernel and their users
``groups``            committed groups of asynchronous work, and the waits for them
"""
