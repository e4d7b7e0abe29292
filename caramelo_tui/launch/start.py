"""Prepare what every way of starting needs: the folder, its trust, and the settings.

Owns the order: nothing of a folder is read before it is known whether the user trusts it. Proven
by tests/unit/test_launch.py.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.command_line import CommonOptions
from caramelo_tui.config.kept_keys import KeptKeys, kept_keys
from caramelo_tui.config.loader import (
    LoadedSettings,
    SettingsSources,
    WorkspaceSource,
    load_settings,
)
from caramelo_tui.config.locations import Locations, home_or_root
from caramelo_tui.config.log_file import start_logging
from caramelo_tui.config.settings import Settings
from caramelo_tui.config.trust import TrustStore
from caramelo_tui.domain.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What is known of the user before a folder is looked at."""

    environment: Mapping[str, str]
    """The user's variables."""
    locations: Locations
    sources: SettingsSources
    """Where the user's settings come from; nothing is read yet."""
    trust: TrustStore
    keys: KeptKeys
    """Keys of the keyring and of this session; nothing is asked yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedFolder:
    """A folder to work in without a screen, and what holds there."""

    root: Path
    """Resolved."""
    is_trusted: bool
    loaded: LoadedSettings
    """With the folder's own, where it is trusted."""

    @property
    def settings(self) -> Settings:
        """What holds in the folder."""
        return self.loaded.settings


def begin(common: CommonOptions) -> Start:
    """Return what the common flags and the process say about the user.

    Raises:
        ConfigError: If no place for the program's own files can be found.
    """
    environment = dict(os.environ)
    locations = Locations.from_environment(environment)
    return Start(
        environment=environment,
        locations=locations,
        sources=SettingsSources(
            user_file=common.config_file or locations.config_file,
            is_file_required=common.config_file is not None,
            environment=environment,
            flags=common.flags,
        ),
        trust=TrustStore(locations.trust_file, home=home_or_root(environment)),
        keys=kept_keys(environment),
    )


def users_settings(start: Start) -> Settings:
    """Return the user's own settings and start the log.

    Raises:
        ConfigError: If something that the user set cannot be used.
    """
    settings = load_settings(start.sources).settings
    start_logging(start.locations.logs, is_debug=settings.is_debug)
    return settings


def open_folder(start: Start, common: CommonOptions, path: Path) -> OpenedFolder:
    """Return a folder with what holds in it, and start the log.

    Raises:
        ConfigError: If there is no such folder, it holds the program's own files, or something
            that the user set cannot be used.
    """
    root = workspace_root(path)
    keep_apart(root, start)
    is_trusted = start.trust.is_trusted_at_start(root, by_flag=common.is_trusted)
    loaded = load_settings(
        start.sources,
        WorkspaceSource(root=root, is_trusted=is_trusted, is_wanted=common.reads_workspace_config),
    )
    start_logging(start.locations.logs, is_debug=loaded.settings.is_debug)
    return OpenedFolder(root=root, is_trusted=is_trusted, loaded=loaded)


def workspace_root(path: Path) -> Path:
    """Return the resolved folder that is opened.

    Raises:
        ConfigError: If it does not exist or is no folder.
    """
    try:
        root = path.expanduser().resolve(strict=True)
        is_folder = root.is_dir()
    except FileNotFoundError as error:
        raise ConfigError(str(path), "", "there is no such folder") from error
    except (OSError, RuntimeError, ValueError) as error:
        raise ConfigError(str(path), "", f"cannot be opened ({error})") from error
    if not is_folder:
        raise ConfigError(str(path), "", "is no folder; name the folder to work in")
    if not os.access(root, os.R_OK | os.X_OK):
        raise ConfigError(str(path), "", "cannot be read (permission denied)")
    return root


def keep_apart(root: Path, start: Start) -> None:
    """Refuse a workspace that holds the program's own folders because a variable says so.

    Its files would then say what is trusted. Where the folders lie by default is let be: who
    opens the home folder or a part of it sees them there anyway.

    Raises:
        ConfigError: Naming the folder.
    """
    home = home_or_root(start.environment).resolve()
    if home.is_relative_to(root):
        return
    default = Locations.from_environment({"HOME": str(home)})
    for own, usual in (
        (start.locations.config, default.config),
        (start.locations.state, default.state),
    ):
        if own.resolve().is_relative_to(root) and own.resolve() != usual.resolve():
            raise ConfigError(
                str(own),
                "",
                f"holds Caramelo's own files and lies in the workspace {root}; let CARAMELO_HOME "
                "(or XDG_CONFIG_HOME and XDG_STATE_HOME) name a folder outside of it",
            )
