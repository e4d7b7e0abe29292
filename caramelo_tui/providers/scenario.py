"""Describe what a scripted model says, turn by turn.

Owns the turns, the conditions under which they are played, and the cursor that chooses the
next one. Files are read by ``scenario_files``; nothing here knows a vendor's form, so the
scripted provider and the test server play the same scripts. Proven by
tests/unit/providers/test_scenario.py.

A turn with a condition that does not hold is skipped. So two turns in a row, one for a
rejected change and one for an accepted one, are a branch; ``leads_to`` jumps, ``name`` is
where to.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from caramelo_tui.domain.messages import StopReason
from caramelo_tui.domain.tool_calls import JsonValue

CLOSING_TEXT = "That is all that this script holds."
"""Said once the script is at its end, unless it sets its own words."""


class FaultKind(StrEnum):
    """What can go wrong in place of an answer, or within it."""

    RATE_LIMITED = "rate_limited"
    OVERLOADED = "overloaded"
    STREAM_BROKEN = "stream_broken"
    AUTHENTICATION = "authentication"
    BAD_REQUEST = "bad_request"
    CONTEXT_TOO_LONG = "context_too_long"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedFault:
    """A failure that the script plays."""

    kind: FaultKind
    after_content: bool = False
    """Whether thinking, text and calls of the turn come first; then the stream breaks."""
    retry_after_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedCall:
    """A tool call of the script."""

    name: str
    arguments_json: str
    """Argument text; may be broken on purpose."""
    id: str | None = None
    """``None``: one is made up when it is played."""

    @classmethod
    def of(
        cls, tool: str, arguments: Mapping[str, JsonValue], *, call_id: str | None = None
    ) -> "ScriptedCall":
        """Return a call with these arguments."""
        text = json.dumps(dict(arguments), ensure_ascii=False)
        return cls(name=tool, arguments_json=text, id=call_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCondition:
    """When a turn is played; all parts that are set must hold."""

    result_contains: str | None = None
    """A text that one result of the last turn holds, letter case ignored."""
    result_lacks: str | None = None
    """A text that no result of the last turn holds, letter case ignored."""
    last_result_is_error: bool | None = None
    """Whether the last result of the last turn is an error."""
    prompt_contains: str | None = None
    """A text that the user's last message holds, letter case ignored."""

    def holds(self, seen: "Observation") -> bool:
        """Return whether the turn is to be played."""
        results = "\n".join(text for text, _ in seen.results).casefold()
        if self.result_contains is not None and self.result_contains.casefold() not in results:
            return False
        if self.result_lacks is not None and self.result_lacks.casefold() in results:
            return False
        if self.last_result_is_error is not None:
            is_error = bool(seen.results) and seen.results[-1][1]
            if is_error is not self.last_result_is_error:
                return False
        wanted = self.prompt_contains
        return wanted is None or wanted.casefold() in seen.prompt.casefold()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedTurn:
    """One answer of the model."""

    text: str = ""
    thinking: str = ""
    calls: tuple[ScriptedCall, ...] = ()
    when: TurnCondition | None = None
    """``None``: always."""
    name: str = ""
    leads_to: str = ""
    """Name of the turn that the search goes on with; empty: the one after this."""
    raises: ScriptedFault | None = None
    stop_reason: StopReason | None = None
    """``None``: ``TOOL_USE`` with calls, else ``END_TURN``."""

    @property
    def played_stop_reason(self) -> StopReason:
        """How the turn ends."""
        if self.stop_reason is not None:
            return self.stop_reason
        return StopReason.TOOL_USE if self.calls else StopReason.END_TURN


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A whole script."""

    turns: tuple[ScriptedTurn, ...]
    title: str = ""
    closing_text: str = CLOSING_TEXT

    def __post_init__(self) -> None:
        """Check that every jump has its place.

        Raises:
            ValueError: If a name is missing or given twice.
        """
        names = [turn.name for turn in self.turns if turn.name]
        for name in names:
            if names.count(name) > 1:
                msg = f"two turns are named {name!r}"
                raise ValueError(msg)
        for turn in self.turns:
            if turn.leads_to and turn.leads_to not in names:
                msg = f"a turn leads to {turn.leads_to!r}, but no turn has that name"
                raise ValueError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What the script can react to."""

    prompt: str
    """The user's last message."""
    results: tuple[tuple[str, bool], ...] = ()
    """Text and error mark of the results that the request ends with; empty for a prompt."""


class ScenarioCursor:
    """Where a script stands."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._position = 0

    def next_turn(self, seen: Observation) -> ScriptedTurn:
        """Return the turn to play now; the cursor stays until ``advance``."""
        for position in range(self._position, len(self._scenario.turns)):
            turn = self._scenario.turns[position]
            if turn.when is None or turn.when.holds(seen):
                return turn
        return ScriptedTurn(text=self._scenario.closing_text)

    def advance(self, played: ScriptedTurn) -> None:
        """Go on behind a turn that was played to its end.

        A turn that was cut off is not gone past, so that it is played again when asked again.
        """
        turns = self._scenario.turns
        if played.leads_to:
            self._position = next(
                index for index, turn in enumerate(turns) if turn.name == played.leads_to
            )
            return
        at = [index for index in range(self._position, len(turns)) if turns[index] is played]
        self._position = at[0] + 1 if at else len(turns)
