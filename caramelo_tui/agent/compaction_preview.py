"""Show a compaction before it happens.

Owns the rows of the preview: each prompt and each turn with its size and what becomes of it.
Pure. Proven by tests/unit/agent/test_compaction_preview.py.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from caramelo_tui.agent.compaction import Cut, Estimate, begin_of_tail, compacted
from caramelo_tui.agent.context_port import CompactionPreview, ContextRow, Fate
from caramelo_tui.domain.messages import (
    AssistantMessage,
    Message,
    ToolResultsMessage,
    UserMessage,
)

SUMMARY_CHARACTERS = 5_000
"""Length of a usual summary."""
_LONGEST_LABEL = 200
"""Characters of a row's label."""


@dataclass(slots=True)
class _Group:
    """Messages that are one row."""

    at: int
    """Index of the first one."""
    place: int | None
    messages: list[Message] = field(default_factory=list[Message])


def preview_of(
    messages: Sequence[Message],
    cut: Cut | None,
    *,
    pins: Collection[int],
    estimate: Estimate,
    context_window: int | None,
    problem: str,
) -> CompactionPreview:
    """Return what a cut does to a transcript; ``None`` for a cut that does nothing."""
    fixed, before = estimate(()), estimate(messages)
    at = begin_of_tail(messages, cut.kept_answers) if cut is not None and cut.drops else 0
    rows = tuple(
        ContextRow(
            label=_label(group.messages),
            tokens=max(estimate(compacted(group.messages, _WHOLE, "")) - fixed, 0),
            fate=_fate(group, cut, at, pins),
            place=group.place,
        )
        for group in _groups(messages)
    )
    after = before
    if cut is not None:
        after = estimate(compacted(messages, cut, "x" * SUMMARY_CHARACTERS))
    return CompactionPreview(
        rows=rows,
        tokens_before=before,
        tokens_after=after,
        context_window=context_window,
        problem=problem,
    )


_WHOLE = Cut(kept_answers=0, drops=False)
"""Takes nothing away but the provider's counts."""


def _groups(messages: Sequence[Message]) -> list[_Group]:
    groups: list[_Group] = []
    prompts = 0
    for index, message in enumerate(messages):
        match message:
            case UserMessage(is_note=False):
                groups.append(_Group(index, prompts))
                prompts += 1
            case UserMessage() | AssistantMessage():
                groups.append(_Group(index, None))
            case ToolResultsMessage():
                pass
        groups[-1].messages.append(message)
    return groups


def _fate(group: _Group, cut: Cut | None, at: int, pins: Collection[int]) -> Fate:
    if group.place is not None and (
        group.place in pins or (cut is not None and group.at < at and group.place in cut.pinned)
    ):
        return Fate.PINNED
    if group.at < at:
        return Fate.SUMMED_UP
    short = cut.shortened if cut is not None else ()
    results = (m.results for m in group.messages if isinstance(m, ToolResultsMessage))
    is_short = any(result.call_id in short for some in results for result in some)
    return Fate.SHORTENED if is_short else Fate.STAYS


def _label(messages: Sequence[Message]) -> str:
    first = messages[0]
    if isinstance(first, UserMessage):
        return f"{'note' if first.is_note else 'you'}: {_begin(first.text)}"
    if not isinstance(first, AssistantMessage):
        return ""
    calls = ", ".join(dict.fromkeys(call.name for call in first.calls))
    return f"turn: {_begin(' · '.join(filter(None, (calls, first.text))))}"


def _begin(text: str) -> str:
    return " ".join(text[: 2 * _LONGEST_LABEL].split())[:_LONGEST_LABEL]
