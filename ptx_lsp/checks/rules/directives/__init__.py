"""Directives: debug data, source locations, pragmas, launch bounds."""
