"""The origin of packed values: descriptors are built far above the instruction that takes them, or outside its loop.

Compiled PTX never has a descriptor as a literal in the instruction. So known bits are joined over all definitions of a
register, to a fixed point; no control-flow graph is made. Some bits are known only under an assumption that holds for
every right program; they are kept apart, and nothing is reported for them.
"""
