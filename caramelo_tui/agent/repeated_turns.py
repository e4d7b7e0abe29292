"""Notice a run that goes in circles.

Owns when the same turns with the same results have come often enough to tell the model, and to
stop the run. Refuses no call: each was carried out and answered before it is looked at, and
reading the same thing again stays possible. Proven by tests/unit/agent/test_repeated_turns.py.
"""

import hashlib
import json
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from caramelo_tui.domain.tool_calls import ToolCall, ToolResult

TELL_AT = 3
"""Repetitions at which the model is told."""
STOP_AT = 5
"""Repetitions at which the run ends, so that the user can say how to go on."""
LONGEST_CIRCLE = 3
"""Turns of a circle: one call again and again, two that alternate, three."""

_Turn = tuple[tuple[str, str, str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Circle:
    """What a run repeats."""

    names: tuple[str, ...]
    """Tools of the repeated turns, in order; as the model wrote them."""
    times: int

    @property
    def is_hopeless(self) -> bool:
        """Whether the run should end."""
        return self.times >= STOP_AT

    @property
    def note(self) -> str:
        """What the model is told."""
        return (
            f"Note: {self._what} came {self.times} times with the same arguments and the same "
            "results. More of it will give nothing new: do something else, or say what is in "
            "the way."
        )

    @property
    def reason(self) -> str:
        """What the user is told when the run ends for it."""
        return (
            f"Stopped: {self._what} came {self.times} times with the same arguments and the "
            "same results. Say how to go on, or send “go on” to let it continue."
        )

    @property
    def _what(self) -> str:
        if len(self.names) == 1:
            return f"the call {self.names[0]}"
        return f"the calls {', '.join(self.names)}"


class RepeatedTurns:
    """The latest turns of one run."""

    def __init__(self) -> None:
        self._turns: deque[_Turn] = deque(maxlen=LONGEST_CIRCLE * STOP_AT)

    def take(self, calls: Sequence[ToolCall], results: Sequence[ToolResult]) -> Circle | None:
        """Take note of a turn; return the circle that it closes, once it is worth telling.

        Args:
            calls: All calls of the turn.
            results: Their results, in the same order.
        """
        self._turns.append(
            tuple(_mark(call, result) for call, result in zip(calls, results, strict=True))
        )
        for length in range(1, LONGEST_CIRCLE + 1):
            times = self._times(length)
            if times == TELL_AT or times >= STOP_AT:
                return Circle(names=self._names(length), times=times)
        return None

    def _times(self, length: int) -> int:
        """Return how often the last ``length`` turns came in a row, up to now."""
        turns = list(self._turns)
        last = turns[-length:]
        times = 0
        while len(turns) >= length and turns[-length:] == last:
            times += 1
            del turns[-length:]
        return times

    def _names(self, length: int) -> tuple[str, ...]:
        turns = list(self._turns)[-length:]
        return tuple(dict.fromkeys(name for turn in turns for name, *_ in turn))


def _mark(call: ToolCall, result: ToolResult) -> tuple[str, str, str, str]:
    digest = hashlib.sha256(result.text.encode("utf-8", "surrogatepass")).hexdigest()
    return call.name, _canonical(call.arguments_json), result.state.value, digest


def _canonical(arguments_json: str) -> str:
    """Return arguments so that order and blanks make no difference."""
    try:
        return json.dumps(json.loads(arguments_json), sort_keys=True)
    except (ValueError, RecursionError):
        return arguments_json
