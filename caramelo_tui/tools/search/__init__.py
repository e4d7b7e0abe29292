"""Searching contents and names."""
