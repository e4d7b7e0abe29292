"""What the app asks at its start, and how its agent follows from the answers."""

import tempfile
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from caramelo_tui.agent.controller import AgentController
from caramelo_tui.agent.login_port import ChosenModel
from caramelo_tui.app_start import DEMO_CONNECTION, AppStart, StartFacts
from caramelo_tui.config.credentials import Connection, MissingKeyError, NoProviderError
from caramelo_tui.config.kept_keys import kept_keys
from caramelo_tui.config.loader import SettingsSources
from caramelo_tui.config.locations import Locations
from caramelo_tui.config.settings import ProviderName, Settings
from caramelo_tui.config.trust import TrustStore
from caramelo_tui.demo.sample_workspace import FIRST_PROMPT
from caramelo_tui.domain.agent_events import NoticeRaised
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.trust import TrustChoice
from caramelo_tui.ui.start_plan import ProviderChoice, StartPlan


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))


@pytest.fixture
def facts(tmp_path: Path) -> StartFacts:
    """A first start on a folder of the user's, with a key."""
    for name in ("project", "home"):
        (tmp_path / name).mkdir()
    locations = Locations(config=tmp_path / "config", state=tmp_path / "state")
    return StartFacts(
        root=tmp_path / "project",
        settings=Settings(model="m"),
        sources=SettingsSources(
            user_file=locations.config_file,
            is_file_required=False,
            environment={},
            flags={"--model": "m"},
        ),
        reads_workspace_config=True,
        locations=locations,
        environment={"HOME": str(tmp_path / "home")},
        connection=Connection(provider=ProviderName.OPENAI, key="k", base_url=None),
        trust=TrustStore(locations.trust_file, home=tmp_path / "home"),
        keys=kept_keys({}),
        is_trusted_by_flag=False,
        first_prompt="",
    )


def root_of(facts: StartFacts) -> Path:
    assert facts.root is not None
    return facts.root


async def build(plan: StartPlan) -> tuple[AgentController, list[str]]:
    """Build the plan's agent, close it, and return it with what it said at the start."""
    agent = await plan.build_agent()
    assert isinstance(agent, AgentController)
    reader = agent.read_events()
    await agent.close()
    return agent, [event.text async for event in reader if isinstance(event, NoticeRaised)]


def test_a_folder_is_asked_about_once(facts: StartFacts) -> None:
    plan = AppStart(facts).plan()
    assert (plan.workspace, plan.needs_trust, plan.offers_trust) == (facts.root, facts.root, True)
    plan.on_trust(TrustChoice.TRUST)
    assert facts.trust.answer_for(root_of(facts)) is TrustChoice.TRUST
    assert AppStart(facts).plan().needs_trust is None


def test_keys_and_sizes_of_the_user_are_part_of_the_plan(facts: StartFacts) -> None:
    facts.locations.config.mkdir()
    facts.locations.keys_file.write_text('[keys]\n"screen.zoom" = "f12"\n', encoding="utf-8")
    plan = AppStart(facts).plan()
    assert [wish.action for wish in plan.keys.wishes] == ["screen.zoom"]
    assert plan.layout is not None
    plan.layout.save({"wide": {"files": 200}})
    assert next(facts.locations.layouts.iterdir()).suffix == ".json"
    again = AppStart(facts).plan().layout
    assert again is not None
    assert again.load() == {"wide": {"files": 200}}
    assert AppStart(replace(facts, root=None)).plan().layout is None


async def test_a_trusted_folder_is_worked_in_as_trusted(facts: StartFacts) -> None:
    plan = AppStart(facts).plan()
    plan.on_trust(TrustChoice.TRUST)
    agent, said = await build(plan)
    assert agent.info.is_trusted
    assert not said


async def test_restricted_is_remembered_and_said(facts: StartFacts) -> None:
    plan = AppStart(facts).plan()
    plan.on_trust(TrustChoice.RESTRICTED)
    agent, said = await build(plan)
    assert not agent.info.is_trusted
    assert "working restricted" in said[0]
    again = AppStart(facts).plan()
    assert again.needs_trust is None
    assert not (await build(again))[0].info.is_trusted


async def test_the_flag_trusts_for_this_start_without_a_question(facts: StartFacts) -> None:
    plan = AppStart(replace(facts, is_trusted_by_flag=True)).plan()
    assert plan.needs_trust is None
    assert (await build(plan))[0].info.is_trusted
    assert not facts.locations.trust_file.exists()


async def test_home_offers_restricted_work_only_whatever_the_flag(facts: StartFacts) -> None:
    home = Path(facts.environment["HOME"])
    plan = AppStart(replace(facts, root=home, is_trusted_by_flag=True)).plan()
    assert (plan.needs_trust, plan.offers_trust) == (home, False)
    plan.on_trust(TrustChoice.RESTRICTED)
    agent, said = await build(plan)
    assert not agent.info.is_trusted
    assert "home folder" in said[0]


async def test_an_answer_that_cannot_be_kept_counts_for_this_start(facts: StartFacts) -> None:
    trust = _Unwritable(facts.locations.trust_file, home=Path("/nobody"))
    plan = AppStart(replace(facts, trust=trust)).plan()
    plan.on_trust(TrustChoice.TRUST)
    agent, said = await build(plan)
    assert agent.info.is_trusted
    assert "could not be kept" in said[0]


class _Unwritable(TrustStore):
    """A store on a read-only place."""

    def remember(self, root: Path, choice: TrustChoice) -> None:
        del root, choice
        raise ConfigError("trust.json", "", "cannot be written (Read-only file system)")


def test_a_broken_store_is_an_error_before_the_app_opens(facts: StartFacts) -> None:
    facts.locations.config.mkdir()
    facts.locations.trust_file.write_text("{")
    with pytest.raises(ConfigError, match=r"trust\.json"):
        AppStart(facts)


async def test_the_demo_works_on_a_fresh_trusted_sample(facts: StartFacts, tmp_path: Path) -> None:
    plan = AppStart(replace(facts, root=None, connection=DEMO_CONNECTION)).plan()
    assert plan.needs_trust is None
    assert plan.workspace.is_relative_to(tmp_path / "tmp")
    assert plan.first_draft == FIRST_PROMPT
    agent, said = await build(plan)
    assert (agent.info.is_demo, agent.info.is_trusted) == (True, True)
    assert agent.info.workspace == plan.workspace
    assert not said


async def test_without_a_key_the_first_start_screen_leads_to_the_demo(
    facts: StartFacts, tmp_path: Path
) -> None:
    plan = AppStart(replace(facts, connection=None)).plan()
    assert plan.needs_provider
    assert plan.key_lines == ("export ANTHROPIC_API_KEY=…", "export OPENAI_API_KEY=…")
    assert not plan.first_draft
    assert plan.demo_draft == FIRST_PROMPT
    plan.on_provider(ProviderChoice.DEMO)
    agent, _ = await build(plan)
    assert agent.info.is_demo
    assert agent.info.is_trusted
    assert agent.info.workspace.is_relative_to(tmp_path / "tmp")
    assert not list(root_of(facts).iterdir())


async def test_without_a_choice_there_is_no_agent(facts: StartFacts) -> None:
    plan = AppStart(replace(facts, connection=None)).plan()
    with pytest.raises(NoProviderError):
        await plan.build_agent()


async def test_a_sample_that_cannot_be_copied_ends_the_start_with_a_reason(
    facts: StartFacts, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plan = AppStart(replace(facts, connection=None)).plan()
    plan.on_provider(ProviderChoice.DEMO)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(ConfigError, match="TMPDIR"):
        await plan.build_agent()


async def test_what_was_chosen_for_the_user_is_said(facts: StartFacts) -> None:
    connection = Connection(
        provider=ProviderName.ANTHROPIC, key="sk", base_url=None, note="using anthropic"
    )
    sources = replace(facts.sources, flags={})
    chosen = replace(facts, connection=connection, is_trusted_by_flag=True, sources=sources)
    _, said = await build(AppStart(chosen).plan())
    assert said[0] == "using anthropic"
    assert said[1].startswith("No model is set: using claude-")


def rules_of_the_workspace(facts: StartFacts) -> None:
    """Let the workspace's own file ask for something strict and for something it may not set."""
    file = root_of(facts) / ".caramelo" / "config.toml"
    file.parent.mkdir()
    file.write_text('[approval]\nmode = "plan"\n[provider]\nmodel = "other"\n')


async def test_a_workspace_has_a_say_once_it_is_trusted(facts: StartFacts) -> None:
    rules_of_the_workspace(facts)
    plan = AppStart(facts).plan()
    plan.on_trust(TrustChoice.TRUST)
    agent, said = await build(plan)
    assert agent.mode is ApprovalMode.PLAN
    assert agent.info.model == "m"
    assert "Not taken from the workspace: .caramelo/config.toml:4: provider.model" in said[0]


@pytest.mark.parametrize("choice", TrustChoice)
async def test_a_workspaces_file_is_not_read_untrusted_or_unwanted(
    facts: StartFacts, choice: TrustChoice
) -> None:
    rules_of_the_workspace(facts)
    is_wanted = choice is TrustChoice.RESTRICTED
    plan = AppStart(replace(facts, reads_workspace_config=is_wanted)).plan()
    plan.on_trust(choice)
    agent, said = await build(plan)
    assert agent.mode is ApprovalMode.REVIEW
    assert not [text for text in said if "Not taken" in text]


async def test_the_sdk_is_warmed_after_the_first_paint(facts: StartFacts) -> None:
    agent = await AppStart(facts).plan().build_agent()
    assert isinstance(agent, AgentController)
    warming = agent._warming
    assert warming is not None
    await agent.close()
    assert warming.done()


class _Environment(dict[str, str]):
    """Notes which threads look for programs, as the wiring of an agent does."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        super().__init__(variables)
        self.looked_from: set[threading.Thread] = set()

    def get(self, key: str, default: str = "") -> str:  # type: ignore[override]  # always a text
        if key == "PATH":
            self.looked_from.add(threading.current_thread())
        return super().get(key, default)


async def test_the_agent_is_wired_beside_the_event_loop(facts: StartFacts) -> None:
    environment = _Environment(facts.environment)
    await build(AppStart(replace(facts, environment=environment)).plan())
    assert environment.looked_from
    assert threading.current_thread() not in environment.looked_from


def test_prompts_are_kept_by_workspace(facts: StartFacts, tmp_path: Path) -> None:
    one = AppStart(facts).plan().history_path
    other = AppStart(replace(facts, root=tmp_path)).plan().history_path
    assert one is not None
    assert one.parent == facts.locations.history
    assert one != other


def test_no_theme_is_forced_on_who_chose_none(facts: StartFacts) -> None:
    # The app then looks at NO_COLOR.
    assert AppStart(facts).plan().theme is None


def test_the_first_prompt_and_the_themes_reach_the_app(facts: StartFacts) -> None:
    settings = Settings(theme="mono")
    plan = AppStart(replace(facts, first_prompt="go", settings=settings)).plan()
    assert (plan.first_prompt, plan.theme) == ("go", "mono")
    assert plan.user_themes == facts.locations.themes


@pytest.mark.parametrize(
    ("provider", "model", "missing"),
    [
        (ProviderName.GROQ, None, "groq"),
        (ProviderName.COPILOT, None, "copilot"),
        (ProviderName.GROQ, "m", ""),
        (ProviderName.OPENAI, None, ""),
        (ProviderName.OLLAMA, None, ""),
    ],
)
def test_a_model_is_asked_for_where_a_provider_has_no_default(
    facts: StartFacts, provider: ProviderName, model: str | None, missing: str
) -> None:
    connection = Connection(provider=provider, key="k", base_url=None)
    start = replace(facts, connection=connection, settings=Settings(model=model))
    assert AppStart(start).plan().model_missing_at == missing


async def test_what_was_chosen_at_a_login_is_what_answers(facts: StartFacts) -> None:
    sources = replace(facts.sources, flags={})
    start = AppStart(replace(facts, connection=None, settings=Settings(), sources=sources))
    plan = start.plan()
    assert plan.needs_provider
    assert plan.make_login is not None
    assert await plan.make_login().take_key("groq", "gsk-typed", is_kept=False) == ""
    plan.on_login(ChosenModel(provider="groq", model="llama"))
    agent = await plan.build_agent()
    assert (agent.info.provider, agent.info.model) == ("groq", "llama")
    await agent.close()


async def test_a_model_that_was_chosen_answers_in_the_next_session_too(
    facts: StartFacts,
) -> None:
    plan = AppStart(replace(facts, sources=replace(facts.sources, flags={}))).plan()
    left = await plan.build_agent()
    assert await left.models.choose("", "m2") == ""
    fork = await left.sessions.fork()
    await left.close()
    assert plan.open_session is not None
    agent = await plan.open_session(fork.id)
    assert agent.models.answering.model == agent.info.model == "m2"
    reader = agent.read_events()
    await agent.close()
    said = [event.text async for event in reader if isinstance(event, NoticeRaised)]
    assert not any("No model is set" in text for text in said)


def test_a_provider_without_its_key_is_named_on_the_first_screen(facts: StartFacts) -> None:
    missing = MissingKeyError("OPENAI_API_KEY", "openai")
    plan = AppStart(replace(facts, connection=None, missing_key=missing)).plan()
    assert plan.wanted_provider == "openai"
    assert "OPENAI_API_KEY" in plan.provider_note


def test_a_crash_report_holds_no_key_that_was_typed(facts: StartFacts) -> None:
    for key in ("plain-words-typed-first", "plain-words-typed-then"):
        facts.keys.use("openai", key)
    shown = (
        AppStart(facts)
        .plan()
        .report_crash(RuntimeError("plain-words-typed-first plain-words-typed-then"))
    )
    reports = list(facts.locations.logs.iterdir())
    assert len(reports) == 1
    assert "plain-words" not in shown + reports[0].read_text()
