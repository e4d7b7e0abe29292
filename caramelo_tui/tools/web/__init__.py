"""Fetch pages from the web, with guards against everything that a page can do."""
