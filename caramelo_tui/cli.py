"""Read the command line and hand over to composition.

Owns the exit codes that no run decides (docs/command-line.md), the three standard streams at
both ends of the program, and the last border: whatever happens, the user sees a sentence and
never a traceback. Imports nothing of the program before it knows what is asked, so that
``--version`` and the first paint are quick. Proven by tests/unit/test_cli.py and
tests/e2e/test_headless.py.
"""

import errno
import io
import os
import sys

from caramelo_tui import __version__

EXIT_ERROR = 1
"""The output could not be written, or the program met a mistake of its own."""
EXIT_USAGE = 2
"""Wrong usage or configuration."""
EXIT_INTERRUPTED = 130
"""SIGINT before anything ran that could end in its own way."""

_OUTPUT_ERRORS = frozenset({errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF})
"""What a write to standard output can end with."""


def main() -> int:
    """Run the program with the process's arguments and return its exit code."""
    _open_missing_streams()
    try:
        code = _run(sys.argv[1:])
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except SystemExit as exit_:
        # argparse has said what is wrong, or has printed its help.
        code = exit_.code if isinstance(exit_.code, int) else EXIT_USAGE
    except Exception as error:  # noqa: BLE001 - the program's last border
        code = _report(error)
    return _flush(code)


def _run(arguments: list[str]) -> int:
    if arguments == ["--version"]:
        sys.stdout.write(f"caramelo {__version__}\n")
        return 0
    if sys.platform not in {"linux", "darwin"}:
        sys.stderr.write(
            "caramelo: this system is not supported; use Linux, macOS, or Windows through WSL\n"
        )
        return EXIT_USAGE
    # Imported here, and one after the other: `--version` must not pay for the first picture, nor
    # that for the parser.
    from caramelo_tui.ui import start_frame  # noqa: PLC0415 - paid for by whoever needs it only

    start_frame.show(arguments, os.environ)
    try:
        from caramelo_tui.command_line import parse  # noqa: PLC0415 - paid for by whoever needs it only

        options = parse(arguments)
        from caramelo_tui.launch import launch  # noqa: PLC0415 - paid for by whoever needs it only

        return launch(options)
    finally:
        start_frame.take_back()


def _report(error: Exception) -> int:
    """Say what went wrong, in one line, and return the exit code."""
    if isinstance(error, OSError) and _is_output_error(error):
        return _report_output(error)
    from caramelo_tui.domain.errors import CarameloError, ConfigError  # noqa: PLC0415 - paid for by whoever needs it only
    from caramelo_tui.domain.screen_text import visible  # noqa: PLC0415 - paid for by whoever needs it only

    text = str(error) if isinstance(error, CarameloError) else _unexpected(error)
    sys.stderr.write(f"caramelo: {visible(text, keeps_newlines=False)}\n")
    return EXIT_USAGE if isinstance(error, ConfigError) else EXIT_ERROR


def _unexpected(error: Exception) -> str:
    """Log a mistake of the program's own and return what the user is told."""
    import logging  # noqa: PLC0415 - needed by nobody else on the quick ways

    from caramelo_tui.config.log_file import log_path  # noqa: PLC0415 - paid for by whoever needs it only

    path = log_path()
    if path:
        logging.getLogger(__name__).error("the program failed", exc_info=error)
    hint = f"; the details are in {path}" if path else ""
    return f"unexpected error: {type(error).__name__}: {error}{hint}"


def _is_output_error(error: OSError) -> bool:
    """Whether standard output is what failed; errors of files name the file."""
    return error.filename is None and error.errno in _OUTPUT_ERRORS


def _report_output(error: OSError) -> int:
    # A reader that went away (`| head -1`) has what it wanted: nothing is said.
    if error.errno != errno.EPIPE:
        sys.stderr.write(f"caramelo: the output cannot be written: {error.strerror}\n")
    return EXIT_ERROR


def _open_missing_streams() -> None:
    """Put the null device where a standard stream is closed (``>&-``).

    Otherwise the next file that is opened gets its number, and what is printed ends up in it.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            # The lowest free number is given: the streams before this one are open.
            descriptor = os.open(os.devnull, os.O_RDWR)
            mode = "r" if number == 0 else "w"
            setattr(sys, name, os.fdopen(descriptor, mode, encoding="utf-8", closefd=False))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A locale that lacks a character must not end the program.
            stream.reconfigure(errors="backslashreplace")


def _flush(code: int) -> int:
    """Write out what was printed; return the exit code, not 0 if that failed for the result."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            # Python would try again at its end, and print a traceback.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            if stream is sys.stdout:
                code = code or _report_output(error)
    return code
