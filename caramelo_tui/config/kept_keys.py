"""Hold the keys behind environment and key command: the keyring's, then what was typed.

Owns the keys of this session, in memory only; nothing of them stands in a ``repr``, a file or a
variable. Proven by tests/unit/config/test_kept_keys.py.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from caramelo_tui.config.keyring_store import KeyringState, KeyringStore
from caramelo_tui.providers.presets import PRESETS


class Keyring(Protocol):
    """What is needed of a keyring; see ``keyring_store``."""

    @property
    def is_installed(self) -> bool:
        """Whether there may be one; quick."""
        ...

    def read(self, names: Sequence[str]) -> Mapping[str, str]:
        """Return the keys that are kept, by provider. Blocks."""
        ...

    def probe(self) -> KeyringState:
        """Say whether keys can be kept. Blocks."""
        ...

    def write(self, name: str, key: str) -> str:
        """Keep a key; returns why not. Blocks."""
        ...


def _hide_nothing(names: Collection[str]) -> None:
    """Leave all as it is: nobody is asked in a child process."""


class KeptKeys:
    """Keys of the keyring and of this session."""

    def __init__(
        self,
        keyring: Keyring,
        names: Sequence[str],
        *,
        hide: Callable[[Collection[str]], None] = _hide_nothing,
    ) -> None:
        """Set it up; nothing is asked yet.

        Args:
            keyring: Where keys may be kept.
            names: The providers whose keys are looked for, first choice first.
            hide: Keeps variables from whoever is asked for keys.
        """
        self.hide = hide
        self._keyring = keyring
        self._names = tuple(names)
        self._typed: dict[str, str] = {}
        self._seen: list[str] = []
        self._kept: Mapping[str, str] | None = None
        self._takers: dict[str, list[Callable[[str], None]]] = {}

    def key_of(self, provider: str) -> str:
        """Return a provider's key, empty where there is none. Blocks at the first look."""
        return self._read().get(provider, "") or self._typed.get(provider, "")

    @property
    def has_keyring(self) -> bool:
        """Whether there may be a keyring; nothing is asked to find out."""
        return self._keyring.is_installed

    @property
    def kept_names(self) -> tuple[str, ...]:
        """The providers whose keys the keyring holds. Blocks at the first look."""
        return tuple(self._read())

    @property
    def is_read(self) -> bool:
        """Whether the keyring was looked at, so that nothing waits for it any more."""
        return self._kept is not None or not self._keyring.is_installed

    def typed(self, provider: str) -> str:
        """Return what was given for a provider in this session, empty: nothing."""
        return self._typed.get(provider, "")

    def to_hide(self) -> Mapping[str, str]:
        """Return all keys under names of variables that look secret, to black them out.

        Keys that were replaced in the session are in it too; the keyring is not asked for it.
        """
        kept = {f"{name}_KEPT_KEY": key for name, key in (self._kept or {}).items()}
        return {**kept, **{f"TYPED_{number}_KEY": key for number, key in enumerate(self._seen)}}

    def first_provider(self) -> str | None:
        """Return the first provider that there is a key of. Blocks at the first look."""
        return next((name for name in self._names if self.key_of(name)), None)

    def use(self, provider: str, key: str) -> None:
        """Use a key in this session, also where it is in use already."""
        self._typed[provider] = key
        self._seen.append(key)
        # What was typed last is meant, until the keyring is read again at the next start.
        self._kept = {name: kept for name, kept in self._read().items() if name != provider}
        for take in self._takers.get(provider, ()):
            take(key)

    def probe(self) -> KeyringState:
        """Say whether keys can be kept; found out once. Blocks for some seconds at most."""
        return self._keyring.probe()

    def keep(self, provider: str) -> str:
        """Keep what is used in the keyring too; returns why not, empty: kept. Blocks."""
        return self._keyring.write(provider, self._typed.get(provider, ""))

    def on_change(self, provider: str, take: Callable[[str], None]) -> None:
        """Have each new key of a provider handed on."""
        self._takers.setdefault(provider, []).append(take)

    def _read(self) -> Mapping[str, str]:
        if self._kept is None:
            self._kept = self._keyring.read(self._names) if self._keyring.is_installed else {}
        return self._kept


def kept_keys(environment: Mapping[str, str]) -> KeptKeys:
    """Return the keys of this machine's keyring and of a new session; nothing is asked yet."""
    names = [name for name, preset in PRESETS.items() if preset.key_variables]
    keyring = KeyringStore(environment)
    return KeptKeys(keyring, names, hide=keyring.hide)
