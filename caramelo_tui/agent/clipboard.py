"""Put text into the system's clipboard.

Owns which program of the user's takes it, and how long that may last. Such a program may stay and
hold the text until something else is copied, after the session too: it is not one of the session's
processes. It gets no keys. Proven by tests/unit/agent/test_clipboard.py.
"""

import asyncio
import logging
import subprocess
from collections.abc import Mapping
from pathlib import Path

from caramelo_tui.tools.child_environment import ChildEnvironment
from caramelo_tui.tools.search_path import located, safe_search_path

COPY_COMMANDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard", "-in")),
    ("DISPLAY", ("xsel", "--clipboard", "--input")),
    ("", ("pbcopy",)),
)
"""Programs that take a text, each with the variable without which it has no clipboard; empty: it
needs none."""
LIMIT_S = 2.0
"""Seconds that such a program may take to read the text."""

_log = logging.getLogger(__name__)


class SystemClipboard:
    """The clipboard of the user's desktop; implements ``ClipboardPort``."""

    def __init__(
        self, root: Path, *, environment: ChildEnvironment, variables: Mapping[str, str]
    ) -> None:
        """Take what it needs; nothing is started.

        Args:
            root: Resolved root of the workspace: a program in it is none of the user's.
            environment: What the program may see.
            variables: The user's variables.
        """
        self._search_path = safe_search_path(variables.get("PATH", ""), outside=root)
        self._environment = environment
        self._variables = variables

    async def put(self, text: str) -> bool:
        """Put a text there; ``False`` where no program takes it."""
        for variable, command in COPY_COMMANDS:
            if variable and not self._variables.get(variable):
                continue
            if await asyncio.to_thread(self._put, command, text):
                return True
        return False

    def _put(self, command: tuple[str, ...], text: str) -> bool:
        try:
            program = located(command[0], self._search_path)
            done = subprocess.run(  # noqa: S603 - an argument list of our own
                (program, *command[1:]),
                input=text.encode("utf-8", "replace"),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=self._environment.variables(),
                cwd="/",
                start_new_session=True,
                timeout=LIMIT_S,
                check=False,
            )
        except FileNotFoundError:
            return False
        except (OSError, subprocess.SubprocessError) as error:
            _log.warning("%s did not take a text: %s", command[0], error)
            return False
        return done.returncode == 0
