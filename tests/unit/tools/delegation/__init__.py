"""Tests of caramelo_tui/tools/delegation."""
