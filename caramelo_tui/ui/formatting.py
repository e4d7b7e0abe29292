"""Say numbers, times and states in few cells.

Owns the signs and words that all panes share, so that a state looks the same everywhere and
never depends on colour alone. Pure. Proven by tests/unit/ui/test_formatting.py.
"""

from collections.abc import Mapping

STATE_SIGNS: Mapping[str, str] = {
    "streaming": "…",
    "validating": "·",
    "waiting": "?",
    "running": "●",
    "ok": "✓",
    "error": "✗",
    "denied": "⊘",
    "rejected": "⊘",
    "cached": "=",
    "cancelled": "■",
    "not_run": "-",
    "background": "&",
}
"""One cell for each state of a call, as rows and blocks show it."""

STATE_VARIABLES: Mapping[str, str] = {
    "streaming": "state-running",
    "validating": "state-running",
    "waiting": "state-waiting",
    "running": "state-running",
    "ok": "state-ok",
    "error": "state-error",
    "denied": "state-error",
    "rejected": "state-error",
    "cached": "state-ok",
    "cancelled": "state-muted",
    "not_run": "state-muted",
    "background": "state-running",
}
"""The style variable that colours each state."""

MINUS = "\u2212"
"""The minus sign that is as wide as the plus."""

_KIB = 1024
_MS_PER_S = 1000
_S_PER_MIN = 60
_MIN_PER_H = 60
_SHOWS_TENTHS_BELOW = 10
"""Seconds, KB or MB from which a tenth says nothing more."""


def state_sign(state: str) -> str:
    """Return the one-cell sign of a call's state; an unknown state shows as ``·``."""
    return STATE_SIGNS.get(state, "·")


def state_variable(state: str) -> str:
    """Return the style variable of a call's state."""
    return STATE_VARIABLES.get(state, "state-muted")


def state_words(state: str) -> str:
    """Return a state as words, such as ``not run``."""
    return state.replace("_", " ")


def duration_text(duration_ms: int) -> str:
    """Return a duration, such as ``12 ms``, ``3.2 s``, ``2 min 05 s`` or ``1 h 02 min``."""
    if duration_ms < _MS_PER_S:
        return f"{max(duration_ms, 0)} ms"
    seconds = duration_ms / _MS_PER_S
    # Compared after rounding, so that 9,960 ms is not shown as 10.0 s.
    if round(seconds, 1) < _SHOWS_TENTHS_BELOW:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < _S_PER_MIN:
        return f"{whole} s"
    minutes, rest = divmod(whole, _S_PER_MIN)
    if minutes < _MIN_PER_H:
        return f"{minutes} min {rest:02d} s"
    hours, minutes = divmod(minutes, _MIN_PER_H)
    return f"{hours} h {minutes:02d} min"


def size_text(size_bytes: int) -> str:
    """Return a size such as ``812 B``, ``3.4 KB`` or ``12 MB`` (1 KB = 1,024 bytes)."""
    if size_bytes < _KIB:
        return f"{size_bytes} B"
    amount = size_bytes / _KIB
    for unit in ("KB", "MB"):
        if amount < _KIB:
            return _amount_text(amount, unit)
        amount /= _KIB
    return _amount_text(amount, "GB")


def count_text(count: int, singular: str, plural: str = "") -> str:
    """Return a count with its noun, such as ``1 line`` or ``1,234 lines``."""
    noun = singular if count == 1 else plural or f"{singular}s"
    return f"{count:,} {noun}"


def tokens_text(tokens: int) -> str:
    """Return a number of tokens such as ``812``, ``4.6k``, ``46k`` or ``1.2M``."""
    if tokens < _MS_PER_S:
        return str(tokens)
    for unit, divisor in (("k", 1_000), ("M", 1_000_000)):
        amount = tokens / divisor
        if round(amount, 1) < _SHOWS_TENTHS_BELOW:
            return f"{amount:.1f}{unit}"
        if round(amount) < _MS_PER_S:
            return f"{round(amount)}{unit}"
    return f"{tokens // 1_000_000}M"


def change_text(added: int, removed: int) -> str:
    """Return added and removed lines, such as ``+12 -3`` with a true minus sign."""
    return f"+{added} {MINUS}{removed}"


def _amount_text(amount: float, unit: str) -> str:
    if round(amount, 1) < _SHOWS_TENTHS_BELOW:
        return f"{amount:.1f} {unit}"
    return f"{round(amount)} {unit}"
