"""Carry out what the file tree asks for.

Owns the way from a wish about a path to the agent, the prompt, the changes or the person's editor,
and back. Proven by tests/pilot/test_file_tree.py.
"""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, assert_never

from textual.app import App

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.external_editor import open_in_editor
from caramelo_tui.ui.messages import (
    ChangeAsked,
    EditorAsked,
    FileRequest,
    FolderAsked,
    HeadAsked,
    PathMentioned,
    PathsAsked,
    PreviewAsked,
)
from caramelo_tui.ui.pane_area import PaneArea
from caramelo_tui.ui.pane_layout import Place
from caramelo_tui.ui.panes.changes import ChangesPane
from caramelo_tui.ui.panes.file_tree import FileTree
from caramelo_tui.ui.panes.prompt import PromptPane
from caramelo_tui.ui.screens.preview import PreviewScreen
from caramelo_tui.ui.touch_marks import Mark, TouchMarks

if TYPE_CHECKING:
    from textual.timer import Timer

_SETTLED_S = 0.3
"""Seconds without news after which git is asked: a command may touch many files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSite:
    """Where wishes about files are made and answered."""

    app: App[None]
    area: PaneArea
    prompt: PromptPane
    files: FileTree
    changes: ChangesPane
    marks: TouchMarks
    agent: Callable[[], AgentPort | None]
    show_branch: Callable[[str], None]
    """Told where git stands; empty: nowhere."""


class FileDesk:
    """Answers the file tree."""

    def __init__(self, site: FileSite) -> None:
        self._site = site
        self._timer: Timer | None = None

    def take(self, request: FileRequest) -> None:
        """Carry out what was asked for; nothing before there is an agent."""
        agent = self._site.agent()
        if agent is None:
            return
        run = self._site.area.run_worker
        match request:
            case FolderAsked():
                run(self._load_folder(agent, request.path), group="folders")
            case PathsAsked():
                run(self._list_paths(agent), group="paths", exclusive=True)
            case PreviewAsked():
                run(self._preview(agent, request.path), group="preview", exclusive=True)
            case EditorAsked():
                run(self._open_file(agent, request), group="editor", exclusive=True)
            case PathMentioned():
                self.mention(request.path)
            case ChangeAsked():
                self._show_change(request.path)
            case HeadAsked():
                run(self._load_head(agent), group="head", exclusive=True)
            case _:
                assert_never(request)

    def note_activity(self) -> None:
        """Ask git anew, once nothing has happened for a moment."""
        if self._timer is not None:
            self._timer.stop()
        self._timer = self._site.app.set_timer(_SETTLED_S, self._look_at_git)

    def _look_at_git(self) -> None:
        self._timer = None
        agent = self._site.agent()
        if agent is None:
            return
        run = self._site.area.run_worker
        # Not yet a coroutine: one that another follows at once would never be awaited.
        states: Callable[[], Coroutine[None, None, None]] = partial(self._load_states, agent)
        run(states, group="git states", exclusive=True)  # type: ignore[arg-type]  # mypy solves Textual's type variable as Never
        if self._site.changes.shows_head:
            run(self._load_head(agent), group="head", exclusive=True)

    async def _load_states(self, agent: AgentPort) -> None:
        states = await agent.git.states()
        self._site.files.show_states(states)
        self._site.show_branch("" if states is None else states.branch_text)

    async def _load_head(self, agent: AgentPort) -> None:
        try:
            self._site.changes.show_head(await agent.git.head_changes())
        except ToolFailure as failure:
            self._site.changes.show_head(None, str(failure))

    def mention(self, path: str | None) -> None:
        """Put a path into the prompt and go there."""
        if path is not None:
            self._site.prompt.mention(path)
            self._site.area.jump(Place.PROMPT)

    async def _load_folder(self, agent: AgentPort, path: str) -> None:
        try:
            entries = await agent.list_folder(path)
        except ToolFailure as failure:
            self._site.files.show_gone(path)
            self._site.app.notify(visible(str(failure)), severity="warning", markup=False)
            return
        self._site.files.show_folder(path, entries)

    async def _list_paths(self, agent: AgentPort) -> None:
        listed = await agent.list_files()
        self._site.files.show_paths(listed.paths, is_whole=listed.is_whole)

    async def _preview(self, agent: AgentPort, path: str) -> None:
        preview = await agent.preview_file(path)
        self._site.app.push_screen(PreviewScreen(preview), self.mention)

    async def _open_file(self, agent: AgentPort, request: EditorAsked) -> None:
        path = agent.info.workspace / request.path
        await open_in_editor(self._site.app, path, line=request.line)

    def _show_change(self, path: str) -> None:
        if self._site.marks.text(path) in {"", Mark.READ}:
            self._say(f"{visible(path, keeps_newlines=False)} was not changed in this session.")
            return
        view = self._site.changes.view
        if not view.go_to_file(path):
            # It stands in the other list, or only by name: a command changed it.
            self._site.changes.action_switch()
            if not view.go_to_file(path):
                self._site.changes.action_switch()
                self._say("What changed there is not known line by line.")
        self._site.area.jump(Place.CHANGES)

    def _say(self, text: str) -> None:
        self._site.app.notify(text, markup=False)
