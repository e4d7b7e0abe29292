"""Carry out what the person wants of stored sessions.

Owns the picker, forks, exports and what is said of the session in use. To change the session is the
app's affair: it is asked. Proven by tests/pilot/test_sessions.py and
tests/pilot/test_slash_commands.py.
"""

import time
from collections.abc import Callable, Coroutine

from textual.app import App

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.domain.ids import RunId, SessionId
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.domain.sessions import ExportForm, SessionSummary, SessionTrouble
from caramelo_tui.ui.formatting import count_text
from caramelo_tui.ui.panes.status_bar import StatusView
from caramelo_tui.ui.screens.find import FindScreen
from caramelo_tui.ui.session_requests import SessionAsked
from caramelo_tui.ui.session_texts import session_text
from caramelo_tui.ui.widgets.cells import one_line

_MINUTE_S, _HOUR_S, _DAY_S = 60, 3_600, 86_400


class SessionDesk:
    """What can be done with the sessions of one agent's workspace."""

    def __init__(
        self, app: App[None], agent: AgentPort, *, now: Callable[[], float] = time.time
    ) -> None:
        """Serve one agent; ``now`` gives seconds since the Unix epoch."""
        self._app = app
        self._agent = agent
        self._now = now

    def take(self, name: str, text: str = "") -> None:
        """Carry out ``resume``, ``fork``, ``export`` or ``earlier``, with what was typed behind."""
        match name:
            case "resume":
                self._run(self._offer(text))
            case "fork":
                self.fork(None)
            case "export":
                self._run(self._export(text))
            case _:
                self._change(None)

    def tell(self, view: StatusView) -> None:
        """Say how the session stands, and by which name it is gone on with."""
        text = session_text(view, self._agent.sessions.current)
        self._app.notify(text, markup=False)

    def fork(self, before: RunId | None) -> None:
        """Go on in a new session that holds this one, or this one before a run."""
        if not self._is_busy():
            self._run(self._fork(before))

    async def _offer(self, words: str) -> None:
        if self._is_busy():
            return
        current = self._agent.sessions.current
        found = [one for one in await self._agent.sessions.list(words) if one.id != current]
        if not found:
            self._say(_nothing_found(words))
            return
        rows = {row_text(session, self._now()): session for session in found}
        self._app.push_screen(
            FindScreen(list(rows), title="Go on with a session"),
            lambda row: self._take_choice(None if row is None else rows[row]),
        )

    def _take_choice(self, session: SessionSummary | None) -> None:
        if session is not None:
            self._change(session.id)

    async def _fork(self, before: RunId | None) -> None:
        fork = await self._agent.sessions.fork(before=before)
        self._change(fork.id, draft=fork.prompt)

    async def _export(self, text: str) -> None:
        first, _, rest = text.partition(" ")
        forms = {form.value: form for form in ExportForm}
        form, target = forms.get(first), rest.strip()
        if form is None:
            form, target = _form_of(text), text
        path = await self._agent.sessions.export(form, target)
        self._say(f"The session was written to {visible(str(path), keeps_newlines=False)}.")

    def _change(self, session_id: SessionId | None, *, draft: str = "") -> None:
        if not self._is_busy():
            self._app.post_message(SessionAsked(session_id, draft=draft))

    def _is_busy(self) -> bool:
        if self._agent.is_running:
            self._say("A run is under way: wait for its end, or stop it first.")
        return self._agent.is_running

    def _run(self, work: Coroutine[None, None, None]) -> None:
        self._app.run_worker(self._guarded(work), name="sessions", group="sessions", exclusive=True)

    async def _guarded(self, work: Coroutine[None, None, None]) -> None:
        try:
            await work
        except SessionTrouble as error:
            self._app.notify(visible(str(error)), severity="warning", markup=False)

    def _say(self, text: str) -> None:
        self._app.notify(text, markup=False)


def row_text(session: SessionSummary, now: float) -> str:
    """Return how a session is offered: age, prompts, state, its first words, its id."""
    state = "open elsewhere" if session.is_open else "cut off" if session.is_unended else ""
    said = session.excerpt or session.first_prompt or "nothing was asked"
    parts = (
        age_text(now - session.active_at),
        count_text(session.runs, "prompt"),
        session.problem or state,
        one_line(" ".join(said.split())),
        session.id,
    )
    return " · ".join(part for part in parts if part)


def age_text(seconds: float) -> str:
    """Return how long ago something was, in its largest unit."""
    if seconds < _MINUTE_S:
        return "just now"
    for unit, size in (("d", _DAY_S), ("h", _HOUR_S)):
        if seconds >= size:
            return f"{int(seconds // size)} {unit} ago"
    return f"{int(seconds // _MINUTE_S)} min ago"


def _nothing_found(words: str) -> str:
    if words:
        return f"No other session holds all of: {visible(words, keeps_newlines=False)}"
    return "There is no other session of this folder."


def _form_of(target: str) -> ExportForm:
    """Return the form that a file's name asks for; Markdown for every other name."""
    ending = target.rpartition(".")[2].lower()
    return ExportForm(ending) if ending in set(ExportForm) else ExportForm.MARKDOWN
