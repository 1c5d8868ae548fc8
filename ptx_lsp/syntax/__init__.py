"""The syntax layer: text, statements, shapes, trees and edits, without the semantics of instructions.

Data flow through the layer::

    text --split--> statements --shape--> one Shape per form of statement --parse--> one tree per Shape
    Document = list of Chunk; Chunk = text + the kinds and shapes of about 256 statements
"""
