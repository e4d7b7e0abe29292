"""Read the command line and hand over to composition.

Owns the flags and exit codes of contract section 12. Imports nothing of the program before
it knows what is asked, so that ``--version`` and the first paint are quick. Proven by
tests/unit/test_cli.py and tests/e2e/.
"""

import sys

from caramelo_tui import __version__

EXIT_USAGE = 2
"""Wrong usage or configuration."""


def main() -> int:
    """Run the program with the process's arguments and return its exit code."""
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        sys.stdout.write(f"caramelo {__version__}\n")
        return 0
    if sys.platform not in {"linux", "darwin"}:
        sys.stderr.write(
            "caramelo: this system is not supported; use Linux, macOS, or Windows through WSL\n"
        )
        return EXIT_USAGE
    return _run(arguments)


def _run(arguments: list[str]) -> int:
    # Imported here: `--version` must not pay for the parser and the error classes.
    from caramelo_tui.command_line import parse  # noqa: PLC0415
    from caramelo_tui.domain.errors import ConfigError  # noqa: PLC0415

    options = parse(arguments)
    from caramelo_tui.launch import launch  # noqa: PLC0415

    try:
        return launch(options)
    except ConfigError as error:
        sys.stderr.write(f"caramelo: {error}\n")
        return EXIT_USAGE
