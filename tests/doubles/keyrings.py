"""A keyring in memory."""

from collections.abc import Mapping, Sequence

from caramelo_tui.config.keyring_store import KeyringState


class FakeKeyring:
    """Keeps keys in a dict, and counts how often it is read."""

    def __init__(self, kept: Mapping[str, str] | None = None, *, is_installed: bool = True) -> None:
        self.is_installed = is_installed
        self.kept = dict(kept or {})
        self.reads = 0

    def read(self, names: Sequence[str]) -> Mapping[str, str]:
        """Return what is kept of the names."""
        self.reads += 1
        return {name: key for name, key in self.kept.items() if name in names}

    def probe(self) -> KeyringState:
        """Say that it keeps keys, where it is installed."""
        return KeyringState(is_usable=self.is_installed, backend="fake", problem="")

    def write(self, name: str, key: str) -> str:
        """Keep a key."""
        self.kept[name] = key
        return ""
