"""Make a transcript shorter at whole turns.

Owns what may go and what stays: the plan of a compaction and the one function that carries it
out, also when a stored session is played again. Pure: asks no model, emits nothing, estimates
nothing by itself. Proven by tests/unit/agent/test_compaction.py and
tests/property/test_compaction.py.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import (
    AssistantMessage,
    Message,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.tool_calls import ToolResult
from caramelo_tui.domain.usage import Usage

HEAD_CHARACTERS = 800
"""Characters kept of a shortened result's begin."""
TAIL_CHARACTERS = 400
"""Characters kept of a shortened result's end: errors and totals often stand there."""
SHORT_CHARACTERS = 2_000
"""Results up to this length are not worth shortening."""
SUMMARY_INTRO = (
    "Note: the conversation up to here was too long for the model and is summed up below. It is "
    "a record of what happened, not a new instruction. Read files again before relying on "
    "their content."
)
"""Stands before the summary, in the same message."""

Estimate = Callable[[Sequence[Message]], int]
"""Tokens of a request with these messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """What a compaction does to a transcript; see ``ContextCompacted`` for the fields."""

    kept_answers: int
    pinned: tuple[int, ...] = ()
    shortened: tuple[CallId, ...] = ()
    drops: bool = True
    """Whether what stands before the kept answers goes."""


def compacted(messages: Sequence[Message], cut: Cut, summary: str) -> tuple[Message, ...]:
    """Return the transcript that a cut leaves.

    The counts of the provider are taken off the answers that stay, since they were made of a
    longer request.

    Args:
        messages: A valid transcript.
        cut: What goes.
        summary: What is told of the dropped messages; not empty when ``cut.drops``.
    """
    at = begin_of_tail(messages, cut.kept_answers) if cut.drops else 0
    kept: list[Message] = []
    if at:
        prompts = prompts_of(messages)
        kept += [prompts[place] for place in cut.pinned if place < len(prompts)]
        kept.append(UserMessage(text=f"{SUMMARY_INTRO}\n\n{summary}", is_note=True))
    short = frozenset(cut.shortened)
    kept += [_lighter(message, short) for message in messages[at:]]
    return tuple(kept)


def prompts_of(messages: Sequence[Message]) -> tuple[UserMessage, ...]:
    """Return what the person said, in order; notes of the program are left out."""
    return tuple(m for m in messages if isinstance(m, UserMessage) and not m.is_note)


def begin_of_tail(messages: Sequence[Message], kept_answers: int) -> int:
    """Return where the last answers begin, with what the person said right before them.

    Everything behind it is valid on its own when a user message stands before it.
    """
    seen = 0
    for index in range(len(messages) - 1, -1, -1):
        if isinstance(messages[index], AssistantMessage):
            seen += 1
            if seen == kept_answers:
                return _back_over_user_messages(messages, index)
    return 0


def _back_over_user_messages(messages: Sequence[Message], index: int) -> int:
    while index and isinstance(messages[index - 1], UserMessage):
        index -= 1
    return index


def shortened_text(text: str) -> str:
    """Return the begin and the end of a long text, and that it was shortened."""
    if len(text) <= SHORT_CHARACTERS:
        return text
    left_out = len(text) - HEAD_CHARACTERS - TAIL_CHARACTERS
    return (
        f"{text[:HEAD_CHARACTERS]}\n"
        f"[… {left_out:,} characters were left out here when the conversation was shortened; "
        "make the call again if they are needed …]\n"
        f"{text[-TAIL_CHARACTERS:]}"
    )


def _lighter(message: Message, short: Collection[CallId]) -> Message:
    match message:
        case AssistantMessage() if message.usage != Usage():
            return replace(message, usage=Usage())
        case ToolResultsMessage() if any(r.call_id in short for r in message.results):
            return replace(message, results=tuple(_shorter(r, short) for r in message.results))
        case _:
            return message


def _shorter(result: ToolResult, short: Collection[CallId]) -> ToolResult:
    if result.call_id not in short:
        return result
    return replace(result, text=shortened_text(result.text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How far a compaction goes, in tokens."""

    goal: int
    """What the next request should be at most."""
    tail: int
    """What the last turns may keep unshortened; the last one is kept in any case."""


class CutPlanner:
    """Finds the gentlest cut that reaches a size."""

    def __init__(self, messages: Sequence[Message], *, estimate: Estimate) -> None:
        """Take a valid transcript; ``estimate`` counts what a request with messages would be."""
        self._messages = tuple(_lighter(message, ()) for message in messages)
        self._estimate = estimate

    def plan(self, sizes: Sizes, *, pinned: Collection[int], drops: bool = True) -> Cut | None:
        """Return what goes.

        Results before the last turns are shortened first; if that is not enough, everything
        before the last turns goes; if that is not enough either, results of the last turns are
        shortened too, the longest first.

        Args:
            sizes: How far it goes.
            pinned: Prompts that stay, by their places among the person's.
            drops: Whether messages may go; ``False``: results are shortened and no more.

        Returns:
            ``None`` when there is nothing that could go.
        """
        kept = self._answers_within(sizes.tail)
        at = begin_of_tail(self._messages, kept)
        old = _long_results(self._messages[:at])
        short = Cut(kept_answers=kept, shortened=old, drops=False)
        if old and self._size(short) <= sizes.goal:
            return short
        cut = short
        stays = self._pinned(pinned, at)
        if drops and at > len(stays):
            cut = Cut(kept_answers=kept, pinned=stays)
        return self._with_short_tail(cut, at, sizes.goal)

    def _answers_within(self, tokens: int) -> int:
        """Return how many of the last answers, with their results, stay unshortened."""
        count = sum(isinstance(message, AssistantMessage) for message in self._messages)
        fixed = self._estimate(())
        kept = min(count, 1)
        while kept < count:
            at = begin_of_tail(self._messages, kept + 1)
            if self._estimate(self._messages[at:]) - fixed > tokens:
                break
            kept += 1
        return kept

    def _pinned(self, pinned: Collection[int], at: int) -> tuple[int, ...]:
        """Return what is pinned before the tail; the last prompt always is: it is worked on."""
        before = len(prompts_of(self._messages[:at]))
        is_last_before = before == len(prompts_of(self._messages))
        wanted = {*pinned, before - 1} if is_last_before and before else set(pinned)
        return tuple(sorted(place for place in wanted if 0 <= place < before))

    def _with_short_tail(self, cut: Cut, at: int, goal: int) -> Cut | None:
        lengths = {
            result.call_id: len(result.text)
            for result in _results(self._messages[at:])
            if len(result.text) > SHORT_CHARACTERS
        }
        for call_id in sorted(lengths, key=lambda name: -lengths[name]):
            if self._size(cut) <= goal:
                break
            cut = replace(cut, shortened=(*cut.shortened, call_id))
        return cut if cut.drops or cut.shortened else None

    def _size(self, cut: Cut) -> int:
        return self._estimate(compacted(self._messages, cut, ""))


def _results(messages: Sequence[Message]) -> list[ToolResult]:
    return [
        result
        for message in messages
        if isinstance(message, ToolResultsMessage)
        for result in message.results
    ]


def _long_results(messages: Sequence[Message]) -> tuple[CallId, ...]:
    """Return the calls whose results can be shortened.

    One that was shortened before is short already.
    """
    return tuple(r.call_id for r in _results(messages) if len(r.text) > SHORT_CHARACTERS)
