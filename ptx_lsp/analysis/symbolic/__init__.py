"""Values as expressions over parameters, variables, special registers and constants: ``param_0 + 16 * tid.x``.

``linear_values``    sums of a constant and multiples of unknown things: the domain, shared with ``synchronization``
``atoms``            the unknown things that are exact: what each is, and the least and greatest value of it
``arithmetic``       results of integer instructions, exact modulo 2^width
``value_sources``    where the value of a register comes from: a write, or the start of a block where ways meet
``symbolic_values``  the values of registers and addresses of one function, on demand
``inductions``       registers that a loop advances by a constant: ``start + i * step``
``predicate_series`` predicates for many threads, or for many iterations of a loop, at once
``thread_places``    the places that an access has for each thread
``thread_conflicts`` threads of different warps whose accesses are of the same bytes
``value_text``       such a value as text
"""
