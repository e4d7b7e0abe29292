"""Hold the approval mode in force.

Owns the one value that the controller sets and the pipeline reads. Proven by
tests/unit/agent/test_controller.py.
"""

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.policy_settings import BUILT_IN, THIS_SESSION


class CurrentMode:
    """The mode for the calls decided from now on; call it to read it."""

    def __init__(self, mode: ApprovalMode, origin: str = BUILT_IN) -> None:
        """Put a mode in force.

        Args:
            mode: The mode at the start.
            origin: Where it was set: file and line, variable or flag.
        """
        self._mode = mode
        self._origin = origin

    def __call__(self) -> ApprovalMode:
        """Return the mode in force."""
        return self._mode

    @property
    def origin(self) -> str:
        """Where the mode in force was set, as decisions that it makes say it."""
        return self._origin

    def change(self, mode: ApprovalMode) -> None:
        """Put another mode in force: the user chose it meanwhile."""
        self._mode = mode
        self._origin = THIS_SESSION
