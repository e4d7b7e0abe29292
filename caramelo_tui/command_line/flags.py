"""Read the flags that several commands share, and the values of flags.

Owns their help texts and what they allow. Proven by
tests/unit/test_command_line.py.
"""

import argparse
from collections.abc import Callable
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import NoReturn, TypeVar

from caramelo_tui import __version__
from caramelo_tui.command_line.options import CommonOptions
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.domain.turn_limits import MAX_TURNS, MIN_TURNS

MAX_TIMEOUT_S = 7 * 24 * 3600
"""A week: more is a mistake in the unit."""
MAX_PORT = 65_535
"""Highest port of TCP."""

_E = TypeVar("_E", bound=StrEnum)


UNKNOWN = "unrecognized arguments: "
"""How argparse begins to say that flags or words are left over."""


class _OneLine(argparse.ArgumentParser):
    """Says what is wrong in one line; the usage is long, and asked for by ``--help``."""

    def error(self, message: str) -> NoReturn:
        """Exit with 2."""
        said = visible(message + self._nearest_flag(message), keeps_newlines=False)
        self.exit(2, f"{self.prog}: {said} (usage: {self.prog} --help)\n")

    def _nearest_flag(self, message: str) -> str:
        """Return what a flag that is none was meant to be, as far as that can be guessed."""
        _, is_unknown, words = message.partition(UNKNOWN)
        wrong = next((word for word in words.split() if word.startswith("--")), "")
        if not is_unknown or not wrong:
            return ""
        known = [
            flag
            for action in self._actions
            if action.help is not argparse.SUPPRESS
            for flag in action.option_strings
        ]
        near = get_close_matches(wrong.partition("=")[0], known, n=1)
        return f"; did you mean {near[0]}?" if near else ""


def new_parser(name: str, description: str, *, epilog: str = "") -> argparse.ArgumentParser:
    """Return a parser without flags, for the command of this name."""
    return _OneLine(
        prog=name,
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def add_common(parser: argparse.ArgumentParser) -> None:
    """Add the flags that all ways of starting share."""
    parser.add_argument("--version", action="version", version=f"caramelo {__version__}")
    parser.add_argument(
        "--provider", metavar="NAME", help="such as anthropic, openai, copilot or ollama"
    )
    parser.add_argument("--model", metavar="ID", help="model of the provider")
    parser.add_argument("--base-url", metavar="URL", help="endpoint instead of the vendor's")
    parser.add_argument("--profile", metavar="NAME", help="tool vocabulary: caramelo or core")
    parser.add_argument("--mode", metavar="MODE", help="approval mode: plan, review, each or auto")
    parser.add_argument(
        "--trust", action="store_true", help="trust the folder for this start; stores nothing"
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="instead of the user's config")
    parser.add_argument(
        "--no-workspace-config",
        action="store_true",
        help="do not read the workspace's .caramelo/config.toml, though the folder is trusted",
    )
    parser.add_argument("--debug", action="store_true", help="write debug lines to the log")


def common_of(found: argparse.Namespace, *, theme: str | None = None) -> CommonOptions:
    """Return the common flags that were found."""
    return CommonOptions(
        flags={
            "--provider": found.provider,
            "--model": found.model,
            "--base-url": found.base_url,
            "--profile": found.profile,
            "--mode": found.mode,
            "--theme": theme,
            "--debug": "1" if found.debug else None,
        },
        config_file=found.config,
        reads_workspace_config=not found.no_workspace_config,
        is_trusted=found.trust,
    )


def word_of(kind: type[_E]) -> Callable[[str], _E]:
    """Return the reader of a value that is one of a few words."""

    def read(text: str) -> _E:
        if text not in {word.value for word in kind}:
            raise argparse.ArgumentTypeError(_must_be("one of " + ", ".join(kind), text))
        return kind(text)

    return read


def only(word: str) -> Callable[[str], str]:
    """Return the reader of a word that has no alternative yet."""

    def read(text: str) -> str:
        if text != word:
            raise argparse.ArgumentTypeError(_must_be(repr(word), text))
        return text

    return read


def turns(text: str) -> int:
    """Read the value of ``--max-turns``.

    Raises:
        ArgumentTypeError: If it is out of range, or no whole number.
    """
    if text not in {str(number) for number in range(MIN_TURNS, MAX_TURNS + 1)}:
        wanted = f"a whole number from {MIN_TURNS} to {MAX_TURNS}"
        raise argparse.ArgumentTypeError(_must_be(wanted, text))
    return int(text)


def port(text: str) -> int:
    """Read the value of ``--port``.

    Raises:
        ArgumentTypeError: If it is no port.
    """
    if not (text.isascii() and text.isdigit() and int(text) <= MAX_PORT):
        raise argparse.ArgumentTypeError(_must_be(f"a port, 0 to {MAX_PORT}", text))
    return int(text)


def seconds(text: str) -> float:
    """Read the value of ``--timeout``.

    Raises:
        ArgumentTypeError: If it is no number of seconds that can be waited for.
    """
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found <= MAX_TIMEOUT_S:
        wanted = f"seconds, above 0 and at most {MAX_TIMEOUT_S}"
        raise argparse.ArgumentTypeError(_must_be(wanted, text))
    return found


def _must_be(wanted: str, text: str) -> str:
    return f"must be {wanted}, not {text!r}"
