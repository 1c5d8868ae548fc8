"""Packed values: descriptors and immediates whose bits have meanings. Pure functions over the pages of grammar/layouts.

Where a value comes from is not known here.
"""
