"""What the user says of a model decides what its vendor is asked for."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from caramelo_tui.composition import AgentOptions, CoreOptions, build_agent
from caramelo_tui.config.credentials import Connection
from caramelo_tui.config.settings import ProviderName, Settings
from caramelo_tui.domain.agent_events import RunEnded
from caramelo_tui.providers.scenario import ScriptedTurn
from tests.doubles.cores import core_options
from tests.doubles.model_server import LoggedRequest, ModelServer


def options_in(folder: Path, provider: ProviderName, model: str, own: str) -> CoreOptions:
    folder.mkdir(exist_ok=True)
    options = core_options(folder, settings=Settings(provider=provider, model=model))
    options.locations.config.mkdir(parents=True, exist_ok=True)
    entry = f'[models.{provider}."{model}"]\n{own}'
    (options.locations.config / "models.toml").write_text(entry, "utf-8")
    return replace(options, is_trusted=True)


async def body_of(
    folder: Path, provider: ProviderName, model: str, own: str
) -> Mapping[str, object]:
    """Return the request that goes out for a prompt, with an entry of the user's own."""
    return (await requests_of(folder, provider, model, own))[-1].body


async def requests_of(
    folder: Path, provider: ProviderName, model: str, own: str, *, prompt: str = "go"
) -> list[LoggedRequest]:
    """Return the requests that go out for a prompt, with an entry of the user's own."""
    options = options_in(folder, provider, model, own)
    async with ModelServer([ScriptedTurn(text="ok")]) as server:
        connection = Connection(provider=provider, key="sk-a", base_url=server.url)
        agent = build_agent(
            AgentOptions(
                core=options,
                connection=connection,
                is_watched=False,
                keeps_session=False,
            )
        )
        agent.start()
        reader = agent.read_events()
        agent.submit(prompt)
        end = await anext(event async for event in reader if isinstance(event, RunEnded))
        await agent.close()
        assert end.error == ""
        return list(server.requests)


@pytest.mark.parametrize(
    ("field", "mark"),
    [("reasoning", '"thinking"'), ("caching", "cache_control"), ("tools", "input_schema")],
)
async def test_anthropic_is_asked_for_what_the_model_can_do(
    tmp_path: Path, field: str, mark: str
) -> None:
    for says, is_asked in (("true", True), ("false", False)):
        body = await body_of(
            tmp_path / says, ProviderName.ANTHROPIC, "claude-sonnet-5-5", f"{field} = {says}\n"
        )
        assert (mark in json.dumps(body)) is is_asked


async def test_the_responses_api_is_asked_for_reasoning_where_the_model_reasons(
    tmp_path: Path,
) -> None:
    for says, is_asked in (("true", True), ("false", False)):
        body = await body_of(
            tmp_path / says, ProviderName.OPENAI_RESPONSES, "gpt-5.4", f"reasoning = {says}\n"
        )
        assert ("reasoning" in body) is is_asked


async def test_the_limit_of_an_answer_is_the_users(tmp_path: Path) -> None:
    body = await body_of(
        tmp_path, ProviderName.ANTHROPIC, "claude-sonnet-5-5", "max_output_tokens = 777\n"
    )
    assert body["max_tokens"] == 777


@pytest.mark.parametrize(
    ("provider", "model", "paths"),
    [
        (
            ProviderName.ANTHROPIC,
            "claude-sonnet-5-5",
            ["/v1/messages/count_tokens", "/v1/messages"],
        ),
        (
            ProviderName.OPENAI_RESPONSES,
            "gpt-5.4",
            ["/v1/responses/input_tokens", "/v1/responses"],
        ),
        (ProviderName.OPENAI, "gpt-5.4", ["/v1/chat/completions"]),
    ],
)
async def test_a_large_paste_is_counted_by_the_vendor_that_can(
    tmp_path: Path, provider: ProviderName, model: str, paths: list[str]
) -> None:
    # The estimate lies above three quarters of the window, and below all of it.
    own = "context_window = 40000\nmax_output_tokens = 100\n"
    requests = await requests_of(tmp_path, provider, model, own, prompt="paste " * 17_000)
    assert [request.path for request in requests] == paths
