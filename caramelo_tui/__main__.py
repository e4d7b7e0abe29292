"""Run the program as ``python -m caramelo_tui``.

Owns one guard: ``python -m`` looks for modules in the current folder first, and that folder may
be a project that nobody trusts. Proven by tests/unit/test_cli.py.
"""

import os
import sys

own_folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 - pathlib is not loaded for this
if not sys.flags.safe_path and sys.path[0] != own_folder:
    # What stands first is the current folder. A checkout of this program that is run from its
    # own folder is found there; everything else must come from the installation.
    del sys.path[0]

from caramelo_tui.cli import main  # noqa: E402 - the guard stands before it

if __name__ == "__main__":
    sys.exit(main())
