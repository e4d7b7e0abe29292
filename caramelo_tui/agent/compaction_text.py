"""Say in words what a compaction does.

Owns the sentences for people, of the plan and of what came of it. Their texts hold what a model
wrote: whoever shows them makes them safe. Proven by tests/unit/agent/test_compaction_text.py.
"""

from caramelo_tui.domain.context_events import ContextCompacted


def compaction_text(event: ContextCompacted) -> str:
    """Return what a compaction came to, and what the model is told of the part that went."""
    figures = f"about {event.tokens_before:,} to {event.tokens_after:,} tokens"
    who = "by hand" if event.is_by_hand else "by itself"
    parts = [f"Compacted {who}: {figures}; {_goes(event)}."]
    if event.problem:
        parts.append(f"There is no summary: {event.problem}")
    parts.append("The session file keeps everything.")
    told = f"\n\nThe model is told:\n{event.summary}" if event.summary else ""
    return " ".join(parts) + told


def _goes(event: ContextCompacted) -> str:
    return goes_text(
        dropped=event.dropped_messages,
        shortened=len(event.shortened),
        pinned=len(event.pinned),
        kept_answers=event.kept_answers,
    )


def goes_text(*, dropped: int, shortened: int, pinned: int, kept_answers: int) -> str:
    """Return what goes and what stays, without an end.

    Args:
        dropped: Messages that are summed up.
        shortened: Results that are shortened.
        pinned: Prompts that stay though they stand before the last turns.
        kept_answers: Turns that stay at the end.
    """
    goes: list[str] = []
    if dropped:
        goes.append(f"{_counted(dropped, 'message')} summed up")
    if shortened:
        goes.append(f"{_counted(shortened, 'result')} shortened")
    who = ["the last turn" if kept_answers == 1 else f"the last {kept_answers:,} turns"]
    if dropped and pinned:
        who.insert(0, _counted(pinned, "prompt"))
    verb = "stays" if len(who) == 1 and kept_answers == 1 else "stay"
    stays = f"{' and '.join(who)} {verb}"
    return f"{' and '.join(goes) or 'nothing goes'}; {stays}"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
