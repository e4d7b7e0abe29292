"""Say which calls a filter of the tool log leaves.

Owns its few words: ``is:error`` for a state, ``tool:bash`` for a tool, anything else for a text in
the row; and how one key goes from one state or tool to the next. Pure. Proven by
tests/unit/ui/test_call_filter.py.
"""

from collections.abc import Iterable
from dataclasses import dataclass

STATE_SIGN = "is:"
"""Stands before a state, whose blanks are hyphens: ``is:not-run``."""
TOOL_SIGN = "tool:"
"""Stands before a tool's name, or the begin of it."""


@dataclass(frozen=True, slots=True)
class CallFilter:
    """What a call must be; several states or tools mean any of them."""

    states: frozenset[str] = frozenset()
    tools: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @classmethod
    def read(cls, text: str) -> "CallFilter":
        """Read what was typed; a sign with nothing behind it asks for nothing."""
        states: set[str] = set()
        tools: list[str] = []
        words: list[str] = []
        for word in text.casefold().split():
            if word.startswith(STATE_SIGN):
                states.add(word.removeprefix(STATE_SIGN))
            elif word.startswith(TOOL_SIGN):
                tools.append(word.removeprefix(TOOL_SIGN))
            else:
                words.append(word)
        return cls(frozenset(filter(None, states)), tuple(filter(None, tools)), tuple(words))

    def matches(self, *, state: str, tool: str, row: str) -> bool:
        """Whether a call is meant.

        Args:
            state: Its state, such as ``not_run``.
            tool: Its tool's name.
            row: All words of its row.
        """
        if self.states and state.replace("_", "-") not in self.states:
            return False
        if self.tools and not tool.casefold().startswith(self.tools):
            return False
        folded = row.casefold()
        return all(word in folded for word in self.words)


def with_next(text: str, sign: str, values: Iterable[str]) -> str:
    """Return a filter with the next value behind a sign; behind the last one it is gone.

    Args:
        text: The filter so far.
        sign: ``STATE_SIGN`` or ``TOOL_SIGN``.
        values: What there is, in the order in which it comes.
    """
    known = [value.replace("_", "-") if sign == STATE_SIGN else value for value in values]
    kept = [word for word in text.split() if not word.startswith(sign)]
    now = [word.removeprefix(sign) for word in text.split() if word.startswith(sign)]
    place = known.index(now[-1]) + 1 if now and now[-1] in known else 0
    if now and place == 0:
        return " ".join(kept)
    return " ".join([*kept, *(f"{sign}{value}" for value in known[place : place + 1])])
