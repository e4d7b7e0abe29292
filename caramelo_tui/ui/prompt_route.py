"""Bring what the prompt asks for to who carries it out.

Owns what is sent before there is an agent, the way of a prompt to the desk once there is one, and
what an interrupt gives back to the draft; what the desk does is the desk's. Composed for the
first paint, so it imports nothing that the first paint can do without. Proven by
tests/pilot/test_start.py, tests/pilot/test_prompt_keys.py and tests/pilot/test_interrupt.py.
"""

from typing import TYPE_CHECKING

from caramelo_tui.ui.pane_area import PaneArea
from caramelo_tui.ui.pane_layout import Place
from caramelo_tui.ui.panes.draft_editor import PromptWish
from caramelo_tui.ui.panes.prompt import PromptPane

if TYPE_CHECKING:
    from collections.abc import Callable

    from caramelo_tui.agent.port import AgentPort
    from caramelo_tui.ui.prompt_desk import PromptDesk


class PromptRoute:
    """The way out of the prompt."""

    def __init__(
        self, *, prompt: PromptPane, area: PaneArea, desk: "Callable[[], PromptDesk | None]"
    ) -> None:
        """Hold what is sent until ``attach``; ``desk`` gives the desk once it is there."""
        self._prompt = prompt
        self._area = area
        self._desk = desk
        self._agent: AgentPort | None = None
        self._early: list[str] = []

    @property
    def queued(self) -> int:
        """Prompts that wait for the end of the run."""
        return 0 if self._agent is None else len(self._agent.queued_prompts)

    def attach(self, agent: "AgentPort") -> None:
        """Work with an agent from now on; what was sent before goes to it."""
        self._agent = agent
        for text in self._early:
            self._send(agent, text)
        self._early.clear()
        self._prompt.show_queue(agent.queued_prompts)

    def submit(self, text: str) -> None:
        """Send a prompt and show where it is answered; keep it until there is an agent."""
        if not self._area.is_zoomed:
            self._area.show(Place.CONVERSATION)
        if self._agent is None:
            self._early.append(text)
            self._prompt.show_queue(self._early)
            return
        self._send(self._agent, text)

    def take(self, wish: PromptWish, text: str) -> None:
        """Carry out a wish; ``text`` is the draft."""
        desk = self._desk()
        if desk is not None:
            desk.take(wish, text)
        elif wish is PromptWish.STEER:
            # Nothing can be steered yet, and nothing that was typed is lost.
            self.submit(text)
        elif wish is PromptWish.RUN:
            self._prompt.set_draft(text)

    def take_back_newest(self) -> None:
        """Put the newest waiting prompt back into the editor."""
        desk = self._desk()
        if desk is not None:
            desk.take_back_newest()

    def send_queued(self) -> None:
        """Send the prompt that waits longest."""
        if self._agent is not None:
            self._agent.send_next_queued()

    def interrupt(self) -> None:
        """Stop the run and put what waited before the draft; without a run, clear the draft."""
        agent = self._agent
        if agent is not None and agent.interrupt():
            self._prompt.put_before_draft(agent.take_back_queue())
        else:
            self._prompt.clear_draft()

    def _send(self, agent: "AgentPort", text: str) -> None:
        """Hand a prompt to the agent, unless it is a command to the app."""
        desk = self._desk()
        if desk is None:
            agent.submit(text)
        else:
            desk.send(text)
