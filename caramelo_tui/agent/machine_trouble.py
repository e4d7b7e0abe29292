"""Tell the user when the machine, and not the call, is why a call failed.

Owns which failures are worth a notice beside the call's row: those that the next call meets too,
and that only the user can mend; each once a turn. A workspace that is gone is one.
Proven by tests/unit/agent/test_machine_trouble.py and tests/faults/.
"""

from collections.abc import Callable
from pathlib import Path

from caramelo_tui.agent import call_texts
from caramelo_tui.domain.system_faults import is_of_the_machine

_GONE = 0
"""Stands for the workspace itself among the numbers of errors."""


class MachineTrouble:
    """What was told of the machine in this turn."""

    def __init__(self, root: Path, warn: Callable[[str], None]) -> None:
        """Take the workspace, and who shows a sentence to the user."""
        self._root = root
        self._warn = warn
        self._told: set[int] = set()

    def begin_turn(self) -> None:
        """Tell everything anew."""
        self._told.clear()

    def explain(self, failure: Exception, text: str) -> str:
        """Return why a call failed, and tell the user where it is theirs to mend.

        Args:
            failure: What was raised.
            text: What the call's result would say of it.
        """
        if not self._root.is_dir():
            # Without a workspace each of its paths only seems to be missing.
            text = call_texts.workspace_gone(str(self._root))
            self._tell_once(_GONE, text)
            return text
        cause = failure if isinstance(failure, OSError) else failure.__cause__
        if isinstance(cause, OSError) and is_of_the_machine(cause):
            self._tell_once(cause.errno or _GONE, text)
        return text

    def _tell_once(self, number: int, text: str) -> None:
        if number not in self._told:
            self._told.add(number)
            self._warn(text)
