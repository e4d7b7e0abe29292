"""Killed sessions lose nothing that was shown, and no file is half written."""
