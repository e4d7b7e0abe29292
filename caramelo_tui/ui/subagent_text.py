"""Say in few words how far a sub-agent is.

Owns the words of its row in the tool log and of its line in the conversation. Pure. Proven by
tests/unit/ui/test_subagent_text.py.
"""

from caramelo_tui.domain.agent_events import Ending
from caramelo_tui.ui.call_records import Subagent
from caramelo_tui.ui.formatting import count_text, tokens_text


def subagent_text(subagent: Subagent, *, shows_tokens: bool = True) -> str:
    """Return turns and tokens, such as ``turn 3 · 12k tokens`` or ``4 turns · 46k tokens``.

    An ending that is no success stands before them.
    """
    parts: list[str] = []
    if subagent.ending not in {None, Ending.COMPLETED}:
        parts.append(str(subagent.ending).replace("_", " "))
    if subagent.ending is None:
        parts.append(f"turn {subagent.turns}" if subagent.turns else "starting")
    else:
        parts.append(count_text(subagent.turns, "turn"))
    tokens = subagent.usage.context_tokens
    if tokens and shows_tokens:
        parts.append(f"{tokens_text(tokens)} tokens")
    return " · ".join(parts)
