"""Say that a request is sent again.

Owns the sentences about retries in the conversation. Pure. Proven by
tests/unit/ui/test_event_router.py and tests/pilot/test_retry.py.
"""

from caramelo_tui.domain.agent_events import RetryScheduled
from caramelo_tui.ui.keymap import KeyMap, label_of

RETRIED = (
    "The prompt is not sent a second time: the answer is asked for again, without what came of"
    " the broken one."
)
"""Below the prompt of a run that goes on where one broke off."""


def retry_text(event: RetryScheduled, keys: KeyMap) -> str:
    """Return why a request is sent again and when, and for the main agent the keys for it."""
    text = f"{event.reason} Trying again in {event.wait_s:.0f} s."
    if event.head.agent:
        return text
    pane, stop = label_of("jump('conversation')", keys), label_of("interrupt", keys)
    return f"{text} {pane} and then r sends it at once; {stop} stops the run."
