"""Carry out what the conversation asks for.

Owns the way from a request of the conversation to the prompt, the pager, the person's editor and
the agent. Decides nothing: what is to be sent again, the conversation says. Proven by
tests/pilot/test_block_keys.py and tests/pilot/test_pager.py.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

from textual.app import App

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.domain.ids import RunId
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.conversation_requests import (
    AnyConversationRequest,
    ForkAsked,
    RetryAsked,
    RewindAsked,
    TextEditAsked,
    TextOpened,
    TextQuoted,
)
from caramelo_tui.ui.external_editor import edit_in_editor
from caramelo_tui.ui.panes.prompt import PromptPane


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationDesk:
    """Where requests of the conversation are taken."""

    app: App[None]
    prompt: PromptPane
    go_to_prompt: Callable[[], None]
    """Give the prompt the focus."""
    agent: Callable[[], AgentPort | None]
    """The agent, once there is one."""
    rewind: Callable[[RunId], None]
    """Ask for the files as they were before a run."""
    fork: Callable[[RunId], None]
    """Go on in a session that ends before a run."""

    def take(self, request: AnyConversationRequest) -> None:
        """Carry out a request."""
        match request:
            case TextQuoted():
                self._quote(request.text)
            case TextOpened():
                self._open(request)
            case TextEditAsked():
                self.edit(request.text)
            case RewindAsked():
                self.rewind(request.run_id)
            case ForkAsked():
                self.fork(request.run_id)
            case RetryAsked():
                self._retry(request.prompt)
            case _:
                assert_never(request)

    def edit(self, text: str) -> None:
        """Open a text in the person's editor; changes are dropped."""
        self.app.run_worker(
            edit_in_editor(self.app, visible(text), suffix=".md"),
            name="read-in-editor",
            group="editor",
            exclusive=True,
        )

    def _quote(self, text: str) -> None:
        """Put a quote below the draft, and let the person answer to it."""
        draft = self.prompt.draft.rstrip("\n")
        self.prompt.add_to_draft(f"\n\n{text}" if draft else text)
        self.go_to_prompt()

    def _open(self, request: TextOpened) -> None:
        from caramelo_tui.ui.screens.pager import (  # noqa: PLC0415 - not for the first paint
            PagerScreen,
        )

        self.app.push_screen(PagerScreen(request.text, title=request.title, edit=self.edit))

    def _retry(self, prompt: str) -> None:
        """Send what makes up for a failed run, or what waits; else a run is left alone.

        The failed request itself is sent again where that can be: the prompt stands in it.
        """
        agent = self.agent()
        if agent is None or agent.retries.send_now():
            return
        if agent.is_running:
            self.app.notify("The run still goes on.", markup=False)
        elif agent.retries.send_again():
            return
        elif prompt:
            agent.submit(prompt)
        else:
            self.app.notify("No run has failed.", markup=False)
