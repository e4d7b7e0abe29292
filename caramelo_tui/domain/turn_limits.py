"""Say how many turns a run may have.

Owns the range that the command line, the configuration and the run itself hold to. Proven by
tests/unit/agent/test_limits.py, tests/unit/config/test_loader.py and
tests/unit/test_command_line.py.
"""

MIN_TURNS = 3
MAX_TURNS = 50
"""Fewest and most turns of one run that can be asked for."""
DEFAULT_TURNS = 15
"""Turns of one run in profile ``caramelo`` when nothing is set."""
