"""One output format a file, each with ``write(reports, tally, out)``.

The tally is complete when the reports are used up.
"""
