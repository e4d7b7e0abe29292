"""Run the command line."""

import sys

from tally.cli import main

sys.exit(main())
