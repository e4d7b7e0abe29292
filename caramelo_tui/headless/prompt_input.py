"""Put the prompt together from the argument and standard input.

Owns the rule: no argument means standard input, both means that
standard input stands below the argument, and a terminal is never read. Proven by
tests/unit/headless/test_prompt_input.py.
"""

import os
import select
from collections.abc import Callable

from caramelo_tui.domain.errors import ConfigError

LIMIT_BYTES = 10 * 1024 * 1024
"""More on standard input than any model's context window holds is a mistake."""
PATIENCE_S = 2.0
"""Silence of an open standard input after which the user is told what is waited for."""

_WAITING = (
    "waiting for the end of standard input, which is attached to the prompt "
    "(start with </dev/null to attach nothing)"
)


def read_prompt(
    argument: str | None,
    descriptor: int,
    *,
    say: Callable[[str], None],
    patience_s: float = PATIENCE_S,
) -> str:
    """Return the prompt of ``caramelo run``; blocks until standard input ends.

    Bytes that are not UTF-8 are replaced, wherever they come from.

    Args:
        argument: The prompt on the command line; ``None``: there is none.
        descriptor: Standard input.
        say: Told once when the argument is there and standard input stays open and silent.
        patience_s: Seconds until then.

    Raises:
        ConfigError: If there is no prompt, standard input cannot be read, or it is too long.
    """
    text = "" if argument is None else os.fsencode(argument).decode("utf-8", "replace")
    piped = ""
    if not os.isatty(descriptor):
        if text.strip() and not select.select([descriptor], [], [], patience_s)[0]:
            say(_WAITING)
        piped = _read_all(descriptor).decode("utf-8", "replace")
    parts = [part for part in (text, piped) if part.strip()]
    if not parts:
        raise ConfigError("PROMPT", "", "is missing: give it as an argument or on standard input")
    return "\n\n".join(parts)


def _read_all(descriptor: int) -> bytes:
    data = bytearray()
    try:
        while piece := os.read(descriptor, 64 * 1024):
            data += piece
            if len(data) > LIMIT_BYTES:
                limit = f"{LIMIT_BYTES // (1024 * 1024)} MB"
                raise ConfigError("standard input", "", f"is longer than {limit}")
    except OSError as error:
        raise ConfigError("standard input", "", f"cannot be read ({error.strerror})") from error
    return bytes(data)
