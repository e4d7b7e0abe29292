"""Say how the app starts: what it asks first, and how its agent is built.

Owns the answers of the start screens until there is an agent. Proven by
tests/unit/test_app_start.py and tests/e2e/.
"""

import asyncio
import importlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from caramelo_tui.config.credentials import (
    COMMON_KEY_VARIABLES,
    Connection,
    MissingKeyError,
    NoProviderError,
    find_connection,
)
from caramelo_tui.config.kept_keys import KeptKeys
from caramelo_tui.config.loader import (
    LoadedSettings,
    SettingsSources,
    WorkspaceSource,
    load_settings,
)
from caramelo_tui.config.locations import Locations
from caramelo_tui.config.settings import ProviderName, Settings
from caramelo_tui.config.start_notes import StartSituation, start_notes
from caramelo_tui.config.trust import TrustStore
from caramelo_tui.config.user_keys import read_key_wishes
from caramelo_tui.demo.sample_workspace import FIRST_PROMPT, copy_sample
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.trust import TrustChoice
from caramelo_tui.sessions.draft_file import DraftFile
from caramelo_tui.sessions.folders import (
    drafts_folder,
    history_path,
    layout_path,
    workspace_folder,
)
from caramelo_tui.sessions.frame_file import FrameFile
from caramelo_tui.sessions.layout_file import LayoutFile
from caramelo_tui.ui.start_plan import ProviderChoice, StartPlan

if TYPE_CHECKING:
    # The events behind the port are many classes; the first paint does without them.
    from caramelo_tui.agent.login_port import ChosenModel
    from caramelo_tui.agent.models_port import AnsweringModel
    from caramelo_tui.agent.port import AgentPort
    from caramelo_tui.config.logins import Logins
    from caramelo_tui.domain.ids import SessionId
    from caramelo_tui.sessions.opening import OpenedSession

DEMO_CONNECTION = Connection(provider=ProviderName.DEMO, key="", base_url=None)
"""How the demo's model is reached: it is inside the program."""
WARM_AFTER_S = 0.3
"""Seconds from the agent's start to the loading of the SDK: the panes are drawn by then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartFacts:
    """What is known before the app opens."""

    root: Path | None
    """The workspace; ``None``: a fresh copy of the demo's sample."""
    settings: Settings
    """The user's own: what the first screens are drawn with."""
    sources: SettingsSources
    """Where those come from; read again, with the workspace's, once it is known to be trusted."""
    reads_workspace_config: bool
    """``False``: ``--no-workspace-config``."""
    locations: Locations
    environment: Mapping[str, str]
    """The user's variables."""
    connection: Connection | None
    """How to reach the provider; ``None``: the first-start screen asks."""
    trust: TrustStore
    keys: KeptKeys
    """Keys of the keyring and of this session."""
    is_trusted_by_flag: bool
    """``--trust``: trusted for this start, nothing is stored."""
    missing_key: MissingKeyError | None = None
    """Why there is no connection although a provider is set."""
    first_prompt: str = ""
    """Sent as soon as the agent is there; empty: nothing is sent."""
    session: Path | None = None
    """File of the stored session that goes on; ``None``: a new one."""
    picks_session: bool = False
    """Whether the user picks a stored session first."""
    frame: str = ""
    """File that the first picture is to be kept in; empty: none."""


class AppStart:
    """One start of the app."""

    def __init__(self, facts: StartFacts) -> None:
        """Look up what was answered before.

        Raises:
            ConfigError: If the store of answers cannot be read, or the demo's sample not copied.
        """
        self._facts = facts
        self._connection = facts.connection
        self._chosen: ChosenModel | None = None
        self._is_demo = facts.root is None
        self._root = facts.root or copy_sample()
        answer = None if self._is_demo else facts.trust.answer_for(self._root)
        # The sample is the program's own: there is nobody to ask about it.
        self._is_trusted = self._is_demo or facts.trust.is_trusted_at_start(
            self._root, by_flag=facts.is_trusted_by_flag
        )
        self._needs_trust = not self._is_trusted and answer is None
        self._problems: list[str] = []
        self._agent: AgentPort | None = None

    def plan(self) -> StartPlan:
        """Return the plan that the app carries out."""
        missing = self._facts.missing_key
        return StartPlan(
            workspace=self._root,
            build_agent=self._build_agent,
            open_session=None if self._is_demo else self._open_session,
            picks_session=self._facts.picks_session,
            needs_trust=self._root if self._needs_trust else None,
            offers_trust=self._facts.trust.can_be_trusted(self._root),
            on_trust=self._take_trust,
            needs_provider=self._connection is None,
            key_lines=tuple(f"export {variable}=…" for variable in COMMON_KEY_VARIABLES),
            on_provider=self._take_provider,
            provider_note="" if missing is None else str(missing),
            wanted_provider="" if missing is None else missing.provider,
            model_missing_at=self._model_missing_at(),
            make_login=self._logins,
            on_login=self._take_login,
            theme=self._facts.settings.theme,
            user_themes=self._facts.locations.themes,
            history_path=history_path(self._facts.locations.history, self._root),
            keys=read_key_wishes(self._facts.locations.keys_file),
            layout=self._layout(),
            draft=self._draft(),
            frame=self._frame(),
            notifies=self._facts.settings.notifies,
            report_crash=self._report_crash,
            first_prompt=self._facts.first_prompt,
            first_draft=FIRST_PROMPT if self._is_demo else "",
            demo_draft=FIRST_PROMPT,
        )

    def _layout(self) -> LayoutFile | None:
        """Return what keeps the panes' sizes; the demo's folder is another one each time."""
        if self._is_demo:
            return None
        return LayoutFile(layout_path(self._facts.locations.layouts, self._root))

    def _draft(self) -> DraftFile | None:
        """Return what keeps the draft; the demo's folder is another one each time."""
        if self._is_demo:
            return None
        return DraftFile(drafts_folder(self._facts.locations.history, self._root))

    def _frame(self) -> FrameFile | None:
        """Return what keeps the first picture, with all that it was drawn from."""
        facts = self._facts
        if not facts.frame:
            return None
        places = facts.locations
        own = (facts.sources.user_file, places.trust_file, places.keys_file, places.themes)
        themes = sorted(places.themes.glob("*.toml"))
        return FrameFile(Path(facts.frame), depends_on=(*own, *themes))

    def _report_crash(self, error: BaseException | None) -> str:
        from caramelo_tui.config.crash_report import crash_notice  # noqa: PLC0415 - never needed, one hopes

        facts = self._facts
        environment = {**facts.environment, **facts.keys.to_hide()}
        return crash_notice(facts.locations.logs, error, environment=environment)

    def _take_trust(self, choice: TrustChoice) -> None:
        self._is_trusted = choice is TrustChoice.TRUST
        try:
            self._facts.trust.remember(self._root, choice)
        except ConfigError as error:
            # The answer holds for this start; the user is asked again at the next one.
            self._problems.append(f"Your answer about trust could not be kept. {error}")

    def _take_provider(self, choice: ProviderChoice) -> None:
        if choice is ProviderChoice.DEMO:
            self._connection = DEMO_CONNECTION
            self._is_demo = self._is_trusted = True

    def _take_login(self, chosen: "ChosenModel") -> None:
        self._chosen = chosen

    def _model_missing_at(self) -> str:
        """Return the provider that has a key and no model; empty: nothing is missing."""
        connection, settings = self._connection, self._facts.settings
        if connection is None or connection.endpoint_name or not connection.preset.key_variables:
            return ""
        # The common two have a default: their first paint does without the catalogue.
        is_common = connection.provider in {ProviderName.ANTHROPIC, ProviderName.OPENAI}
        if settings.model or connection.model or is_common:
            return ""
        from caramelo_tui.providers.catalog import DEFAULT_MODELS  # noqa: PLC0415 - see above

        return "" if connection.provider in DEFAULT_MODELS else connection.provider.value

    def _logins(self) -> "Logins":
        from caramelo_tui.config.logins import Logins  # noqa: PLC0415 - for those who log in

        return Logins(
            settings=self._facts.settings,
            environment=self._facts.environment,
            keys=self._facts.keys,
        )

    def _with_choice(self, settings: Settings) -> Settings:
        """Return settings with what was chosen on the first-start screen, instead of theirs."""
        chosen = self._chosen
        if chosen is None:
            return settings
        provider = ProviderName(chosen.provider)
        is_theirs = settings.provider in {None, provider}
        return replace(
            settings,
            provider=provider,
            endpoint_name="",
            model=chosen.model or (settings.model if is_theirs else None),
            base_url=chosen.base_url or (settings.base_url if is_theirs else None),
        )

    async def _build_agent(self) -> "AgentPort":
        return await self._build(self._facts.session)

    async def _open_session(self, session_id: "SessionId") -> "AgentPort":
        folder = workspace_folder(self._facts.locations.sessions, self._root)
        # Who chose a model keeps it in the session that they go to.
        return await self._build(
            folder / f"{session_id}.jsonl",
            answering=None if self._agent is None else self._agent.models.answering,
        )

    async def _build(
        self, session: Path | None, *, answering: "AnsweringModel | None" = None
    ) -> "AgentPort":
        """Return a started agent that goes on with a stored session, or begins one."""
        await asyncio.to_thread(importlib.import_module, "caramelo_tui.composition")
        from caramelo_tui.sessions.opening import open_session  # noqa: PLC0415 - after the first paint

        opened = None if session is None else await asyncio.to_thread(open_session, session)
        try:
            return await self._build_with(opened, answering)
        except BaseException:
            if opened is not None:
                opened.file.close()
            raise

    async def _build_with(
        self, opened: "OpenedSession | None", answering: "AnsweringModel | None"
    ) -> "AgentPort":
        # Composition brings every room with it: imported off the loop, after the first paint.
        await asyncio.to_thread(importlib.import_module, "caramelo_tui.composition")
        from caramelo_tui.agent.approval_broker import PersonAtPrompt  # noqa: PLC0415 - as above
        from caramelo_tui.composition import (  # noqa: PLC0415 - as above
            AgentOptions,
            CoreOptions,
            build_agent,
        )
        from caramelo_tui.config.report import config_report  # noqa: PLC0415 - as above

        if self._connection is None and self._chosen is None:
            raise NoProviderError
        if self._is_demo and self._root == self._facts.root:
            # The demo was chosen on the first-start screen, for want of a key.
            self._root = await asyncio.to_thread(copy_sample)
        loaded = await asyncio.to_thread(self._load_settings)
        cut_off = () if opened is not None else await asyncio.to_thread(self._cut_off_notes)
        settings = self._with_choice(loaded.settings)
        if self._connection is None:
            self._connection = find_connection(
                settings, self._facts.environment, kept=self._facts.keys
            )
        # In a thread: it loads the provider's module, and reads the files of skills.
        agent = await asyncio.to_thread(
            build_agent,
            AgentOptions(
                core=CoreOptions(
                    root=self._root,
                    settings=settings,
                    locations=self._facts.locations,
                    environment=self._facts.environment,
                    approver=PersonAtPrompt(),
                    is_trusted=self._is_trusted,
                    opened=opened,
                ),
                connection=self._connection,
                answering=answering,
                keys=self._facts.keys,
                config_report=lambda: config_report(loaded),
                notes=(*self._notes(self._connection), *loaded.notes, *cut_off),
            ),
        )
        agent.start(warm_after_s=WARM_AFTER_S)
        self._agent = agent
        return agent

    def _cut_off_notes(self) -> tuple[str, ...]:
        from caramelo_tui.sessions.cut_off import cut_off_notes  # noqa: PLC0415 - after the first paint

        return cut_off_notes(workspace_folder(self._facts.locations.sessions, self._root))

    def _load_settings(self) -> LoadedSettings:
        """Read all settings, now that it is known whether the workspace may have a say."""
        workspace = WorkspaceSource(
            root=self._root,
            is_trusted=self._is_trusted,
            is_wanted=self._facts.reads_workspace_config,
        )
        return load_settings(self._facts.sources, workspace)

    def _notes(self, connection: Connection) -> tuple[str, ...]:
        situation = StartSituation(
            root=self._root,
            connection=connection,
            is_trusted=self._is_trusted,
            trust_file=self._facts.trust.path,
            can_be_trusted=self._facts.trust.can_be_trusted(self._root),
            is_sample=self._is_demo,
        )
        return (*start_notes(situation), *self._problems)
