"""Tests of the cache room."""
