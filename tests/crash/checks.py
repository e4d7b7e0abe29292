"""Look at what a killed session left: files, session, undo."""

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path

from caramelo_tui.agent.undo_port import Rewind
from caramelo_tui.composition import AgentOptions, build_agent
from caramelo_tui.domain.agent_events import (
    NoticeRaised,
    RunEnded,
    RunStarted,
    ToolCallFinished,
)
from caramelo_tui.sessions.catalogue import list_sessions, session_files
from caramelo_tui.sessions.cut_off import cut_off_notes
from caramelo_tui.sessions.opening import OpenedSession, open_session
from caramelo_tui.workspace.ignore_rules import is_temporary
from caramelo_tui.workspace.leftovers import remove_leftovers, written_folders
from caramelo_tui.workspace.sandbox import Sandbox
from tests.crash.scenarios import COMMAND_FILE, Content, Scenario, files_of
from tests.crash.victim import mark_of
from tests.doubles.agent_worlds import says
from tests.doubles.cores import core_options
from tests.doubles.session_worlds import NO_MODEL, ScriptedModels

_FAR = 10_000_000_000.0


@dataclass(frozen=True)
class Left:
    """What was left behind, and what had been told."""

    scenario: Scenario
    folder: Path
    shown: dict[int, int]
    """Marks of the events that were shown, by number."""
    was_refused: bool = False
    """Whether a step failed: then later edits stand on a file without the edit that failed."""

    @property
    def root(self) -> Path:
        """The workspace."""
        return self.folder / "project"

    def files(self) -> dict[str, bytes]:
        """The user's files as they are."""
        found = [path for path in self.root.rglob("*") if path.is_file()]
        return files_of(
            [
                (str(path.relative_to(self.root)), path.read_bytes())
                for path in found
                if not is_temporary(path.name)
            ]
        )


def problems_of(left: Left) -> list[str]:
    """Return what is wrong, in sentences; a session is taken up and taken back on the way."""
    problems = _files(left)
    path = _session_file(left)
    if path is None:
        if left.shown:
            problems.append("events were shown, but there is no session")
        if left.files() != left.scenario.first:
            problems.append("files changed, but there is no session")
        return problems
    is_offered = bool(cut_off_notes(path.parent))
    opened = open_session(path)
    problems += _events(left, opened)
    if _is_unended(opened) and not is_offered:
        problems.append("the session was cut off, but the next start does not offer it")
    problems += asyncio.run(_undo(left, opened))
    problems += _leftovers(left)
    return problems


def _files(left: Left) -> list[str]:
    now, versions = left.files(), left.scenario.versions
    strange = sorted(set(now) - set(versions))
    is_whole = _is_of_edits if left.was_refused else _is_version
    half = [path for path, kept in versions.items() if not is_whole(now.get(path), kept)]
    return [f"{path} is a file of nobody" for path in strange] + [
        f"{path} is neither an old nor a new version: {now.get(path)!r:.200}" for path in half
    ]


def _is_version(content: Content, kept: set[Content]) -> bool:
    return content in kept


def _is_of_edits(content: Content, kept: set[Content]) -> bool:
    """Whether a file is what some of its edits make of it: each replaces a line by another one."""
    if content in kept or content is None:
        return content in kept
    lines = content.splitlines(keepends=True)
    versions = [version.splitlines(keepends=True) for version in kept if version is not None]
    return all(len(version) == len(lines) for version in versions) and all(
        line in {version[at] for version in versions} for at, line in enumerate(lines)
    )


def _session_file(left: Left) -> Path | None:
    sessions = left.folder / "state" / "sessions"
    folders = sorted(sessions.iterdir()) if sessions.is_dir() else []
    found = [path for folder in folders for path in session_files(folder)]
    listed = [one.id for folder in folders for one in list_sessions(folder)]
    if not listed and not left.shown:
        # Killed within its first line: a session of which nothing is known, nor listed.
        return None
    # One in which nothing was asked yet is not listed; what was shown of it is kept all the same.
    return next((path for path in found if path.stem in listed), next(iter(found), None))


def _events(left: Left, opened: OpenedSession) -> list[str]:
    stored = {event.head.seq: mark_of(event) for event in opened.events}
    lost = [seq for seq, mark in left.shown.items() if stored.get(seq) != mark]
    problems = [f"shown, but not kept: events {lost} of {len(stored)}"] if lost else []
    numbers = [event.head.seq for event in opened.events]
    if numbers != list(range(1, len(numbers) + 1)):
        problems.append(f"the events are not one after the other: {numbers}")
    # One line may be cut by the end; what was shown is not in it.
    return problems + list(opened.problems[1:])


def _is_unended(opened: OpenedSession) -> bool:
    kinds = [type(one) for one in opened.events if isinstance(one, RunStarted | RunEnded)]
    return bool(kinds) and kinds[-1] is RunStarted


async def _undo(left: Left, opened: OpenedSession) -> list[str]:
    """Take the session up and everything back."""
    agent = build_agent(
        AgentOptions(
            core=replace(core_options(left.folder), is_trusted=True, opened=opened),
            connection=NO_MODEL,
        ),
        models=ScriptedModels([says("nothing")]),
    )
    agent.start()
    # Of what nobody could look at any more an undo knows nothing: the file stays, or is asked for.
    spared = {COMMAND_FILE} if _was_command_cut(opened) or _was_given_up(opened) else set[str]()
    try:
        points = await agent.undo.rewind_points()
        if points:
            plan = await agent.undo.plan(Rewind(run_id=points[0].run_id))
            in_dispute = {file.path for file in plan.files if file.conflicts or file.problem}
            if in_dispute - spared:
                return [f"the undo meets conflicts: {plan.files!r:.300}"]
            problem = "" if not plan.id else await agent.undo.carry_out(plan.id, {})
            if problem:
                return [f"the undo fails: {problem}"]
    finally:
        await agent.close()
    now, first = left.files(), left.scenario.first
    wrong = [path for path in sorted({*now, *first} - spared) if now.get(path) != first.get(path)]
    return [f"after undoing everything other files than at first: {wrong}"] if wrong else []


def _was_command_cut(opened: OpenedSession) -> bool:
    """Whether a command may have changed files that nobody looked at any more."""
    finished = {one.call_id for one in opened.events if isinstance(one, ToolCallFinished)}
    started = {
        call_id
        for one in opened.events
        if (call_id := getattr(one, "call_id", None)) and getattr(one, "tool", "bash") == "bash"
    }
    return bool(started - finished)


def _was_given_up(opened: OpenedSession) -> bool:
    """Whether the session said that what commands change can no longer be taken back."""
    return any(
        isinstance(one, NoticeRaised) and "cannot be undone in this session" in one.text
        for one in opened.events
    )


def _leftovers(left: Left) -> list[str]:
    journals = (left.folder / "state" / "checkpoints").glob("*/*/journal.jsonl")
    remove_leftovers(Sandbox(left.root), written_folders(journals), now=_FAR)
    stay = [path.name for path in left.root.rglob("*") if is_temporary(path.name)]
    return [f"temporary files stay: {stay}"] if stay else []
