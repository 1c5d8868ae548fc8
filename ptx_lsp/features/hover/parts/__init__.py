"""Components shared by several hovers: data model, rendering, and text about operands, values and availability."""
