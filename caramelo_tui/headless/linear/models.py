"""Choose models and hear reports in a session in lines.

Owns ``/model`` and the reports on settings, rules, tools and cache, as sentences. What is unknown
is said to be so. Proven by tests/unit/headless/test_linear_models.py.
"""

from caramelo_tui.agent.models_port import ModelRow
from caramelo_tui.agent.port import AgentPort
from caramelo_tui.agent.reports_port import Report
from caramelo_tui.headless.linear.dialogs import one_line
from caramelo_tui.headless.linear.output import LinearOutput

MOST_READ = 40
"""Models that are read out at once; more words narrow."""


class LinearModels:
    """What is typed about models, and what is read out of the session's state."""

    def __init__(self, agent: AgentPort, out: LinearOutput) -> None:
        """Ask an agent and say what it answers."""
        self._agent = agent
        self._out = out

    def list_models(self) -> None:
        """Say which model answers, and which others are known of usable providers."""
        now = self._agent.models.answering
        self._out.say(f"{one_line(now.model)} of {one_line(now.provider)} answers.")
        rows = [row for row in self._agent.models.rows if not row.missing and not row.is_current]
        for row in rows[:MOST_READ]:
            self._out.say(_sentence(row))
        if len(rows) > MOST_READ:
            self._out.say(f"{len(rows) - MOST_READ} more are not read out.")
        self._out.say("/model PROVIDER/ID chooses one, listed or not.")

    async def choose(self, text: str) -> None:
        """Have another model answer, named as in the list or by its name alone."""
        await self._choose(*self._named(text))

    def list_providers(self) -> None:
        """Say which providers there are, and what is missing to use one."""
        now = self._agent.models.answering.provider
        missing = {row.provider: row.missing for row in self._agent.models.rows}
        for provider, what in missing.items():
            state = "answers now" if provider == now else one_line(what) or "can be used"
            self._out.say(f"{one_line(provider)}: {state}")
        self._out.say("/provider NAME has its model answer.")

    async def choose_provider(self, name: str) -> None:
        """Have the default model of a provider answer."""
        await self._choose(name, "")

    async def ask(self, provider: str) -> None:
        """Ask a provider for its own list and read it out; behind it, words narrow."""
        name, *words = provider.lower().split()
        self._out.say(f"Asking {one_line(name)} for its models.")
        await self._out.flush()
        served = await self._agent.models.ask(name)
        if served.problem:
            self._out.say(one_line(served.problem))
        rows = [row for row in served.rows if all(word in row.model.lower() for word in words)]
        for row in rows[:MOST_READ]:
            self._out.say(_sentence(row))
        if len(rows) > MOST_READ:
            self._out.say(f"{len(rows) - MOST_READ} more are not read out; words narrow.")
        if not served.problem:
            self._out.say("End of the models.")
        await self._out.flush()

    async def roles(self) -> None:
        """Say which model each role of sub-agents comes to."""
        for role in await self._agent.models.roles():
            model = f"{one_line(role.model)} of {one_line(role.provider)}" if role.model else "none"
            note = f". {one_line(role.note)}" if role.note else ""
            self._out.say(f"Role {one_line(role.name)}: {model}{note}")
        self._out.say("/role NAME PROVIDER/ID has a role use a model, to the end of the session.")
        await self._out.flush()

    async def choose_for_role(self, text: str) -> None:
        """Have sub-agents of a role use a model."""
        role, _, name = text.partition(" ")
        if not name.strip():
            self._out.say("/role NAME PROVIDER/ID names a role and its model.")
        else:
            provider, model = self._named(name.strip())
            problem = await self._agent.models.choose_for_role(role, provider, model)
            done = f"Sub-agents of the role {one_line(role)} use {one_line(model)}."
            self._out.say(one_line(problem) or done)
        await self._out.flush()

    def _named(self, text: str) -> tuple[str, str]:
        """Return provider and model that a name means; an empty provider: the one in use."""
        rows = self._agent.models.rows
        provider, _slash, model = text.partition("/")
        if model and provider in {row.provider for row in rows}:
            return provider, model
        known = {row.provider for row in rows if row.model == text}
        return (known.pop() if len(known) == 1 else ""), text

    async def _choose(self, provider: str, model: str) -> None:
        problem = await self._agent.models.choose(provider, model)
        if problem:
            self._out.say(one_line(problem))
        elif self._agent.is_running:
            self._out.say("The other model answers from the next turn on.")
        await self._out.flush()

    async def tell(self, report: Report) -> None:
        """Read a report out."""
        self._out.say(await self._agent.reports.report(report))
        self._out.say("End of the report.")
        await self._out.flush()


def _sentence(row: ModelRow) -> str:
    prices = row.prices
    window = "unknown" if row.context_window is None else f"{row.context_window:,}"
    cost = "prices unknown"
    if prices is not None and prices.input is not None and prices.output is not None:
        cost = f"{prices.input:g} dollars in, {prices.output:g} out per million tokens"
    return f"{one_line(row.provider)}/{one_line(row.model)}: context {window} tokens, {cost}"
