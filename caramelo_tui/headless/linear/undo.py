"""Take changes back and put them back in a session in lines.

Owns ``/undo``, ``/redo`` and ``/rewind``, as sentences: first what would be done, and with ``now``
behind the command it is done. Proven by tests/unit/headless/test_linear_undo.py.
"""

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.agent.undo_port import (
    PlannedFile,
    Redo,
    Rewind,
    UndoFile,
    UndoLastRun,
    UndoLastTurn,
    UndoPlan,
    UndoWish,
)
from caramelo_tui.domain.undo import ConflictChoice
from caramelo_tui.headless.linear.dialogs import number_in, one_line
from caramelo_tui.headless.linear.hunk_text import counted
from caramelo_tui.headless.linear.output import LinearOutput

NOW = "now"
"""Do what was read out; files in conflict stay as they are."""
RESTORE = "restore"
"""Do it, and let the recorded lines win in files in conflict."""
LAST_RUN = "run"
"""Behind ``/undo``: all of the last run."""
MOST_READ = 20
"""Prompts that are read out at once, the latest."""


class LinearUndo:
    """What is typed about undo."""

    def __init__(self, agent: AgentPort, out: LinearOutput) -> None:
        """Ask an agent and say what it answers."""
        self._agent = agent
        self._out = out
        self._plan: UndoPlan | None = None

    async def undo(self, text: str = "") -> None:
        """Read out what taking something back would do, or do what was read out.

        Args:
            text: What is taken back: ``run`` for the last run, or the path of a file; empty: the
                last turn.
        """
        wish: UndoWish = UndoLastTurn()
        if text:
            wish = UndoLastRun() if text == LAST_RUN else UndoFile(path=text, call_id=None)
        await self._take(wish, text, command="/undo")

    async def redo(self, text: str = "") -> None:
        """Read out what putting the last undo back would do, or do what was read out."""
        await self._take(Redo(), text, command="/redo")

    async def rewind(self, text: str = "") -> None:
        """Read out the prompts, what going back to one would do, or do what was read out."""
        if text in {NOW, RESTORE}:
            await self._carry_out(text, command="/rewind NUMBER")
            return
        points = await self._agent.undo.rewind_points()
        number = number_in(text)
        if number is not None and 0 < number <= len(points):
            wish = Rewind(run_id=points[number - 1].run_id)
            await self._read_out(wish, command="/rewind")
            return
        first = max(len(points) - MOST_READ, 0)
        for number, point in enumerate(points[first:], first + 1):
            files = counted(point.files, "file")
            self._out.say(f"Prompt {number}, {files} changed since: {one_line(point.prompt)}")
        self._out.say(
            "/rewind NUMBER says what going back to before a prompt would change."
            if points
            else "There is no prompt yet to go back to."
        )
        await self._out.flush()

    async def _take(self, wish: UndoWish, text: str, *, command: str) -> None:
        if text in {NOW, RESTORE}:
            await self._carry_out(text, command=command)
        else:
            await self._read_out(wish, command=command)

    async def _read_out(self, wish: UndoWish, *, command: str) -> None:
        plan = await self._agent.undo.plan(wish)
        self._plan = None if plan.problem else plan
        if plan.problem:
            self._out.say(one_line(plan.problem))
        else:
            for file in plan.files:
                self._out.say(_sentence(file))
            self._out.say(f"{command} {NOW} does it.")
            if any(file.conflicts for file in plan.files):
                self._out.say(
                    "Files that were changed in the same lines stay as they are; "
                    f"{command} {RESTORE} lets the recorded lines win there."
                )
        await self._out.flush()

    async def _carry_out(self, text: str, *, command: str) -> None:
        plan, self._plan = self._plan, None
        if plan is None:
            self._out.say(f"{command} first says what would be done.")
        else:
            choice = ConflictChoice.RESTORE if text == RESTORE else ConflictChoice.KEEP
            choices = {file.path: choice for file in plan.files if file.conflicts}
            if problem := await self._agent.undo.carry_out(plan.id, choices):
                self._out.say(one_line(problem))
        await self._out.flush()


def _sentence(file: PlannedFile) -> str:
    path = one_line(file.path, is_exact=True)
    if file.problem:
        return f"{path} cannot be changed: {one_line(file.problem)}"
    lines = f"{counted(file.added_lines, 'line')} added, {file.removed_lines} removed"
    if file.conflicts:
        return f"{path}, in conflict with later changes: {lines}, if the recorded lines win."
    if file.is_removed:
        return f"{path} is removed: {lines}."
    if file.is_made:
        return f"{path} is there again: {lines}."
    later = " A later change of it stays." if file.is_merged else ""
    return f"{path}: {lines}.{later}"
