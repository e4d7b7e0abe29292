"""Say how far one run may go.

Owns the numbers that end a run by themselves and the sentences that say so. Proven by
tests/unit/agent/test_limits.py.
"""

from dataclasses import dataclass

from caramelo_tui.domain.turn_limits import DEFAULT_TURNS, MAX_TURNS, MIN_TURNS


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLimits:
    """Limits of one run."""

    turns: int = DEFAULT_TURNS
    """Turns after which the run ends with ``Ending.MAX_TURNS``; 3 to 50."""
    invalid_turns: int = 3
    """Turns in a row with unusable arguments after which the run ends with an error."""
    reminders: int = 2
    """Turns in a row without a call after which the model is reminded to end by ``task_done``."""
    empty_answers: int = 2
    """Empty answers in a row after which the model is asked again; one more ends the run."""
    answer_tokens: int = 16_384
    """Tokens that one answer may have; sent as the request's ``max_tokens``."""

    def __post_init__(self) -> None:
        """Refuse numbers that no configuration may set.

        Raises:
            ValueError: If a limit is out of its range.
        """
        if not MIN_TURNS <= self.turns <= MAX_TURNS:
            msg = f"limits.turns must be {MIN_TURNS} to {MAX_TURNS}, not {self.turns}"
            raise ValueError(msg)
        if self.invalid_turns < 1 or self.answer_tokens < 1:
            raise ValueError("limits must be at least 1")

    @property
    def turns_reached(self) -> str:
        """What the user is told at the last turn."""
        return f"Stopped after {self.turns} turns. Send a message, such as “go on”, to continue."

    @property
    def reminder(self) -> str:
        """What the model is told when it stops without ending the run."""
        return (
            "Note: this run ends only by the tool task_done. If the task is done, call it with "
            "a summary; if not, go on with the tools. Nobody is there to answer questions."
        )

    @property
    def reminders_reached(self) -> str:
        """What the user is told when the model never ended the run."""
        return (
            f"The model stopped {self.reminders + 1} times without calling task_done: the task "
            "may be incomplete."
        )

    @property
    def empty_answer(self) -> str:
        """What the model is told when it sent nothing."""
        return (
            "Note: your last answer was empty. Go on with the tools, or say in words what the "
            "result is or what is in the way."
        )

    @property
    def empty_answers_reached(self) -> str:
        """What the user is told when the model sends nothing any more."""
        return (
            f"The model sent {self.empty_answers + 1} empty answers in a row. "
            "Send a message, such as “go on”, to try again."
        )

    @property
    def invalid_turns_reached(self) -> str:
        """What the user is told when the model cannot form a call."""
        return (
            f"The model sent unusable tool arguments {self.invalid_turns} times in a row. "
            "Nothing of them was run."
        )

    @property
    def answer_cut(self) -> str:
        """What the user is told when an answer without calls hits its limit."""
        return (
            f"The answer was cut at the limit of {self.answer_tokens:,} tokens. "
            "Send a message, such as “go on”, to continue."
        )

    @property
    def call_cut(self) -> str:
        """What the model is told about a call of an answer that hit its limit."""
        return (
            f"Not run: the answer was cut at the limit of {self.answer_tokens:,} tokens, so "
            "this call may be incomplete. Send it again in smaller pieces."
        )
