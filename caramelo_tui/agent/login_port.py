"""What a screen may ask about logins and keys.

Owns the protocol and its values; a key goes in and never comes out. Who keeps keys, and where,
is behind it. Proven by tests/unit/config/test_logins.py and tests/pilot/test_login.py.
"""

from dataclasses import dataclass
from typing import Protocol

COPILOT = "copilot"
"""Provider that is logged in to with a code instead of a key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyTarget:
    """A provider that takes a key."""

    provider: str
    """Name as in the configuration."""
    title: str
    """Name in sentences."""
    variable: str
    """Variable that would hold its key."""
    is_set: bool
    """Whether that variable is set: a key that is typed would not be used then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundServer:
    """A model server that answers on this machine."""

    provider: str
    title: str
    address: str
    models: tuple[str, ...]
    """Models that it offers; may be empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginCode:
    """What is typed in the browser, and where."""

    user_code: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedModel:
    """A model that can be asked for."""

    id: str
    words: str
    """What is known of it: its name, its price in prompts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyringOffer:
    """Whether this machine can keep a key."""

    is_usable: bool
    words: str
    """Name of the keyring, or why there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenModel:
    """Whom to work with after a login."""

    provider: str
    model: str | None = None
    """``None``: the provider's default."""
    base_url: str | None = None
    """Address of a server that was found; ``None``: the provider's."""


class LoginPort(Protocol):
    """Keys and logins of this session."""

    @property
    def key_targets(self) -> tuple[KeyTarget, ...]:
        """The providers that take a key, in the order in which they are looked for."""
        ...

    async def find_servers(self) -> tuple[FoundServer, ...]:
        """Return the model servers that answer on loopback now; takes a second at most."""
        ...

    async def find_keyring(self) -> KeyringOffer:
        """Say whether keys can be kept; found out once, and takes some seconds at most."""
        ...

    async def take_key(self, provider: str, key: str, *, is_kept: bool) -> str:
        """Use a key that was typed, in this session.

        Args:
            provider: One of ``key_targets``.
            key: As typed.
            is_kept: Keep it in the keyring too.

        Returns:
            Why it was not taken or not kept; empty: all is done.
        """
        ...

    async def begin_copilot(self) -> LoginCode:
        """Begin a login to GitHub Copilot; raises ``ProviderError`` where none can begin."""
        ...

    async def finish_copilot(self) -> None:
        """Wait until the code was typed, then use the login; raises ``ProviderError``.

        Cancelled, the login is given up.
        """
        ...

    async def keep_copilot(self) -> str:
        """Keep the login in the keyring; returns why not, empty: it is kept."""
        ...

    async def models_of(self, provider: str) -> tuple[OfferedModel, ...]:
        """Return the models that a provider lists; empty where it lists none."""
        ...

    def has_default_model(self, provider: str) -> bool:
        """Whether a model is set or known that is used when none is chosen."""
        ...
