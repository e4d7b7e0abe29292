"""A double of logins and keys for the screens."""

import asyncio
from dataclasses import dataclass, field

from caramelo_tui.agent.login_port import (
    FoundServer,
    KeyringOffer,
    KeyTarget,
    LoginCode,
    OfferedModel,
)
from caramelo_tui.domain.errors import ProviderError

NO_KEYRING = KeyringOffer(is_usable=False, words="the extra is not installed")
KEYRING = KeyringOffer(is_usable=True, words="SecretService.Keyring")
TARGETS = (
    KeyTarget(provider="anthropic", title="Anthropic", variable="ANTHROPIC_API_KEY", is_set=False),
    KeyTarget(provider="openai", title="OpenAI", variable="OPENAI_API_KEY", is_set=False),
    KeyTarget(provider="groq", title="Groq", variable="GROQ_API_KEY", is_set=False),
)


@dataclass(slots=True)
class FakeLogin:
    """Answers as it is told, and remembers what it was given."""

    key_targets: tuple[KeyTarget, ...] = TARGETS
    servers: tuple[FoundServer, ...] = ()
    keyring: KeyringOffer = NO_KEYRING
    problem: str = ""
    """Why the next key is not taken; said once."""
    refusals: list[ProviderError] = field(default_factory=list[ProviderError])
    """How logins end, in order; then one succeeds."""
    models: tuple[OfferedModel, ...] = ()
    known: frozenset[str] = frozenset({"anthropic", "openai"})
    """Providers with a default model."""
    typed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the person typed the code in their browser."""
    taken: list[tuple[str, str, bool]] = field(default_factory=list[tuple[str, str, bool]])
    begun: int = 0
    given_up: int = 0
    kept_copilot: int = 0

    async def find_servers(self) -> tuple[FoundServer, ...]:
        return self.servers

    async def find_keyring(self) -> KeyringOffer:
        return self.keyring

    async def take_key(self, provider: str, key: str, *, is_kept: bool) -> str:
        problem, self.problem = self.problem, ""
        if not problem:
            self.taken.append((provider, key, is_kept))
        return problem

    async def begin_copilot(self) -> LoginCode:
        self.begun += 1
        return LoginCode(user_code="WDJB-MJHT", address="https://github.com/login/device")

    async def finish_copilot(self) -> None:
        if self.refusals:
            raise self.refusals.pop(0)
        try:
            await self.typed.wait()
        except asyncio.CancelledError:
            self.given_up += 1
            raise

    async def keep_copilot(self) -> str:
        self.kept_copilot += 1
        return ""

    async def models_of(self, provider: str) -> tuple[OfferedModel, ...]:
        return self.models if provider == "copilot" else ()

    def has_default_model(self, provider: str) -> bool:
        return provider in self.known
