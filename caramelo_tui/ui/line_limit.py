"""Name the keys that lift a refusal by the limit of changed lines.

Owns how such a refusal is told from others, and the words of its banner, and
that a run is not told its keys again and again. Pure. Proven by
tests/unit/ui/test_line_limit.py.
"""

from caramelo_tui.domain.decisions import Decision
from caramelo_tui.domain.ids import RunId
from caramelo_tui.ui.keymap import DEFAULT_KEYS, KeyMap, label_of

LINE_LIMIT_CODE = "diff_limit"
"""Code of the decision that refuses a write because too many lines would have changed."""


def is_line_limit(decision: Decision) -> bool:
    """Return whether a write was refused by the limit of changed lines."""
    return decision.is_deny and decision.code == LINE_LIMIT_CODE


class LimitNotices:
    """What is said below the refusals of one session; the keys are named once in a run."""

    def __init__(self) -> None:
        self._named_in: RunId | None = None

    def text(self, decision: Decision, run_id: RunId | None, keys: KeyMap = DEFAULT_KEYS) -> str:
        """Return what the conversation says below a refusal of a run."""
        if run_id is not None and run_id == self._named_in:
            return decision.reason
        self._named_in = run_id
        return limit_banner(decision, keys)


def limit_banner(decision: Decision, keys: KeyMap = DEFAULT_KEYS) -> str:
    """Return what the conversation says below such a refusal."""
    return (
        f"{decision.reason}\n"
        f"{label_of('raise_limit', keys)} raises the limit of changed lines, "
        f"{label_of('reset_count', keys)} counts them from zero; then ask the agent to go on."
    )
