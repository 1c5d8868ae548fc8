"""Output formats, one module each with ``write(reports, summary, out)``.

The summary is complete after the last report.
"""
