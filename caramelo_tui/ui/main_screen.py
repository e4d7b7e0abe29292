"""The one screen behind all others: panes, prompt, status bar.

Owns the keys of the frame, what the status bar is told, and the way to quitting. Panes and events
are the workbench's; what the prompt asks for goes its own route. Composes only what the first
paint needs. Proven by tests/pilot/test_layout.py and tests/pilot/test_interrupt.py.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import TextArea

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.ids import Clock
from caramelo_tui.ui.border_keys import BorderKeys
from caramelo_tui.ui.conversation_requests import AnyConversationRequest, ConversationRequest
from caramelo_tui.ui.host import host_of
from caramelo_tui.ui.interrupt_arm import ARMED_S, InterruptArm
from caramelo_tui.ui.keymap import KeyMap, KeyPlace, bindings_of, label_of
from caramelo_tui.ui.messages import AnyPaneRequest, PaneRequest
from caramelo_tui.ui.pane_area import PaneArea
from caramelo_tui.ui.pane_layout import Place
from caramelo_tui.ui.panes.draft_editor import PromptWish
from caramelo_tui.ui.panes.prompt import PromptPane
from caramelo_tui.ui.panes.status_bar import StatusBar, StatusView
from caramelo_tui.ui.prompt_history import PromptHistory
from caramelo_tui.ui.prompt_route import PromptRoute

if TYPE_CHECKING:
    from caramelo_tui.agent.port import AgentPort
    from caramelo_tui.ui.panes.changes import ChangesPane
    from caramelo_tui.ui.panes.conversation import ConversationPane
    from caramelo_tui.ui.prompt_desk import PromptDesk
    from caramelo_tui.ui.session_wishes import SessionWishes
    from caramelo_tui.ui.workbench import Workbench


class MainScreen(Screen[None], inherit_bindings=False):
    """The frame of the app."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(KeyPlace.SCREEN)]

    class QuitAsked(Message):
        """The person pressed ctrl+c twice."""

    class CourseChanged(Message):
        """A run began or ended, or another number of questions waits."""

        def __init__(self, *, is_running: bool, waiting: int) -> None:
            super().__init__()
            self.is_running = is_running
            self.waiting = waiting

    def __init__(self, *, history: PromptHistory, clock: Clock) -> None:
        super().__init__()
        self.prompt = PromptPane(history, id=Place.PROMPT)
        self.area = PaneArea(self.prompt, id="panes")
        self.status = StatusBar(id="status")
        self.workbench: Workbench | None = None
        self._arm = InterruptArm(clock)
        self._borders = BorderKeys(self.area, clock)
        self._route = PromptRoute(
            prompt=self.prompt, area=self.area, desk=lambda: self._prompt_desk
        )

    def compose(self) -> ComposeResult:
        """Lay out what the first paint shows."""
        yield self.area
        yield self.status

    def on_mount(self) -> None:
        """Put the cursor into the prompt at once."""
        self.prompt.focus()

    @property
    def queued_prompts(self) -> int:
        """Prompts that wait for the end of the run."""
        return self._route.queued

    @property
    def undecided_hunks(self) -> int:
        """Hunks that wait for the person's word."""
        return 0 if self.workbench is None else self.workbench.undecided_hunks

    @property
    def keys(self) -> KeyMap:
        """The keys in force."""
        return self.status.view.keys

    def take_workbench(self, workbench: "Workbench") -> None:
        """Show the panes."""
        self.workbench = workbench
        workbench.open()

    def attach(self, agent: "AgentPort", *, shows_all: bool = False) -> None:
        """Work with an agent from now on; what was sent before goes to it.

        Args:
            agent: The agent.
            shows_all: Whether a stored session is shown from its first prompt.
        """
        self.change_status(lambda view: view.attached_to(agent))
        if self.workbench is not None:
            self.workbench.attach(agent, shows_all=shows_all)
        self._route.attach(agent)

    def change_status(self, change: Callable[[StatusView], StatusView]) -> None:
        """Change what the status bar says."""
        before, view = self.status.view, change(self.status.view)
        if (view.is_running, view.waiting, view.keys) != (
            before.is_running,
            before.waiting,
            before.keys,
        ):
            self.prompt.show_running(
                is_running=view.is_running, is_waiting=bool(view.waiting), keys=view.keys
            )
            self.post_message(self.CourseChanged(is_running=view.is_running, waiting=view.waiting))
        if view.mode is not before.mode and self.workbench is not None:
            self.workbench.show_mode(view.mode)
        self.status.show(view)

    def interrupt(self) -> None:
        """Take ctrl+c: stop the run, or clear the draft, and arm quitting; the second quits."""
        if self._arm.press():
            self._show_armed(is_armed=False)
            self.post_message(self.QuitAsked())
            return
        self._route.interrupt()
        self._show_armed(is_armed=True)
        self.set_timer(ARMED_S, lambda: self._show_armed(is_armed=self._arm.is_armed))

    def _show_armed(self, *, is_armed: bool) -> None:
        words = f"{label_of('interrupt', self.keys)} again quits" if is_armed else ""
        self.change_status(lambda view: replace(view, armed=words))

    # --- what the prompt asks for ------------------------------------------------------

    @on(PromptPane.Submitted)
    def _submit(self, event: PromptPane.Submitted) -> None:
        self._route.submit(event.text)

    @on(PromptPane.Asked)
    def _take_prompt_wish(self, event: PromptPane.Asked) -> None:
        self._route.take(event.wish, event.text)

    @on(PromptPane.QueueTakeBackAsked)
    def _edit_queue(self) -> None:
        self._route.take_back_newest()

    @on(PromptPane.SendQueuedAsked)
    def _send_queued(self) -> None:
        self._route.send_queued()

    @property
    def _prompt_desk(self) -> "PromptDesk | None":
        return None if self.workbench is None else self.workbench.prompt_desk

    @on(PromptPane.RowsChanged)
    def _fit_prompt(self) -> None:
        rows = self.prompt.wanted_rows
        self.set_class(rows > 1, "-tall-prompt")
        self.area.set_prompt_rows(rows)

    @on(TextArea.Changed)
    def _note_typing(self) -> None:
        if self._arm.is_armed and self.prompt.is_typed_in:
            self._arm.disarm()
            self._show_armed(is_armed=False)
        if self.workbench is not None:
            self.workbench.conversation.note_key()

    # --- what the panes ask for --------------------------------------------------------

    @on(PaneRequest)
    def _take_request(self, request: AnyPaneRequest) -> None:
        if self.workbench is not None:
            self.workbench.take(request)

    @on(ConversationRequest)
    def _take_conversation_request(self, request: AnyConversationRequest) -> None:
        if self.workbench is not None:
            self.workbench.conversation_desk.take(request)

    def on_conversation_pane_call_opened(self, event: "ConversationPane.CallOpened") -> None:
        """Go to the call's change or row."""
        if self.workbench is not None:
            self.workbench.open_call(event.call_id)

    def on_changes_pane_review_settled(self, event: "ChangesPane.ReviewSettled") -> None:
        """Hand the review to the agent."""
        if self.workbench is not None:
            self.workbench.settle_review(event.approval_id, event.answer)

    def on_changes_pane_waiting_changed(self) -> None:
        """Say anew how much waits."""
        if self.workbench is not None:
            self.workbench.count_waiting()

    @on(StatusBar.Clicked)
    async def _take_status_click(self, event: StatusBar.Clicked) -> None:
        await self.run_action(event.action)

    # --- keys --------------------------------------------------------------------------

    def action_help(self) -> None:
        """Show all keys."""
        from caramelo_tui.ui.screens.help import (  # noqa: PLC0415 - not for the first paint
            HelpScreen,
            help_sections,
        )

        host_of(self).push_screen(HelpScreen(help_sections(self, self.keys)))

    def action_jump(self, place: str) -> None:
        """Go to a pane."""
        self.area.jump(Place(place))

    def action_step_pane(self, direction: int) -> None:
        """Go to the next pane."""
        self.area.step(direction)

    def action_zoom(self) -> None:
        """Zoom the focused pane, or back."""
        self.area.toggle_zoom()

    def action_move_border(self, direction: int, is_upright: bool) -> None:  # noqa: FBT001 - Textual's actions take no names
        """Move the border of the focused pane a little."""
        self._borders.move(direction, is_upright=is_upright)

    def action_reset_sizes(self) -> None:
        """Give the panes their usual sizes."""
        self.area.reset_sizes()

    def action_back(self) -> None:
        """Go back one level."""
        self.area.back_out()

    def action_go_to_waiting(self) -> None:
        """Go to what waits for the person."""
        if self.workbench is None or not self.workbench.go_to_waiting():
            self.notify("Nothing waits for you.", markup=False)

    def action_cycle_mode(self) -> None:
        """Take the next approval mode."""
        self._wish(lambda wishes: wishes.cycle_mode())

    def action_set_mode(self, mode: str) -> None:
        """Take an approval mode by its name."""
        self._wish(lambda wishes: wishes.set_mode(ApprovalMode(mode)))

    def action_carry_out_plan(self) -> None:
        """Have the offered plan carried out."""
        self._wish(lambda wishes: wishes.carry_out_plan())

    def action_edit_plan(self) -> None:
        """Edit the offered plan first."""
        self._wish(lambda wishes: wishes.edit_plan())

    def action_raise_limit(self) -> None:
        """Raise the limit of changed lines."""
        self._wish(lambda wishes: wishes.raise_limit())

    def action_reset_count(self) -> None:
        """Count changed lines from zero."""
        self._wish(lambda wishes: wishes.reset_count())

    def action_prompt(self, wish: str) -> None:
        """Ask the prompt for what one of its keys does."""
        self.prompt.ask(PromptWish(wish))

    def action_pick_skill(self) -> None:
        """Activate a skill."""
        self._wish(lambda wishes: wishes.pick_skill())

    def action_sessions(self, wish: str) -> None:
        """Go on with another session: ``resume``, ``fork``, ``export``, or show ``earlier``."""
        self._wish(lambda wishes: wishes.sessions.take(wish))

    def action_report(self, name: str) -> None:
        """Tell what holds of settings, rules, tools or cache."""
        self._wish(lambda wishes: wishes.reports.show(name))

    def action_context(self, what: str) -> None:
        """Show what a compaction would do, or what was spent."""
        self._wish(lambda wishes: wishes.context.open(what))

    def action_models(self) -> None:
        """Choose the model."""
        self._wish(lambda wishes: wishes.models.open())

    def action_session_status(self) -> None:
        """Say how the session stands."""
        self._wish(lambda wishes: wishes.sessions.tell(self.status.view))

    def action_session_grants(self) -> None:
        """List what was allowed or blocked for the session, to take it back."""
        self._wish(lambda wishes: wishes.show_grants())

    def action_undo(self, what: str) -> None:
        """Take changes back or put them back: ``turn``, ``run``, ``redo``, ``rewind``."""
        if self.workbench is not None:
            self.workbench.undo_desk.take_named(what)

    def _wish(self, wish: "Callable[[SessionWishes], None]") -> None:
        """Ask something of the session; nothing before there is an agent."""
        if self.workbench is not None and self.workbench.wishes is not None:
            wish(self.workbench.wishes)

    async def action_conversation(self, action: str) -> None:
        """Do in the conversation what a key does there; go there where that needs its cursor."""
        if self.workbench is not None:
            view = self.workbench.conversation.view
            if action not in view.PLACELESS:
                self.area.jump(Place.CONVERSATION)
            await view.run_action(action)

    async def action_files(self, action: str) -> None:
        """Go to the files and do there what one of its keys does."""
        if self.workbench is not None:
            self.area.jump(Place.FILES)
            await self.workbench.files.run_action(action)

    async def action_tools(self, action: str) -> None:
        """Go to the tools and do there what one of its keys does."""
        if self.workbench is not None:
            self.area.jump(Place.TOOLS)
            await self.workbench.tools.run_action(action)

    async def action_changes(self, action: str, is_move: bool) -> None:  # noqa: FBT001 - Textual's actions take no names
        """Go to the changes and do there what one of its keys does."""
        if self.workbench is not None:
            self.area.jump(Place.CHANGES)
            pane = self.workbench.changes
            await (pane.view if is_move else pane).run_action(action)

    def action_palette(self) -> None:
        """Find an action by name."""
        from caramelo_tui.ui.commands import open_palette  # noqa: PLC0415 - not for the first paint

        open_palette(host_of(self))
