"""A key or a login of this session reaches the models that use it."""

from pathlib import Path

from caramelo_tui.composition.models import ConfiguredModels
from caramelo_tui.config.credentials import find_connection
from caramelo_tui.config.kept_keys import KeptKeys
from caramelo_tui.config.settings import ProviderName, Settings
from caramelo_tui.domain.errors import AuthenticationFailed
from caramelo_tui.providers.scenario import ScriptedTurn
from tests.doubles.copilot_server import GITHUB_TOKEN, CopilotServer
from tests.doubles.keyrings import FakeKeyring
from tests.doubles.model_server_clients import hear, request_of

NAMES = ["anthropic", "openai", "groq", "copilot"]


def models_of(settings: Settings, keys: KeptKeys) -> ConfiguredModels:
    environment = {"HOME": str(Path.home())}
    connection = find_connection(settings, environment, kept=keys)
    return ConfiguredModels(settings, connection, environment, kept=keys)


async def test_a_later_key_builds_the_provider_anew() -> None:
    keys = KeptKeys(FakeKeyring({"openai": "old"}), NAMES)
    models = models_of(Settings(provider=ProviderName.OPENAI, model="m"), keys)
    before = models.build("openai", "m").provider
    assert models.build("openai", "m").provider is before
    keys.use("openai", "new")
    assert models.build("openai", "m").provider is not before
    await models.close()


async def test_a_key_that_is_typed_makes_a_provider_usable() -> None:
    keys = KeptKeys(FakeKeyring({"openai": "k"}), NAMES)
    models = models_of(Settings(provider=ProviderName.OPENAI, model="m"), keys)
    assert "GROQ_API_KEY" in models.missing("groq")
    keys.use("groq", "gsk")
    assert models.missing("groq") == ""
    assert models.build("groq", "llama").model == "llama"
    await models.close()


async def test_a_list_does_not_wait_for_the_keyring() -> None:
    keyring = FakeKeyring({"groq": "kept"})
    keys = KeptKeys(keyring, NAMES)
    settings = Settings(provider=ProviderName.OPENAI, model="m", base_url="http://127.0.0.1:1/v1")
    models = models_of(settings, keys)
    assert models.missing("groq")
    assert keyring.reads == 0
    assert models.build("groq", "llama").model == "llama"
    assert keyring.reads == 1
    await models.close()


async def test_a_new_login_reaches_the_copilot_that_is_in_use() -> None:
    async with CopilotServer([ScriptedTurn(text="hello")] * 2) as server:
        keys = KeptKeys(FakeKeyring({"copilot": "gho_revoked"}), NAMES)
        settings = Settings(provider=ProviderName.COPILOT, model="gpt-test", base_url=server.url)
        models = models_of(settings, keys)
        provider = models.main.provider
        assert isinstance((await hear(provider, request_of())).error, AuthenticationFailed)
        keys.use("copilot", GITHUB_TOKEN)
        assert (await hear(provider, request_of())).message.text == "hello"
        assert await models.served("copilot") == ("gpt-test", "claude-test")
        await models.close()
        await provider.close()
