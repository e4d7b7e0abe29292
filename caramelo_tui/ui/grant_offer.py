"""Offer to ask no more about some writes.

Owns what is offered at a file, the words around it, and the wish to the agent. Protected paths
and the limit of changed lines go on asking: that is the policy's affair and said here. Proven by
tests/pilot/test_grants.py.
"""

from collections.abc import Callable

from textual.app import App

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.ui.screens.pick import PickRow, PickScreen
from caramelo_tui.ui.widgets.cells import one_line

_INTRO = (
    "Later writes that match are not asked about, to the end of this session. Protected paths and "
    "line limits ask as ever. What waits now still needs your answer."
)


def offer_grants(app: App[None], agent: AgentPort, path: str, say: Callable[[str], None]) -> None:
    """Let the person choose a grant for a file, and ask the agent for it.

    Args:
        app: Shows the list.
        agent: Knows what may be granted, and takes it.
        path: Workspace-relative path of a file that waits for its review.
        say: Told what came of it, as one safe line.
    """
    grants = agent.rules.write_grants(path)
    if not grants:
        say(f"writes to {one_line(path)} always ask")
        return

    def take(pattern: str | None) -> None:
        if pattern is None:
            return
        problem = agent.rules.grant_writes(pattern, path=path)
        say(one_line(problem) or f"asks no more about {one_line(pattern)}; decide what waits")

    rows = [PickRow(name=grant.pattern, words=grant.covers) for grant in grants]
    app.push_screen(PickScreen(rows, title="Ask no more this session", intro=_INTRO), take)
