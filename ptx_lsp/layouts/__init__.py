"""Packed values: descriptors and immediates with bit fields. Pure functions over the pages of grammar/layouts.

This layer does not know the origin of a value.
"""
