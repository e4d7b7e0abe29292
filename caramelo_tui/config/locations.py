"""Say where the program keeps its own files.

Owns the folder layout: everything under ``$CARAMELO_HOME`` if set,
else the XDG folders. Creates folders private to the user. Never a place inside a workspace.
Proven by tests/unit/config/test_locations.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.domain.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class Locations:
    """Absolute paths of the program's own files; nothing is created by construction."""

    config: Path
    """Folder of ``config.toml``, ``keys.toml``, ``trust.json`` and ``themes/``."""
    state: Path
    """Folder of ``sessions/``, ``checkpoints/``, ``logs/``, ``history/`` and ``layouts/``."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Locations":
        """Return the folders that ``environment`` asks for.

        Relative values of the XDG variables are ignored, as their specification demands
        (XDG Base Directory Specification 0.8).

        Raises:
            ConfigError: If no home folder can be found, or the current folder is gone and the
                asked one is relative to it.
        """
        own = environment.get("CARAMELO_HOME")
        if own:
            try:
                home = Path(own).expanduser().absolute()
            except (OSError, RuntimeError) as error:
                raise ConfigError("CARAMELO_HOME", "", f"cannot be used ({error})") from error
            return cls(config=home, state=home)
        user = home_folder(environment)
        return cls(
            config=_xdg(environment, "XDG_CONFIG_HOME", user / ".config") / "caramelo",
            state=_xdg(environment, "XDG_STATE_HOME", user / ".local" / "state") / "caramelo",
        )

    @property
    def config_file(self) -> Path:
        """The user's configuration."""
        return self.config / "config.toml"

    @property
    def trust_file(self) -> Path:
        """Which folders the user trusts."""
        return self.config / "trust.json"

    @property
    def themes(self) -> Path:
        """The user's own themes."""
        return self.config / "themes"

    @property
    def sessions(self) -> Path:
        """Session files."""
        return self.state / "sessions"

    @property
    def checkpoints(self) -> Path:
        """Before-images of changed files."""
        return self.state / "checkpoints"

    @property
    def logs(self) -> Path:
        """Log files."""
        return self.state / "logs"

    @property
    def history(self) -> Path:
        """Prompt histories."""
        return self.state / "history"

    @property
    def layouts(self) -> Path:
        """Sizes of the panes."""
        return self.state / "layouts"

    @property
    def keys_file(self) -> Path:
        """The user's own keys."""
        return self.config / "keys.toml"


def home_folder(environment: Mapping[str, str]) -> Path:
    """Return the user's home folder, absolute.

    Raises:
        ConfigError: If there is none.
    """
    try:
        return Path(environment.get("HOME") or Path.home()).absolute()
    except (OSError, RuntimeError) as error:
        raise ConfigError(
            "HOME", "", "is not set, and no home folder is known; set HOME or CARAMELO_HOME"
        ) from error


def home_or_root(environment: Mapping[str, str]) -> Path:
    """Return the user's home folder, ``/`` where none is known: what is guarded at least."""
    try:
        return home_folder(environment)
    except ConfigError:
        return Path("/")


def _xdg(environment: Mapping[str, str], name: str, default: Path) -> Path:
    value = Path(environment.get(name) or "")
    return value if value.is_absolute() else default
