"""Tests of the shell tool."""
