"""Files that nobody could have tuned for: compiled at the time of measuring, with parameters drawn from a seed."""
