"""Read out what happened before a session was taken up.

Owns which of the stored events are read, and how many prompts at once. Nothing is asked, sent or
offered because of them. Proven by tests/unit/headless/test_linear_sessions.py.
"""

from collections.abc import Sequence
from dataclasses import replace

from caramelo_tui.domain.agent_events import (
    AgentEvent,
    BackgroundChanged,
    NoticeRaised,
    PromptSteered,
    QueueChanged,
    RetryScheduled,
    RunEnded,
    RunStarted,
    ToolExecutionStarted,
)
from caramelo_tui.headless.linear.hunk_text import counted
from caramelo_tui.headless.linear.narration import Narrator
from caramelo_tui.headless.linear.output import LinearOutput

_PASSING = (QueueChanged, BackgroundChanged, RetryScheduled, ToolExecutionStarted)
"""Said anew when the session goes on, or over by then."""


def read_earlier(
    out: LinearOutput,
    events: Sequence[AgentEvent],
    *,
    most: int = 0,
    narrator: Narrator | None = None,
) -> None:
    """Read out stored events.

    Args:
        out: Takes the lines.
        events: In order.
        most: Prompts, the last ones; 0: all.
        narrator: Says them, and knows the last result from then on; ``None``: one for this time.
    """
    narrator = narrator or Narrator(out)
    starts = [place for place, event in enumerate(events) if isinstance(event, RunStarted)]
    first = max(len(starts) - most, 0) if most else 0
    if first:
        hidden = counted(first, "earlier prompt is", "earlier prompts are")
        out.say(f"{hidden} not read out; /earlier reads them.")
    number = first
    for event in events[starts[first] if first else 0 :]:
        match event:
            case RunStarted():
                number += 1
                again = ", asked again" if event.is_retry else ""
                _read_prompt(out, f"Prompt {number} of {len(starts)}{again}:", event.prompt)
            case PromptSteered():
                _read_prompt(out, "The run was told:", event.text)
            case RunEnded():
                # What could be sent again then is no offer of now.
                narrator.tell(replace(event, can_retry=False))
            case _ if _is_read(event):
                narrator.tell(event)
            case _:
                # It was about that start of the program.
                pass
    narrator.end_answer()
    out.say("End of what was said before.")


def _read_prompt(out: LinearOutput, head: str, text: str) -> None:
    out.say(head)
    out.say(text)
    out.say("End of the prompt.")


def _is_read(event: AgentEvent) -> bool:
    if isinstance(event, _PASSING):
        return False
    return not (isinstance(event, NoticeRaised) and event.head.run_id is None)
