"""Reusable parts."""
