"""Lead from the wish for a model to one that can be asked.

Owns the order of the screens: whose key, the key, the model; or GitHub's login and its models; or
a server that was found. Only inside a worker. Proven by tests/pilot/test_login.py.
"""

from collections.abc import Callable, Sequence
from functools import partial

from textual.app import App

from caramelo_tui.agent.login_port import (
    COPILOT,
    ChosenModel,
    FoundServer,
    KeyTarget,
    LoginPort,
    OfferedModel,
)
from caramelo_tui.domain.errors import ProviderError
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.screens.find import FindScreen
from caramelo_tui.ui.screens.key_entry import EntryScreen, EntryWords, KeyScreen
from caramelo_tui.ui.screens.login import CopilotLoginScreen
from caramelo_tui.ui.screens.pick import PickRow, PickScreen

_MOST_PICKED = 12
"""Models up to which each has a line about it; a longer list is narrowed by typing."""


class LoginFlow:
    """The screens of a login, one after the other."""

    def __init__(self, app: App[None], login: LoginPort, *, copy: Callable[[str], None]) -> None:
        """Set it up; nothing is shown yet.

        Args:
            app: Where the screens are shown.
            login: What they ask.
            copy: Puts a text into the clipboard and says so.
        """
        self._app = app
        self._login = login
        self._copy = copy

    async def pick_way(self, servers: Sequence[FoundServer]) -> ChosenModel | None:
        """Offer what works here, then go that way; ``None``: given up."""
        rows = [
            PickRow(name="GitHub Copilot", words="log in with a code, in your browser"),
            PickRow(name="a key", words="type or paste it; for this session, or for the keyring"),
        ]
        if servers:
            titles = ", ".join(visible(server.title) for server in servers)
            rows.append(PickRow(name="this machine", words=f"a server that was found: {titles}"))
        way = await self._app.push_screen_wait(
            PickScreen(rows, title="Log in", intro="Keys of the environment always come first.")
        )
        match way:
            case "GitHub Copilot":
                return await self.copilot()
            case "a key":
                return await self.key()
            case "this machine":
                return await self.server(servers)
            case _:
                return None

    async def copilot(self) -> ChosenModel | None:
        """Log in to GitHub Copilot; ``None``: given up."""
        is_done = await self._app.push_screen_wait(CopilotLoginScreen(self._login, copy=self._copy))
        return await self._with_model(COPILOT, "GitHub Copilot") if is_done else None

    async def key(self, provider: str = "") -> ChosenModel | None:
        """Take a key; ``None``: given up.

        Args:
            provider: Whose; empty: it is asked.
        """
        # A key behind one that is set would never be used.
        targets = {each.provider: each for each in self._login.key_targets if not each.is_set}
        target = targets.get(provider) or await self._pick_target(targets)
        if target is None:
            return None
        words = EntryWords(
            title=f"Key for {target.title}",
            intro=(
                "It is kept in memory, handed to no program and written to no file. "
                f"To have it at every start, set {target.variable} in your shell."
            ),
            placeholder="type or paste the key",
        )
        taken = await self._app.push_screen_wait(
            KeyScreen(
                words,
                take=partial(self._take_key, target.provider),
                find_keyring=self._login.find_keyring,
            )
        )
        return None if taken is None else await self._with_model(target.provider, target.title)

    async def server(self, servers: Sequence[FoundServer]) -> ChosenModel | None:
        """Take a model of a server that was found; ``None``: given up."""
        rows = {
            f"{server.title} · {model or 'its model'}": (server, model)
            for server in servers
            for model in (server.models or ("",))
        }
        name = await self._app.push_screen_wait(
            PickScreen(
                [PickRow(name=name, words=server.address) for name, (server, _) in rows.items()],
                title="Models on this machine",
                intro="These servers answer on this machine; no key is needed.",
            )
        )
        if name is None:
            return None
        server, model = rows[name]
        chosen: str | None = model or await self._type_model(server.title)
        if chosen is None:
            return None
        return ChosenModel(provider=server.provider, model=chosen, base_url=server.address)

    async def model(self, provider: str) -> ChosenModel | None:
        """Ask for a model of a provider that has none set; ``None``: given up."""
        return await self._with_model(provider, provider)

    async def _take_key(self, provider: str, key: str, is_kept: bool) -> str:  # noqa: FBT001 - the screen's form
        return await self._login.take_key(provider, key, is_kept=is_kept)

    async def _pick_target(self, targets: dict[str, KeyTarget]) -> KeyTarget | None:
        if not targets:
            self._app.notify("Every provider's key is set in the environment.", markup=False)
            return None
        rows = [PickRow(name=name, words=each.title) for name, each in targets.items()]
        name = await self._app.push_screen_wait(
            PickScreen(rows, title="Whose key?", intro="Providers whose key is not set yet.")
        )
        return None if name is None else targets[name]

    async def _with_model(self, provider: str, title: str) -> ChosenModel | None:
        if self._login.has_default_model(provider):
            return ChosenModel(provider=provider)
        models = await self._models_of(provider)
        model = await (self._pick_model(models) if models else self._type_model(title))
        return None if model is None else ChosenModel(provider=provider, model=model)

    async def _models_of(self, provider: str) -> tuple[OfferedModel, ...]:
        try:
            return await self._login.models_of(provider)
        except ProviderError as error:
            self._app.notify(visible(str(error)), severity="warning", markup=False)
            return ()

    async def _pick_model(self, models: Sequence[OfferedModel]) -> str | None:
        if len(models) > _MOST_PICKED:
            names = [model.id for model in models]
            return await self._app.push_screen_wait(FindScreen(names, title="Which model?"))
        rows = [PickRow(name=model.id, words=model.words) for model in models]
        return await self._app.push_screen_wait(
            PickScreen(
                rows, title="Which model?", intro="The models that this provider offers you."
            )
        )

    async def _type_model(self, title: str) -> str | None:
        words = EntryWords(
            title="Which model?",
            intro=f"No model of {visible(title)} is known; type its name as written there.",
            placeholder="name of the model",
        )
        return await self._app.push_screen_wait(EntryScreen(words, is_secret=False))
