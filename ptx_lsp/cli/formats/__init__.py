"""One output format a file, each with ``write(reports, tally, out)``; the tally is complete when the reports are used up."""
