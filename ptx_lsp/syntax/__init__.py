"""What was written: text, statements, shapes, trees, edits; no meaning of instructions.

The way through the layer::

    text --split--> statements --shape--> one Shape per form of statement --parse--> one tree per Shape
    Document = list of Chunk; Chunk = text + the kinds and shapes of about 256 statements
"""
