"""Start, stop, theme, and the questions before there is an agent.

Owns the life of the app: first paint, start questions, the panes, the agent, quitting. What the
screen shows in between is the main screen's. Proven by tests/pilot/test_start.py and
tests/pilot/test_interrupt.py.
"""

import os
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on
from textual.app import App
from textual.binding import BindingType
from textual.widgets import TextArea

from caramelo_tui.domain.errors import CarameloError
from caramelo_tui.domain.ids import Clock, SystemClock
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.clipboard import sent_text
from caramelo_tui.ui.collector import settle_memory
from caramelo_tui.ui.draft_keeper import DraftKeeper
from caramelo_tui.ui.driver import GatedDriver
from caramelo_tui.ui.frame_keeper import keep_first_picture
from caramelo_tui.ui.keymap import KeyMap, KeyPlace, bindings_of, label_of
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.messages import DraftTyped
from caramelo_tui.ui.notifications import Notifications
from caramelo_tui.ui.pane_area import PaneArea
from caramelo_tui.ui.prompt_history import PromptHistory
from caramelo_tui.ui.session_requests import SessionAsked
from caramelo_tui.ui.start_plan import StartPlan
from caramelo_tui.ui.themes import DEFAULT_THEME, FALLBACK_VARIABLES, MONO_THEME, load_themes

if TYPE_CHECKING:
    from caramelo_tui.agent.port import AgentPort
    from caramelo_tui.domain.ids import SessionId
    from caramelo_tui.ui.layout_keeper import LayoutKeeper

EXIT_ERROR = 1
"""Exit code when no agent could be built, or after a crash."""
EXIT_BY_CTRL_C = 130
"""Exit code after SIGINT."""

_STYLES = Path(__file__).parent / "styles"
_SHEETS = ("conversation", "changes", "frame", "dialogs", "pages", "questions", "context")
"""Later files win over earlier ones."""


class CarameloApp(App[None], inherit_bindings=False):
    """The terminal app."""

    TITLE = "Caramelo"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(KeyPlace.APP)]

    def __init__(
        self,
        plan: StartPlan,
        *,
        clock: Clock | None = None,
        warm_up: Callable[[], None] | None = None,
    ) -> None:
        """Take the plan of the start.

        Args:
            plan: What to ask and how to build the agent.
            clock: Measures guards and arming; the machine's by default.
            warm_up: Imports what the first answer needs; run in a thread once all panes are
                there. ``None``: nothing is warmed up.
        """
        super().__init__(
            driver_class=GatedDriver, css_path=[_STYLES / f"{name}.tcss" for name in _SHEETS]
        )
        self._plan = plan
        self._clock = clock or SystemClock()
        self._warm_up = warm_up
        self._agent: AgentPort | None = None
        self._history = PromptHistory(plan.history_path)
        self._was_quit_asked = False
        self._sittings = 0
        self._layout_keeper: LayoutKeeper | None = None
        self.main = MainScreen(history=self._history, clock=self._clock)
        self._draft_keeper = DraftKeeper(self, lambda: self.main.prompt.whole_draft, plan.draft)
        self._elsewhere = Notifications(
            write=self._tell_terminal, variables=os.environ, rings=plan.notifies
        )
        self._name_after(plan.workspace)
        self._load_themes()

    def get_default_screen(self) -> MainScreen:
        """Return the screen behind all others."""
        return self.main

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return values of our variables for themes that are not ours."""
        return dict(FALLBACK_VARIABLES)

    def on_ready(self) -> None:
        """Go on once the first paint is out: what follows is not needed for it."""
        self._elsewhere.show_again()
        self.app_resume_signal.subscribe(self, self._take_title_back)  # pyright: ignore[reportUnknownMemberType]  # Textual types it openly
        self.call_after_refresh(self._begin)

    async def close_agent(self) -> str:
        """End the run, its children and the session file; safe to call twice.

        Returns what of the session could not be kept; empty: all of it is.
        """
        self._draft_keeper.close()
        agent, self._agent = self._agent, None
        if agent is None:
            return ""
        await agent.close()
        return agent.sessions.unkept

    def copy_to_system(self, text: str, *, size_words: str) -> None:
        """Hand a text to the system's clipboard, and say what became of it."""
        self.run_worker(self._copy_to_system(text, size_words), name="copy", group="copy")

    async def _copy_to_system(self, text: str, size_words: str) -> None:
        agent = self._agent
        is_copied = agent is not None and await agent.clipboard.put(text)
        words = f"{size_words} copied, and sent to the terminal."
        self.notify(words if is_copied else sent_text(size_words), markup=False)

    def exit_for_signal(self, code: int) -> None:
        """Leave at once, without a question.

        While an editor has the terminal, its ctrl+c is the editor's, and reaches us as well.
        """
        is_lent = isinstance(self._driver, GatedDriver) and self._driver.is_lent
        if code != EXIT_BY_CTRL_C or not is_lent:
            self.exit(return_code=code)

    # --- start -------------------------------------------------------------------------

    def _begin(self) -> None:
        keep_first_picture(self, self.main, self._plan)
        self.run_worker(self._start(), name="start", exclusive=True)

    async def _start(self) -> None:
        """Ask what must be asked, show the panes, build the agent."""
        draft = await self._ask() if self._plan.asks_first else self._plan.first_draft
        if draft is None:
            self.exit()
            return
        if draft:
            self.main.prompt.set_draft(draft)
        elif left := self._draft_keeper.left_draft():
            self.main.prompt.add_to_draft(left, is_paste=True)
            self.notify("What you had typed last time is in the prompt.", markup=False)
        self.main.prompt.focus()
        self._open_gate()
        self._show_panes()
        try:
            self._agent = await self._plan.build_agent()
        except CarameloError as error:
            self.exit(return_code=EXIT_ERROR, message=Text(visible(str(error))))
            return
        self._name_after(self._agent.info.workspace)
        self.main.attach(self._agent)
        if self._plan.first_prompt:
            self._agent.submit(self._plan.first_prompt)
        if self._plan.picks_session:
            self.main.action_sessions("resume")
        self._say_problems()
        if self._warm_up is not None:
            self.run_worker(self._warm_up, thread=True, name="warm-up")

    @on(SessionAsked)
    def _change_session(self, event: SessionAsked) -> None:
        self.run_worker(self._go_to(event), name="session", group="session", exclusive=True)

    async def _go_to(self, wish: SessionAsked) -> None:
        """Show a session on a screen of its own; what stands in the prompt stays there."""
        before, session_id = self._agent, wish.session_id
        agent = before if session_id is None else await self._opened(session_id)
        if agent is None:
            return
        left, mode = self.main, self.current_mode
        self._agent = agent
        self.main = MainScreen(history=self._history, clock=self._clock)
        self._sittings += 1
        self.add_mode(f"sitting-{self._sittings}", lambda: self.main)  # pyright: ignore[reportUnknownMemberType]  # Textual types it openly
        await self.switch_mode(f"sitting-{self._sittings}")
        self.main.prompt.set_draft(left.prompt.whole_draft)
        if wish.draft:
            self.main.prompt.put_before_draft([wish.draft])
        self._show_panes()
        self.main.attach(agent, shows_all=session_id is None)
        # The first mode cannot be removed; empty, it costs nothing.
        await (left.remove_children() if self._sittings == 1 else self.remove_mode(mode))
        if before is not None and before is not agent:
            await before.close()
            if before.sessions.unkept:
                self.notify(visible(before.sessions.unkept), severity="error", markup=False)

    async def _opened(self, session_id: "SessionId") -> "AgentPort | None":
        if self._plan.open_session is None:
            self.notify("The demo's sessions are not gone on with.", markup=False)
            return None
        try:
            return await self._plan.open_session(session_id)
        except CarameloError as error:
            self.notify(visible(str(error)), severity="warning", markup=False)
            return None

    async def _ask(self) -> str | None:
        from caramelo_tui.ui.start_questions import (  # noqa: PLC0415 - rarely needed
            ask_start_questions,
        )

        self._let_new_keys_pass()
        return await ask_start_questions(self, self._plan, self._clock)

    def _show_panes(self) -> None:
        """Mount the panes; the collector rests until they stand."""
        from caramelo_tui.ui.layout_keeper import LayoutKeeper  # noqa: PLC0415 - as below
        from caramelo_tui.ui.workbench import (  # noqa: PLC0415 - not needed for the first paint
            Workbench,
            WorkbenchSite,
        )

        self._settle_keys()
        site = WorkbenchSite(
            app=self,
            area=self.main.area,
            prompt=self.main.prompt,
            clock=self._clock,
            status=lambda: self.main.status.view,
            change_status=self.main.change_status,
        )
        self.main.take_workbench(Workbench(site))
        self._layout_keeper = LayoutKeeper(self, self.main.area, self._plan.layout)
        self.call_after_refresh(settle_memory)

    def _settle_keys(self) -> None:
        """Put the keys in force that the user wants."""
        wanted = self._plan.keys
        keys = KeyMap(problems=wanted.problems)
        if wanted.wishes:
            # Only who has keys of their own needs every pane's for it.
            from caramelo_tui.ui.key_file import key_map_of  # noqa: PLC0415 - see above
            from caramelo_tui.ui.key_sections import known_actions  # noqa: PLC0415 - see above

            keys = key_map_of(wanted, known_actions())
            self.set_keymap({name: new for name, new in keys.changed.items() if new})
        self._problems += keys.problems
        self.main.change_status(lambda view: replace(view, keys=keys))

    def _name_after(self, workspace: Path) -> None:
        """Take the title from the folder that is worked in."""
        self.title = f"Caramelo · {visible(workspace.name or '/', keeps_newlines=False)}"
        self._elsewhere.show_name(self.title)

    def _take_title_back(self, _app: object) -> None:
        self._elsewhere.show_again()

    def _tell_terminal(self, sequence: str) -> None:
        if self._driver is not None:
            self._driver.write(sequence)

    def _let_new_keys_pass(self) -> None:
        if isinstance(self._driver, GatedDriver):
            self._driver.gate.let_pass()

    def _open_gate(self) -> None:
        if isinstance(self._driver, GatedDriver):
            self._driver.open_gate()

    def _load_themes(self) -> None:
        loaded = load_themes(self._plan.user_themes)
        self._problems = [
            f"Theme {failure.path.name}: {failure.problem}" for failure in loaded.failures
        ]
        for theme in loaded.themes:
            self.register_theme(theme)
        names = self._theme_names = sorted(theme.name for theme in loaded.themes)
        wanted = self._plan.theme or (MONO_THEME if os.environ.get("NO_COLOR") else DEFAULT_THEME)
        if wanted not in names:
            known = ", ".join(names)
            self._problems.append(
                f"There is no theme {wanted}; {DEFAULT_THEME} is shown. Known themes: {known}."
            )
            wanted = DEFAULT_THEME
        self.theme = wanted

    def _say_problems(self) -> None:
        for problem in [
            *self._problems,
            *([self._history.problem] if self._history.problem else []),
        ]:
            self.notify(visible(problem), severity="warning", markup=False)

    # --- the person's keys -------------------------------------------------------------

    def action_interrupt(self) -> None:
        """Take ctrl+c, wherever it is pressed."""
        self.main.interrupt()

    def action_switch_mouse(self) -> None:
        """Leave the mouse to the terminal, so that it selects text, or take it back."""
        if not isinstance(self._driver, GatedDriver):
            self.notify("The mouse cannot be left to this terminal.", markup=False)
        elif self._driver.switch_mouse():
            self.notify("The mouse works in Caramelo again.", markup=False)
        else:
            key = label_of("switch_mouse", self.main.keys)
            self.notify(f"The terminal has the mouse. {key} takes it back.", markup=False)

    def action_login(self) -> None:
        """Log in, or give a key, for the rest of the session."""
        from caramelo_tui.ui.login_desk import open_login  # noqa: PLC0415 - rarely needed

        open_login(self, self._agent, self._plan.make_login)

    def action_leave(self) -> None:
        """Quit; ask once if work is undecided."""
        hunks, prompts = self.main.undecided_hunks, self.main.queued_prompts
        if self._was_quit_asked or not (hunks or prompts):
            self.exit()
            return
        from caramelo_tui.ui.screens.confirm_quit import (  # noqa: PLC0415 - rarely needed
            ConfirmQuitScreen,
        )

        self._was_quit_asked = True
        self.push_screen(
            ConfirmQuitScreen(undecided_hunks=hunks, queued_prompts=prompts), self._take_quit
        )

    def action_suspend(self) -> None:
        """Give the terminal back to the shell for a while."""
        self.action_suspend_process()

    def action_show_theme(self, name: str) -> None:
        """Show one of our themes."""
        if name in self._theme_names:
            self.theme = name
            return
        known = ", ".join(self._theme_names)
        text = visible(f"There is no theme {name}; known: {known}.")
        self.notify(text, severity="warning", markup=False)

    def action_next_theme(self) -> None:
        """Show the next of our themes."""
        names = self._theme_names
        self.theme = names[(names.index(self.theme) + 1) % len(names)]

    def _take_quit(self, is_quit: bool | None) -> None:  # noqa: FBT001 - a screen's result
        if is_quit:
            self.exit()
            return
        self._was_quit_asked = False

    @on(MainScreen.QuitAsked)
    def _quit(self) -> None:
        self.action_leave()

    @on(PaneArea.Resized)
    def _keep_layout(self) -> None:
        if self._layout_keeper is not None:
            self._layout_keeper.note_change()

    @on(DraftTyped)
    def _type_into_draft(self, event: DraftTyped) -> None:
        """Keep what was typed into a question."""
        self.main.prompt.add_to_draft(event.text, is_paste=event.is_paste)

    @on(MainScreen.CourseChanged)
    def _show_course(self, event: MainScreen.CourseChanged) -> None:
        self._elsewhere.show_course(is_running=event.is_running, waiting=event.waiting)

    def on_app_focus(self) -> None:
        """Note that the person looks at the terminal again."""
        self._elsewhere.note_focus(has_focus=True)

    def on_app_blur(self) -> None:
        """Note that the person looks elsewhere."""
        self._elsewhere.note_focus(has_focus=False)

    @on(TextArea.Changed, "#editor")
    def _keep_draft(self) -> None:
        self._draft_keeper.note_change()

    def _fatal_error(self) -> None:
        """Leave after a crash; Textual's own report would print the values of variables."""
        error = self._exception
        text = self._plan.report_crash(error)
        if not text:
            text = "".join(traceback.format_exception(error)) if error else "unknown error"
        self._exit_renderables.append(Text(visible(text)))
        self._close_messages_no_wait()
