"""Carry out what the person wants of models.

Owns the picker, ``/model`` and ``/provider``, and what is said of a choice. It decides nothing:
it asks the agent, which says by events what came of it. Proven by tests/pilot/test_models.py.
"""

from collections.abc import Coroutine

from textual.app import App

from caramelo_tui.agent.models_port import ModelRow
from caramelo_tui.agent.port import AgentPort
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.model_words import name_text
from caramelo_tui.ui.screens.models import ModelPick, ModelScreen, ModelUse
from caramelo_tui.ui.screens.pick import PickRow, PickScreen


class ModelDesk:
    """What keys, palette and slash commands ask about models."""

    def __init__(self, app: App[None], agent: AgentPort) -> None:
        """Work with an agent's models."""
        self._app = app
        self._agent = agent
        self._screen: ModelScreen | None = None

    def open(self, words: str = "") -> None:
        """Offer the models that are known; ``words`` narrow the list at first."""
        models = self._agent.models
        note = f"figures of {models.figures_of}" if models.figures_of else ""
        screen = ModelScreen(models.rows, words=words, ask=self._ask, note=note)
        self._screen = screen
        self._app.push_screen(screen, self._take)

    def take_command(self, name: str, text: str) -> None:
        """Carry out ``/model ID`` or ``/provider NAME``.

        A model may stand behind its provider and a slash; one that has no slash, or whose first
        part is no provider, is one of the provider in use.
        """
        if name == "provider":
            self._choose(text, "")
            return
        provider, _slash, model = text.partition("/")
        names = {row.provider for row in self._agent.models.rows}
        if model and provider in names:
            self._choose(provider, model)
            return
        known = [row for row in self._agent.models.rows if row.model == text]
        if len({row.provider for row in known}) == 1:
            self._choose(known[0].provider, text)
            return
        self._choose("", text)

    def _take(self, pick: ModelPick | None) -> None:
        self._screen = None
        if pick is None:
            return
        if pick.use is ModelUse.ROLE:
            self._run(self._ask_role(pick.row), "model role")
            return
        self._choose(pick.row.provider, pick.row.model)

    def _choose(self, provider: str, model: str) -> None:
        self._run(self._chosen(provider, model), "model")

    async def _chosen(self, provider: str, model: str) -> None:
        problem = await self._agent.models.choose(provider, model)
        if problem:
            self._warn(problem)
        elif self._agent.is_running:
            self._say("The other model answers from the next turn on.")

    # --- roles -------------------------------------------------------------------------

    async def _ask_role(self, model: ModelRow) -> None:
        roles = await self._agent.models.roles()
        if not roles:
            self._say("This session has no roles.")
            return
        rows = [
            PickRow(name=role.name, words=f"{role.provider}/{role.model} {role.note}".strip())
            for role in roles
        ]
        title = f"Use {visible(name_text(model), keeps_newlines=False)} for a role"
        intro = "Sub-agents of the role use it from now on, to the end of the session."
        self._app.push_screen(
            PickScreen(rows, title=title, intro=intro), lambda role: self._take_role(role, model)
        )

    def _take_role(self, role: str | None, model: ModelRow) -> None:
        if role is not None:
            self._run(self._chosen_for(role, model), "model role")

    async def _chosen_for(self, role: str, model: ModelRow) -> None:
        problem = await self._agent.models.choose_for_role(role, model.provider, model.model)
        if problem:
            self._warn(problem)
        else:
            self._say(f"The role {role} uses {name_text(model)} in this session.")

    # --- a provider's own list ---------------------------------------------------------

    def _ask(self, provider: str) -> None:
        self._run(self._asked(provider), "model list")

    async def _asked(self, provider: str) -> None:
        served = await self._agent.models.ask(provider)
        if self._screen is not None:
            self._screen.take_served(provider, served.rows, visible(served.problem))

    # --- words -------------------------------------------------------------------------

    def _run(self, work: Coroutine[None, None, None], name: str) -> None:
        self._app.run_worker(work, name=name, group=name, exclusive=True)

    def _say(self, text: str) -> None:
        self._app.notify(visible(text), markup=False)

    def _warn(self, text: str) -> None:
        self._app.notify(visible(text), severity="warning", markup=False)
