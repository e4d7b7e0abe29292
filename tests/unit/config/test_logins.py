"""What the login screens are answered, and where keys go."""

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from caramelo_tui.agent.login_port import COPILOT, FoundServer
from caramelo_tui.config.kept_keys import KeptKeys
from caramelo_tui.config.keyring_store import KeyringStore
from caramelo_tui.config.logins import Logins
from caramelo_tui.config.settings import ProviderName, Settings
from caramelo_tui.domain.errors import ProviderError
from tests.doubles import keyring_child
from tests.doubles.answers import one_answer
from tests.doubles.copilot_server import GITHUB_TOKEN, USER_CODE, CopilotServer


def logins_in(
    folder: Path,
    *,
    settings: Settings | None = None,
    environment: Mapping[str, str] | None = None,
    manner: str = "good",
) -> Logins:
    command = (sys.executable, "-m", keyring_child.__name__, manner, str(folder / "kept.json"))
    variables = {"HOME": str(folder), "PYTHONPATH": str(Path(__file__).parents[3])}
    store = KeyringStore({**variables, **(environment or {})}, command=command)
    return Logins(
        settings=settings or Settings(),
        environment=environment or {},
        keys=KeptKeys(store, ["openai", COPILOT]),
    )


def copilot_at(server: CopilotServer) -> Settings:
    return Settings(provider=ProviderName.COPILOT, base_url=server.url)


def test_providers_that_take_a_key_are_named_with_their_variable(tmp_path: Path) -> None:
    targets = logins_in(tmp_path, environment={"OPENAI_API_KEY": "x"}).key_targets
    by_name = {target.provider: target for target in targets}
    assert by_name["openai"].is_set
    assert by_name["anthropic"].variable == "ANTHROPIC_API_KEY"
    assert not by_name["anthropic"].is_set
    assert COPILOT not in by_name
    assert "ollama" not in by_name


async def test_a_typed_key_is_used_and_kept_only_when_asked(tmp_path: Path) -> None:
    logins = logins_in(tmp_path)
    assert await logins.take_key("openai", "  sk-typed\n", is_kept=False) == ""
    assert logins.keys.key_of("openai") == "sk-typed"
    assert not (tmp_path / "kept.json").exists()
    assert await logins.take_key("openai", "sk-other", is_kept=True) == ""
    assert "sk-other" in (tmp_path / "kept.json").read_text()


@pytest.mark.parametrize("text", ["", "  ", "two words", "grüße", "a\nb", "x" * 5000])
async def test_what_can_be_no_key_is_not_taken(text: str, tmp_path: Path) -> None:
    logins = logins_in(tmp_path)
    assert await logins.take_key("openai", text, is_kept=True)
    assert logins.keys.key_of("openai") == ""


async def test_a_keyring_that_keeps_nothing_leaves_the_key_in_the_session(tmp_path: Path) -> None:
    logins = logins_in(tmp_path, manner="weak")
    offer = await logins.find_keyring()
    assert not offer.is_usable
    assert await logins.take_key("openai", "sk-typed", is_kept=True) == offer.words
    assert logins.keys.key_of("openai") == "sk-typed"


async def test_a_copilot_login_is_used_at_once_and_lists_its_models(tmp_path: Path) -> None:
    async with CopilotServer() as server:
        server.interval_s = 1
        logins = logins_in(tmp_path, settings=copilot_at(server))
        taken: list[str] = []
        logins.keys.on_change(COPILOT, taken.append)
        code = await logins.begin_copilot()
        assert code.user_code == USER_CODE
        await logins.finish_copilot()
        assert taken == [GITHUB_TOKEN]
        assert await logins.keep_copilot() == ""
        models = await logins.models_of(COPILOT)
        assert [model.id for model in models] == ["gpt-test", "claude-test"]
        assert GITHUB_TOKEN not in repr(logins)


async def test_a_login_that_is_given_up_leaves_no_token(tmp_path: Path) -> None:
    async with CopilotServer() as server:
        logins = logins_in(tmp_path, settings=copilot_at(server))
        await logins.begin_copilot()
        waiting = asyncio.create_task(logins.finish_copilot())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert logins.keys.key_of(COPILOT) == ""
        with pytest.raises(ProviderError, match="No login has begun"):
            await logins.finish_copilot()


async def test_an_address_that_is_no_github_is_an_error_of_the_login(tmp_path: Path) -> None:
    settings = Settings(provider=ProviderName.COPILOT, base_url="ftp://x")
    with pytest.raises(ProviderError, match="https://"):
        await logins_in(tmp_path, settings=settings).begin_copilot()


async def test_servers_that_answer_are_passed_on(tmp_path: Path) -> None:
    server = FoundServer(provider="ollama", title="Ollama", address="http://127.0.0.1:1", models=())

    async def find() -> tuple[FoundServer, ...]:
        return (server,)

    logins = logins_in(tmp_path)
    logins.find = find
    assert await logins.find_servers() == (server,)


def test_a_model_is_asked_for_where_none_is_known(tmp_path: Path) -> None:
    assert logins_in(tmp_path).has_default_model("openai")
    assert not logins_in(tmp_path).has_default_model("copilot")
    assert logins_in(tmp_path, settings=Settings(model="m")).has_default_model("copilot")


async def test_a_provider_is_asked_for_its_models_with_its_key(tmp_path: Path) -> None:
    with one_answer("200 OK", '{"data": [{"id": "a"}]}') as server:
        settings = Settings(provider=ProviderName.GROQ, base_url=f"http://127.0.0.1:{server.port}")
        logins = logins_in(tmp_path, settings=settings, environment={"GROQ_API_KEY": "gsk-1"})
        assert [model.id for model in await logins.models_of("groq")] == ["a"]
        assert b"gsk-1" in server.seen


async def test_a_provider_that_cannot_be_asked_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match="GROQ_API_KEY"):
        await logins_in(tmp_path).models_of("groq")
