"""Say what of a workspace's configuration has no effect.

Owns that it goes to standard error, where no program reads a result. Proven by
tests/unit/test_launch.py.
"""

import sys

from caramelo_tui.headless.printers import ProgressPrinter
from caramelo_tui.launch.start import OpenedFolder


def say_notes(folder: OpenedFolder) -> None:
    """Print the notes, a line each."""
    say = ProgressPrinter(sys.stderr, is_quiet=False).say
    for note in folder.loaded.notes:
        say(note)
