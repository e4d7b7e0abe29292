"""Measure the whole installed program from outside."""
