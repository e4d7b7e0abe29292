"""Run the program as ``python -m caramelo_tui``.

Owns one guard: ``python -m`` looks for modules in the current folder first, and that folder may
be a project that nobody trusts. Proven by tests/unit/test_cli.py.
"""

import os
import sys

if not sys.flags.safe_path and sys.path[0] == os.getcwd():  # noqa: PTH109 - pathlib is not loaded for this
    # A checkout of this program is run from its own folder, and is found there.
    own_folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 - as above
    if sys.path[0] != own_folder:
        del sys.path[0]

from caramelo_tui.cli import main

if __name__ == "__main__":
    sys.exit(main())
