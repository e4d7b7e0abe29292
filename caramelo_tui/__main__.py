"""Run the program as ``python -m caramelo_tui``."""

import sys

from caramelo_tui.cli import main

if __name__ == "__main__":
    sys.exit(main())
