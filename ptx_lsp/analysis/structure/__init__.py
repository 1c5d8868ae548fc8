"""The structure of a function: its basic blocks and natural loops, what they contain, and where they are in the text.

``loops``               natural loops and their nesting, by the numbers of the nodes of the graph
``blocks``              basic blocks: nodes of the graph that are executed one after the other
``step_lookups``        surroundings, writes and definitions of instructions, found once
``step_matches``        the forms that instructions fit, found once for those that name the same
``function_structure``  both as places in the text, kept until the function is edited
"""
