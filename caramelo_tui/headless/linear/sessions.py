"""Go on with stored sessions, fork and export this one, in lines.

Owns ``/resume``, ``/fork``, ``/export`` and ``/earlier``, as sentences. To change the session is
the affair of who sits it: that one is asked. Proven by
tests/unit/headless/test_linear_sessions.py.
"""

import time
from collections.abc import Awaitable, Callable

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.domain.ids import RunId, SessionId
from caramelo_tui.domain.sessions import ExportForm, SessionSummary, SessionTrouble
from caramelo_tui.headless.linear.dialogs import number_in, one_line
from caramelo_tui.headless.linear.earlier import read_earlier
from caramelo_tui.headless.linear.hunk_text import counted
from caramelo_tui.headless.linear.output import LinearOutput

MOST_READ = 20
"""Sessions that are read out at once, the latest; words narrow."""
_LONGEST_FIRST_WORDS = 120
"""Characters of what was said in a session that get into its line."""
_UNITS_S = (("day", 86_400), ("hour", 3_600), ("minute", 60))

GoTo = Callable[[SessionId, str], Awaitable[None]]
"""Goes on with a session; the text is a prompt that is prepared there."""


class LinearSessions:
    """What is typed about sessions."""

    def __init__(
        self,
        agent: AgentPort,
        out: LinearOutput,
        *,
        go_to: GoTo,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Ask an agent and say what it answers.

        Args:
            agent: Knows the sessions.
            out: Takes the answers.
            go_to: Goes on with another session.
            now: Seconds since the Unix epoch.
        """
        self._agent = agent
        self._out = out
        self._go_to = go_to
        self._now = now
        self._read_out: tuple[SessionSummary, ...] = ()

    async def resume(self, text: str = "") -> None:
        """Read out the other sessions, or those with some words; go on with one by its number."""
        await self._guarded(self._resume(text))

    async def fork(self, text: str = "") -> None:
        """Go on in a copy of this session, or of what stands before a prompt of it."""
        await self._guarded(self._fork(text))

    async def export(self, text: str = "") -> None:
        """Write this session to a file."""
        await self._guarded(self._export(text))

    async def earlier(self, text: str = "") -> None:
        """Read out what happened before the session was taken up, or its last prompts."""
        if not self._agent.sessions.earlier:
            self._out.say("This session began with this start.")
        elif text and number_in(text) is None:
            self._out.say("/earlier reads all earlier prompts, /earlier NUMBER that many.")
        elif not self._is_busy():
            read_earlier(self._out, self._agent.sessions.earlier, most=number_in(text) or 0)
        await self._out.flush()

    async def _resume(self, text: str) -> None:
        if self._is_busy():
            return
        number = number_in(text)
        if number is not None and self._read_out:
            await self._choose(number)
            return
        current = self._agent.sessions.current
        found = [one for one in await self._agent.sessions.list(text) if one.id != current]
        self._read_out = tuple(found[:MOST_READ])
        for number, session in enumerate(self._read_out, 1):
            self._out.say(f"Session {number}, {_sentence(session, self._now())}")
        if not found:
            words = f" that holds all of: {one_line(text)}" if text else ""
            self._out.say(f"There is no other session of this folder{words}.")
            return
        if len(found) > MOST_READ:
            self._out.say(f"{len(found) - MOST_READ:,} more are not read out.")
        self._out.say("/resume NUMBER goes on with one, /resume WORDS reads out those with words.")

    async def _choose(self, number: int) -> None:
        if not 0 < number <= len(self._read_out):
            self._out.say(f"There is no session {number}; /resume reads the numbers.")
            return
        await self._go_to(self._read_out[number - 1].id, "")

    async def _fork(self, text: str) -> None:
        if self._is_busy():
            return
        before: RunId | None = None
        if text:
            points = await self._agent.undo.rewind_points()
            number = number_in(text)
            if number is None or not 0 < number <= len(points):
                self._out.say(f"There is no prompt {one_line(text)}; /rewind reads the numbers.")
                return
            before = points[number - 1].run_id
        fork = await self._agent.sessions.fork(before=before)
        await self._go_to(fork.id, fork.prompt)

    async def _export(self, text: str) -> None:
        first, _, rest = text.partition(" ")
        forms = {form.value: form for form in ExportForm}
        form, target = forms.get(first), rest.strip()
        if form is None:
            ending = text.rpartition(".")[2].lower()
            form, target = forms.get(ending, ExportForm.MARKDOWN), text
        path = await self._agent.sessions.export(form, target)
        self._out.say(f"The session was written to {one_line(str(path), is_exact=True)}.")

    def _is_busy(self) -> bool:
        if self._agent.is_running:
            self._out.say("A run is under way: wait for its end, or /stop it first.")
        return self._agent.is_running

    async def _guarded(self, work: Awaitable[None]) -> None:
        try:
            await work
        except SessionTrouble as error:
            self._out.say(one_line(str(error)))
        await self._out.flush()


def _sentence(session: SessionSummary, now: float) -> str:
    """Return how a session is read out: age, prompts, state, its first words."""
    said = " ".join((session.excerpt or session.first_prompt or "nothing was asked").split())
    if len(said) > _LONGEST_FIRST_WORDS:
        said = f"{said[: _LONGEST_FIRST_WORDS - 1]}…"
    state = "open elsewhere" if session.is_open else "cut off" if session.is_unended else ""
    parts = (_age(now - session.active_at), counted(session.runs, "prompt"), state)
    problem = f" {one_line(session.problem)}" if session.problem else ""
    return f"{', '.join(part for part in parts if part)}: {one_line(said)}.{problem}"


def _age(seconds: float) -> str:
    for unit, size in _UNITS_S:
        if seconds >= size:
            return f"{counted(int(seconds // size), unit)} ago"
    return "just now"
