"""A session goes from one vendor to another and back, over the vendors' own wires."""

import json
from dataclasses import replace
from pathlib import Path

from caramelo_tui.composition import AgentOptions, build_agent
from caramelo_tui.config.credentials import Connection
from caramelo_tui.config.settings import ProviderName, Settings
from caramelo_tui.domain.agent_events import ModelChanged, RunEnded
from caramelo_tui.providers.scenario import ScriptedCall, ScriptedTurn
from tests.doubles.cores import core_options
from tests.doubles.model_server import ModelServer

CLAUDE = "claude-sonnet-5-5"
TURNS = (
    ScriptedTurn(thinking="hm", calls=(ScriptedCall.of("list_dir", {"path": "."}),)),
    ScriptedTurn(thinking="aha", text="first"),
    ScriptedTurn(calls=(ScriptedCall.of("list_dir", {"path": "."}),)),
    ScriptedTurn(text="second"),
    ScriptedTurn(text="third"),
    ScriptedTurn(text="fourth"),
)


async def test_each_vendor_gets_valid_requests_and_no_thinking_of_another(tmp_path: Path) -> None:
    async with ModelServer(TURNS) as server:
        options = core_options(
            tmp_path,
            settings=Settings(provider=ProviderName.ANTHROPIC, model=CLAUDE),
            environment={"OPENAI_API_KEY": "sk-o", "OPENAI_BASE_URL": server.url},
        )
        agent = build_agent(
            AgentOptions(
                core=replace(options, is_trusted=True),
                connection=Connection(
                    provider=ProviderName.ANTHROPIC, key="sk-a", base_url=server.url
                ),
                is_watched=False,
                keeps_session=False,
            )
        )
        agent.start()
        reader = agent.read_events()
        try:
            ends: list[str] = []
            changes: list[str] = []
            for provider, model in (
                ("anthropic", CLAUDE),
                ("openai", "gpt-5.4"),
                ("anthropic", CLAUDE),
                ("openai-responses", "gpt-5.4"),
            ):
                assert await agent.models.choose(provider, model) == ""
                agent.submit("go")
                async for event in reader:
                    if isinstance(event, ModelChanged):
                        changes.append(event.provider)
                    if isinstance(event, RunEnded):
                        assert event.error == ""
                        ends.append(event.text)
                        break
        finally:
            await agent.close()

    bodies = [json.dumps(request.body) for request in server.requests]
    assert ends == ["first", "second", "third", "fourth"]
    assert changes == ["openai", "anthropic", "openai-responses"]
    assert [request.path for request in server.requests] == [
        "/v1/messages",
        "/v1/messages",
        "/v1/chat/completions",
        "/v1/chat/completions",
        "/v1/messages",
        "/v1/responses",
    ]
    # Its own thinking goes back to the vendor that made it, within the run that needs it.
    assert "signature" in bodies[1]
    for body in bodies[2:]:
        assert "signature" not in body
        assert "aha" not in body
    # What was said and done is all there.
    assert bodies[-1].count("list_dir") >= 2
    assert all(word in bodies[-1] for word in ("first", "second", "third"))
