"""What is built is what the settings, the flags and the user's variables ask for."""

import asyncio
import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from caramelo_tui.composition import (
    DEMO_MODEL,
    AgentOptions,
    CoreOptions,
    build_agent,
    build_core,
    build_provider,
)
from caramelo_tui.config.credentials import Connection
from caramelo_tui.config.settings import ProviderName, Settings
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    Ending,
    NoticeRaised,
    RunEnded,
    RunStarted,
)
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.headless.tools_by_hand import ToolsByHand
from caramelo_tui.providers.catalog import DEFAULT_MODELS
from caramelo_tui.workspace.file_io import WriteStep
from tests.doubles.cores import core_options

DEMO = Connection(provider=ProviderName.DEMO, key="", base_url=None)
ANTHROPIC = Connection(provider=ProviderName.ANTHROPIC, key="sk-a", base_url=None)


def agent_options(tmp_path: Path, connection: Connection = DEMO) -> AgentOptions:
    return AgentOptions(
        core=replace(core_options(tmp_path), is_trusted=True),
        connection=connection,
        is_watched=False,
    )


def files_below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_building_touches_no_disk(tmp_path: Path) -> None:
    options = agent_options(tmp_path)
    build_agent(options)
    assert [path.name for path in tmp_path.iterdir()] == ["project"]
    assert not list(options.core.root.iterdir())


def test_each_provider_is_built_with_its_model() -> None:
    for connection, settings, name, model in (
        (DEMO, Settings(model="ignored"), "demo", DEMO_MODEL),
        (ANTHROPIC, Settings(), "anthropic", DEFAULT_MODELS["anthropic"]),
        (replace(ANTHROPIC, provider=ProviderName.OPENAI), Settings(model="m"), "openai", "m"),
    ):
        provider, chosen = build_provider(settings, connection)
        assert (provider.name, chosen) == (name, model)


def test_an_endpoint_that_cannot_be_used_is_a_configuration_error() -> None:
    with pytest.raises(ConfigError, match="base URL"):
        build_provider(Settings(), replace(ANTHROPIC, base_url="ftp://x"))


def notices(options: AgentOptions) -> list[str]:
    agent = build_agent(options)
    reader = agent.read_events()

    async def read() -> list[str]:
        await agent.close()
        return [event.text async for event in reader if isinstance(event, NoticeRaised)]

    return asyncio.run(read())


def test_the_default_model_is_said_at_the_start(tmp_path: Path) -> None:
    options = replace(agent_options(tmp_path, ANTHROPIC), notes=("one",))
    said = notices(options)
    assert said[0] == "one"
    assert f"using {DEFAULT_MODELS['anthropic']} of anthropic" in said[1]
    named = replace(options.core, settings=Settings(model="m"))
    assert notices(replace(options, core=named)) == ["one"]
    assert notices(agent_options(tmp_path)) == []


def test_the_facts_for_the_screen_are_those_of_the_start(tmp_path: Path) -> None:
    connection = replace(ANTHROPIC, endpoint_note="ANTHROPIC_BASE_URL → x")
    restricted = replace(agent_options(tmp_path, connection), core=core_options(tmp_path))
    info = build_agent(restricted).info
    assert (info.provider, info.model) == ("anthropic", DEFAULT_MODELS["anthropic"])
    assert (info.is_trusted, info.is_demo) == (False, False)
    assert info.endpoint_note == "ANTHROPIC_BASE_URL → x"
    assert info.workspace == tmp_path / "project"
    assert build_agent(agent_options(tmp_path)).info.is_demo


def test_a_workspaces_commands_need_trust_and_the_users_do_not(tmp_path: Path) -> None:
    options = agent_options(tmp_path)
    for folder in (
        options.core.locations.config / "commands",
        options.core.root / ".caramelo/commands",
    ):
        folder.mkdir(parents=True)
    (options.core.locations.config / "commands" / "mine.md").write_text("Mine.")
    (options.core.root / ".caramelo/commands" / "theirs.md").write_text("Theirs.")
    (options.core.root / ".caramelo/commands" / "empty.md").write_text("")
    assert [command.name for command in build_agent(options).user_commands] == ["mine", "theirs"]
    assert notices(options) == [
        "The command .caramelo/commands/empty.md is not used: it has no text."
    ]
    restricted = replace(options, core=replace(options.core, is_trusted=False))
    assert [command.name for command in build_agent(restricted).user_commands] == ["mine"]
    assert notices(restricted) == []


async def run_once(options: AgentOptions) -> list[AgentEvent]:
    """Run one prompt and return all events up to the run's end."""
    agent = build_agent(options)
    agent.start()
    reader = agent.read_events()
    agent.submit("go")
    events: list[AgentEvent] = []
    async for event in reader:
        events.append(event)
        if isinstance(event, RunEnded):
            break
    await agent.close()
    return events


def started(events: list[AgentEvent]) -> RunStarted:
    (found,) = [event for event in events if isinstance(event, RunStarted)]
    return found


async def test_a_session_is_kept_private_and_outside_the_workspace(tmp_path: Path) -> None:
    begun = started(await run_once(agent_options(tmp_path)))
    (session,) = (tmp_path / "state" / "sessions").glob("*/*.jsonl")
    assert session.name == f"{begun.session_id}.jsonl"
    assert stat.S_IMODE(session.stat().st_mode) == 0o600
    assert all(
        stat.S_IMODE(folder.stat().st_mode) == 0o700
        for folder in (session.parent, session.parent.parent, tmp_path / "state")
    )
    assert not list((tmp_path / "project").iterdir())


async def test_all_that_is_kept_is_private_whatever_the_umask(tmp_path: Path) -> None:
    options = agent_options(tmp_path)
    old = os.umask(0)
    try:
        await run_once(options)
        await call(options.core, "bash", command="echo much")
        await call(options.core, "file_write", path="a.txt", content="new\n")
    finally:
        os.umask(old)
    state = tmp_path / "state"
    kept = [state, *state.rglob("*")]
    kinds = {path.suffix for path in files_below(state)}
    assert {".jsonl", ".out"} <= kinds
    assert {path.name for path in state.iterdir()} == {"sessions", "checkpoints"}
    for path in kept:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


async def test_without_a_session_nothing_is_kept(tmp_path: Path) -> None:
    await run_once(replace(agent_options(tmp_path), keeps_session=False))
    assert not files_below(tmp_path / "state")


async def test_the_outputs_of_a_session_that_is_not_kept_go_with_it(tmp_path: Path) -> None:
    options = core_options(tmp_path)
    for keeps_outputs, count in ((False, 0), (True, 1), (False, 1)):
        core = build_core(replace(options, keeps_outputs=keeps_outputs))
        tools = ToolsByHand(calls=core.pipeline, events=core.events, ids=core.ids)
        await tools.call("bash", '{"command": "echo much"}')
        assert len(files_below(core.artifacts)) == 1
        await core.end_processes()
        await core.end_processes()
        assert len(files_below(tmp_path / "state" / "sessions")) == count


async def test_a_run_carries_the_settings(tmp_path: Path) -> None:
    options = agent_options(tmp_path)
    settings = Settings(mode=ApprovalMode.EACH, turns=3)
    core = replace(options.core, settings=settings)
    events = await run_once(replace(options, core=replace(core, is_trusted=False)))
    begun = started(events)
    assert (begun.provider, begun.model, begun.profile) == ("demo", DEMO_MODEL, "caramelo")
    assert (begun.mode, begun.is_trusted, begun.format_version) == (ApprovalMode.EACH, False, 1)
    assert isinstance(events[-1], RunEnded)
    assert events[-1].ending is Ending.MAX_TURNS


async def call(options: CoreOptions, name: str, **arguments: str) -> str:
    core = build_core(options)
    try:
        tools = ToolsByHand(calls=core.pipeline, events=core.events, ids=core.ids)
        return (await tools.call(name, json.dumps(arguments))).result.text
    finally:
        await core.end_processes()


async def test_no_child_gets_a_key(tmp_path: Path) -> None:
    options = core_options(
        tmp_path,
        settings=Settings(key_env="MY_OWN", env_allow=("KEPT_TOKEN",)),
        environment={
            "ANTHROPIC_API_KEY": "s1",
            "OPENAI_API_KEY": "s2",
            "MY_OWN": "s3",
            "some_Password": "s4",
            "KEPT_TOKEN": "kept",
            "PLAIN": "plain",
        },
    )
    text = await call(options, "bash", command="env")
    assert not any(secret in text for secret in ("s1", "s2", "s3", "s4"))
    assert all(line in text for line in ("KEPT_TOKEN=kept", "PLAIN=plain", "CARAMELO=1"))


async def test_the_policy_knows_the_workspace_and_the_home_of_this_start(tmp_path: Path) -> None:
    options = core_options(tmp_path)
    home = options.environment["HOME"]
    assert "denied by the policy" in await call(options, "bash", command=f"rm -rf {home}")
    assert "denied by the policy" in await call(options, "bash", command="rm -rf ..")


async def test_before_images_are_kept_outside_the_workspace(tmp_path: Path) -> None:
    options = core_options(tmp_path)
    await call(options, "file_write", path="a.txt", content="new\n")
    kept = files_below(tmp_path / "state" / "checkpoints")
    assert kept
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in kept)
    assert [path.name for path in options.root.iterdir()] == ["a.txt"]


async def test_a_write_that_is_broken_off_between_its_steps_leaves_nothing(tmp_path: Path) -> None:
    def fail(step: WriteStep, _path: str) -> None:
        if step is WriteStep.RENAME:
            raise OSError(28, "No space left on device")

    options = replace(core_options(tmp_path), step_hook=fail)
    text = await call(options, "file_write", path="a.txt", content="new\n")
    assert "No space left on device" in text
    assert not list(options.root.iterdir())
