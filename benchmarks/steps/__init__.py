"""How many lines of Python a check, an edit and the start run: the same on a slow, busy or fast machine."""
