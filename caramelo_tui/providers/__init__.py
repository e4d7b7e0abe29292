"""Vendors behind one protocol."""
