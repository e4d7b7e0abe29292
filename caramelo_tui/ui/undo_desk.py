"""Carry out what the person wants taken back.

Owns the way from a wish to its plan, the question where one is due, and the writing. It decides
nothing about files: the plan is the agent's. Proven by tests/pilot/test_undo.py.
"""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from datetime import datetime

from textual.app import App

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.agent.undo_port import (
    Redo,
    Rewind,
    RewindPoint,
    UndoLastRun,
    UndoLastTurn,
    UndoWish,
)
from caramelo_tui.domain.ids import RunId
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.domain.undo import ConflictChoice
from caramelo_tui.ui.formatting import count_text
from caramelo_tui.ui.screens.pick import PickRow, PickScreen
from caramelo_tui.ui.screens.undo_plan import UndoPlanScreen
from caramelo_tui.ui.widgets.cells import one_line

_WISHES: Mapping[str, UndoWish] = {
    "turn": UndoLastTurn(),
    "run": UndoLastRun(),
    "redo": Redo(),
}
"""What keys, palette and slash commands name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoDesk:
    """Where undo and redo are asked for."""

    app: App[None]
    agent: Callable[[], AgentPort | None]
    """The agent, once there is one."""

    def take_named(self, what: str) -> None:
        """Take ``turn`` or ``run`` back, ``redo``, or offer the prompts to ``rewind`` to."""
        self._run(self._offer_prompts() if what == "rewind" else self._ask(_WISHES[what]))

    def take(self, wish: UndoWish) -> None:
        """Carry a wish out, after the plan was shown and confirmed where that is due."""
        self._run(self._ask(wish))

    def rewind(self, run_id: RunId) -> None:
        """Take back what was done since a prompt."""
        self.take(Rewind(run_id=run_id))

    def _run(self, work: Coroutine[None, None, None]) -> None:
        self.app.run_worker(work, name="undo", group="undo", exclusive=True)

    async def _ask(self, wish: UndoWish) -> None:
        agent = self.agent()
        if agent is None:
            return
        plan = await agent.undo.plan(wish)
        if plan.problem:
            self._say(plan.problem)
            return
        if plan.needs_no_question:
            await self._carry_out(plan.id, {})
            return

        def take(choices: Mapping[str, ConflictChoice] | None) -> None:
            if choices is not None:
                self._run(self._carry_out(plan.id, choices))

        self.app.push_screen(UndoPlanScreen(plan), take)

    async def _carry_out(self, plan_id: str, choices: Mapping[str, ConflictChoice]) -> None:
        agent = self.agent()
        if agent is None:
            return
        problem = await agent.undo.carry_out(plan_id, choices)
        if problem:
            self.app.notify(visible(problem), severity="warning", markup=False)

    async def _offer_prompts(self) -> None:
        agent = self.agent()
        if agent is None:
            return
        points = await agent.undo.rewind_points()
        if not points:
            self._say("There is no prompt yet to go back to.")
            return
        # The newest first, each by its number, since prompts can be the same.
        numbered = {f"{number}": point for number, point in enumerate(points, start=1)}
        rows = [_row(number, point) for number, point in reversed(numbered.items())]
        intro = "The files go back to what they were before the chosen prompt."

        def take(number: str | None) -> None:
            if number is not None:
                self.rewind(numbered[number].run_id)

        self.app.push_screen(
            PickScreen(rows, title="Go back to before a prompt", intro=intro), take
        )

    def _say(self, text: str) -> None:
        self.app.notify(visible(text), markup=False)


def _row(number: str, point: RewindPoint) -> PickRow:
    at = datetime.fromtimestamp(point.at).astimezone()
    files = count_text(point.files, "file") if point.files else "no file"
    return PickRow(name=number, words=one_line(point.prompt), mark=f"{at:%H:%M} {files}")
