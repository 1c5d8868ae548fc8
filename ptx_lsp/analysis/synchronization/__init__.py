"""Demands of asynchronous instructions on the rest of their kernel.

``kernel``            one kernel as such rules see it: instructions before, after, and in line with one
``callees``           functions that a kernel calls: whether they take part in its protocols
``before_and_after``  what can be executed before or after some instructions
``memory_locations``  places in shared memory, as far as the text says which they are
``barriers``          the mbarriers of a kernel and their users
``mbarriers``         all uses of mbarriers, by what they do
``ordering_facts``    what the pages say of instructions: work that they start, commit, wait for, fence
``async_work``        the operations of one kind of work, with their commits and waits
``in_flight``         what may be in flight at each node, over all paths and around loops
``branch_guards``     paths, and the guards of the jumps on them
``async_paths``       the search for a path on which an operation is in flight at an instruction
``path_results``      results of instructions as sums of constants and unknown things
``path_values``       values of registers on one path, and those that are the same on all paths
``followed_threads``  the thread whose values are computed on paths through an instruction
``async_hazards``     questions about work in flight: states name candidates, a path confirms one
``meeting_accesses``  whether an operation in flight and an instruction access the same memory
``participants``      instructions that take part in synchronization, for readers: what each does to what
``barrier_addresses`` addresses of mbarriers as base, offset and what varies
``barrier_objects``   barriers and work with their participants, and the partners of each
``operation_registers``  registers that operations access while they are in flight
"""
