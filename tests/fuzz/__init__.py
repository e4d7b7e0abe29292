"""Targets for fuzzers, what runs them, and the inputs that were kept."""
