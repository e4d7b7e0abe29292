"""Carry out what the person wants of the session as a whole.

Owns the approval mode's round, the offer of a finished plan, the wishes about the limit of
changed lines, and skills. It decides nothing: it asks the agent and says what came of it. Proven
by tests/pilot/test_plan_mode.py, test_line_limit.py and test_skills.py.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from textual.app import App

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.domain.agent_events import Ending, RunEnded
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.context_desk import ContextDesk
from caramelo_tui.ui.keymap import label_of
from caramelo_tui.ui.model_desk import ModelDesk
from caramelo_tui.ui.panes.prompt import PromptPane
from caramelo_tui.ui.panes.status_bar import StatusView
from caramelo_tui.ui.plan_texts import carry_out_prompt
from caramelo_tui.ui.report_desk import ReportDesk
from caramelo_tui.ui.screens.pick import PickRow, PickScreen
from caramelo_tui.ui.session_desk import SessionDesk
from caramelo_tui.ui.session_grants import offer_take_back

MODE_ROUND = (ApprovalMode.REVIEW, ApprovalMode.EACH, ApprovalMode.AUTO, ApprovalMode.PLAN)
"""Modes in the order in which one key goes round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WishSite:
    """Where wishes are made and answered."""

    app: App[None]
    prompt: PromptPane
    status: Callable[[], StatusView]
    """What the status bar shows now."""
    change_status: Callable[[Callable[[StatusView], StatusView]], None]


class SessionWishes:
    """What keys, palette and slash commands ask of the session."""

    def __init__(self, site: WishSite, agent: AgentPort) -> None:
        self._site = site
        self._agent = agent
        self.models = ModelDesk(site.app, agent)
        self.context = ContextDesk(site.app, agent)
        self.sessions = SessionDesk(site.app, agent)
        self.reports = ReportDesk(site.app, agent)
        self._plan = ""
        self._is_editing = False

    # --- mode --------------------------------------------------------------------------

    def cycle_mode(self) -> None:
        """Take the next approval mode."""
        place = MODE_ROUND.index(self._agent.mode)
        self.set_mode(MODE_ROUND[(place + 1) % len(MODE_ROUND)])

    def set_mode(self, mode: ApprovalMode) -> None:
        """Take an approval mode for the calls decided from now on."""
        self._agent.set_mode(mode)
        self._site.change_status(lambda view: replace(view, mode=self._agent.mode))

    # --- plan --------------------------------------------------------------------------

    def take_run_end(self, event: RunEnded) -> None:
        """Offer what a finished run in mode plan ended with."""
        is_plan = event.ending is Ending.COMPLETED and self._agent.mode is ApprovalMode.PLAN
        self._plan = event.text if is_plan and event.text.strip() else ""
        self._is_editing = False
        has_plan = bool(self._plan)
        self._site.change_status(lambda view: replace(view, has_plan=has_plan))

    def carry_out_plan(self) -> None:
        """Have the plan carried out in mode review; an edited one is sent along."""
        if not self._site.status().offers_plan:
            self._say("There is no plan to carry out.")
            return
        edited = self._site.prompt.take_draft() if self._is_editing else ""
        self._drop_plan()
        self.set_mode(ApprovalMode.REVIEW)
        self._agent.submit(carry_out_prompt(edited))

    def edit_plan(self) -> None:
        """Put the plan into the prompt."""
        if not self._site.status().offers_plan:
            self._say("There is no plan to edit.")
            return
        if not self._is_editing:
            self._is_editing = True
            self._site.prompt.put_before_draft([self._plan])
        self._site.prompt.focus()
        key = label_of("carry_out_plan", self._site.status().keys)
        self._say(f"{key} carries it out as you edit it; enter sends it back in mode plan.")

    def _drop_plan(self) -> None:
        self._plan = ""
        self._is_editing = False
        self._site.change_status(lambda view: replace(view, has_plan=False))

    # --- grants and blocks -------------------------------------------------------------

    def show_grants(self) -> None:
        """List what was allowed or blocked for the session, to take it back."""
        offer_take_back(self._site.app, self._agent.rules)

    # --- changed lines -----------------------------------------------------------------

    def raise_limit(self) -> None:
        """Raise the limits of changed lines by their configured size; the agent says so."""
        self._agent.rules.raise_limits()

    def reset_count(self) -> None:
        """Count changed lines from zero; the agent says so."""
        self._agent.rules.reset_lines()

    # --- skills ------------------------------------------------------------------------

    def pick_skill(self) -> None:
        """Offer the skills that are loaded."""
        skills = self._agent.skills
        if not skills:
            self._say("No skill is loaded.")
            return
        rows = [
            PickRow(
                name=skill.name,
                words=skill.description,
                mark="active" if skill.is_active else "",
            )
            for skill in skills
        ]
        intro = "A chosen skill stays active to the end of the session."
        self._site.app.push_screen(
            PickScreen(rows, title="Activate a skill", intro=intro), self._take_skill
        )

    def _take_skill(self, name: str | None) -> None:
        if name is not None:
            self.activate_skill(name)

    def activate_skill(self, name: str) -> None:
        """Keep a skill active to the end of the session."""
        problem = self._agent.activate_skill(name)
        if problem:
            self._site.app.notify(visible(problem), severity="warning", markup=False)
            return
        self._say(f"The skill {visible(name, keeps_newlines=False)} is active.")

    def _say(self, text: str) -> None:
        self._site.app.notify(text, markup=False)
