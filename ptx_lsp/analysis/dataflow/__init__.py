"""Control flow and data flow of one function, computed on demand, function by function.

``effects``              registers that the statements of one shape read and write, and the next statement
``module_effects``       the effects of the statements of a module, kept by shape
``basic_blocks``         a chunk as straight-line pieces; made once for each chunk
``control_flow_graph``   the pieces of a function joined to a control-flow graph; the graphs of a module
``paths``                nodes that every path passes, and nodes that lead to others
``steps``                single instructions of a graph, their order, and the definitions that reach them
``registers``            the identity of registers: keys and declarations, by name and scope; statements that name one
``definitions``          statements that write a register, found in the text without a graph
``register_sets``        registers that each block reads and writes (``liveness``, ``definite_assignment``)
``uninitialized_reads``  registers that are read before anything wrote them
``register_pressure``    the number of registers that are needed at once
``backward_walk``        values of registers, followed back over the definitions that reach a reader
``addresses``            the same of addresses; ``address_spaces`` are their kinds
``divergence``           code that only some lanes of a warp execute; ``branch_regions`` are where
``fact_propagation``     a quick flow-insensitive pass before paths are followed
``unused_declarations``  declarations that nothing mentions
``transfer_functions``   the computation of a statement, read once for each shape
``known_bits``           the domain of known bits; ``operations`` compute in it, ``known_bits_analysis`` solves
"""
