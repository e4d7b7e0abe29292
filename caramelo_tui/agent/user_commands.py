"""Say what a user's own command is, and what it asks for.

Owns the value and how arguments get into its text. Reads no file and runs nothing: a command is a
prompt that is written down once. Proven by tests/unit/agent/test_user_commands.py.
"""

import re
import shlex
from dataclasses import dataclass
from enum import StrEnum

_PLACE = re.compile(r"\$(ARGUMENTS\b|[1-9](?!\d))")


class CommandOrigin(StrEnum):
    """Whose folder a command comes from."""

    USER = "yours"
    WORKSPACE = "workspace"


@dataclass(frozen=True, slots=True, kw_only=True)
class UserCommand:
    """A prompt with a name."""

    name: str
    """Without the slash; lower-case letters, digits and hyphens."""
    description: str
    """One line; screen-unsafe as it is in the file."""
    text: str
    """The prompt, with ``$ARGUMENTS`` and ``$1`` to ``$9`` where arguments go."""
    origin: CommandOrigin


def expand(command: UserCommand, arguments: str) -> str:
    """Return the prompt of a command.

    Args:
        command: What was named.
        arguments: All behind the name. ``$1`` to ``$9`` are its words, quotes hold words
            together; one that is missing is empty. A text without a place for arguments gets
            them as a last paragraph.
    """
    words = _words(arguments)

    def put_in(match: re.Match[str]) -> str:
        if match[1] == "ARGUMENTS":
            return arguments
        number = int(match[1])
        return words[number - 1] if number <= len(words) else ""

    # One pass: a place that stands in an argument is text.
    text, count = _PLACE.subn(put_in, command.text)
    text = text.strip()
    return text if count or not arguments else f"{text}\n\n{arguments}"


def _words(arguments: str) -> list[str]:
    try:
        return shlex.split(arguments)
    except ValueError:
        # A lone apostrophe is no quote.
        return arguments.split()
