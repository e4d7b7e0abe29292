"""The command line."""

import argparse
from pathlib import Path

from tally.report import render_text, totals
from tally.store import load


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = argparse.ArgumentParser(prog="tally", description="expenses")
    commands = parser.add_subparsers(dest="command", required=True)
    report = commands.add_parser("report", help="show the sums")
    report.add_argument("file", type=Path)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run one command and return the exit code."""
    options = build_parser().parse_args(argv)
    sums = totals(load(options.file))
    print(render_text(sums))
    return 0
