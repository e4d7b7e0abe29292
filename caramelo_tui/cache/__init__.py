"""Answers that are proven fresh."""
