"""Files on which no change was ever tuned: compiled at the time of measuring, with parameters drawn from a seed."""
