"""Hold the approval mode in force.

Owns the one value that the controller sets and the pipeline reads. Proven by
tests/unit/agent/test_controller.py.
"""

from caramelo_tui.domain.decisions import ApprovalMode


class CurrentMode:
    """The mode for the calls decided from now on; call it to read it."""

    def __init__(self, mode: ApprovalMode) -> None:
        self._mode = mode

    def __call__(self) -> ApprovalMode:
        """Return the mode in force."""
        return self._mode

    def change(self, mode: ApprovalMode) -> None:
        """Put another mode in force."""
        self._mode = mode
