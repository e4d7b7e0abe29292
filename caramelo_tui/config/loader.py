"""Load the settings of one start: defaults, user file, workspace file, variables, flags.

Owns which files are looked at and in which order. A wrong value of the user's is an error that
names file, line, key and what is allowed; what is wrong in a workspace's file is a note, and the
user's settings hold: a project cannot keep its user from opening it. ``.env`` files are never
read. Proven by tests/unit/config/test_loader.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from caramelo_tui.config import readers
from caramelo_tui.config.locations import home_or_root
from caramelo_tui.config.merging import Layers, NotTaken, Sourced
from caramelo_tui.config.settings import BASE_URL_VARIABLES, Settings
from caramelo_tui.config.toml_file import read_user_file, read_workspace_file
from caramelo_tui.domain.errors import ConfigError

WORKSPACE_FILE = ".caramelo/config.toml"
"""The workspace's own configuration, relative to its root."""
MOST_NOTES = 5
"""Notes about a workspace's file at a start; ``caramelo config show`` has all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsSources:
    """The user's own sources; they hold in every workspace."""

    user_file: Path
    """The user's ``config.toml``, or the file given by ``--config``."""
    is_file_required: bool
    """Whether a missing file is an error."""
    environment: Mapping[str, str]
    """The process's variables."""
    flags: Mapping[str, str | None]
    """Flag (such as ``--model``) to its text; ``None`` or absent: not given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceSource:
    """A workspace whose own file may be read."""

    root: Path
    is_trusted: bool
    """An untrusted workspace's file is not read."""
    is_wanted: bool = True
    """``False``: ``--no-workspace-config``."""


class FileState(StrEnum):
    """What became of a file that was looked at."""

    READ = "read"
    MISSING = "does not exist"
    UNTRUSTED = "not read: the folder is not trusted"
    UNWANTED = "not read: --no-workspace-config"
    UNUSABLE = "not taken: it cannot be used"


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedAt:
    """A file that may hold settings."""

    path: Path
    """Absolute."""
    state: FileState


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedSettings:
    """The settings of one start and where they came from."""

    settings: Settings
    provenance: Mapping[str, Sourced]
    """What was set, by dotted key (``CARAMELO_DEBUG`` for what has none); the rest is default."""
    not_taken: tuple[NotTaken, ...]
    """What of the workspace's file has no effect."""
    files: tuple[LookedAt, ...]
    """The files that were looked at, in order; a later one was laid over the ones before."""
    vendor_endpoints: Mapping[str, str]
    """The vendors' own endpoint variables that are set, with their addresses; they hold where no
    endpoint is set. An address that cannot be used is not repeated."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the start: what of the workspace's file has no effect, and why."""
        notes = tuple(problem.note for problem in self.not_taken[:MOST_NOTES])
        more = len(self.not_taken) - len(notes)
        return (*notes, f"{more} more: see `caramelo config show`.") if more else notes


def load_settings(
    sources: SettingsSources, workspace: WorkspaceSource | None = None
) -> LoadedSettings:
    """Return the settings that the user's sources and the workspace's file amount to.

    Args:
        sources: Where the user's settings come from.
        workspace: The opened folder; ``None``: before it is known whether it is trusted.

    Raises:
        ConfigError: If something that the user set cannot be used; it names file and line,
            variable or flag, the key, and what is allowed. Never because of the workspace.
    """
    rows = read_user_file(
        sources.user_file,
        shown=shown_path(sources.user_file, sources.environment),
        is_required=sources.is_file_required,
    )
    layers = Layers()
    layers.lay_user_file(rows)
    user_file = sources.user_file.absolute()
    state = FileState.READ if user_file.exists() else FileState.MISSING
    files = [LookedAt(path=user_file, state=state)]
    if workspace is not None:
        # What is stricter depends on the profile, which later layers may choose.
        users_own = Layers()
        users_own.lay_user_file(rows)
        users_own.lay_outer(sources.environment, sources.flags)
        files.append(_lay_workspace(layers, workspace, profile=users_own.profile()))
    layers.lay_outer(sources.environment, sources.flags)
    return LoadedSettings(
        settings=layers.settings(),
        provenance=dict(layers.values),
        not_taken=layers.not_taken,
        files=tuple(files),
        vendor_endpoints=_vendor_endpoints(sources.environment),
    )


def shown_path(path: Path, environment: Mapping[str, str]) -> str:
    """Return a path as it is shown: below the home folder with ``~``."""
    home = home_or_root(environment)
    absolute = path.absolute()
    is_below = absolute.is_relative_to(home) and home != Path(home.anchor)
    return f"~/{absolute.relative_to(home)}" if is_below else str(path)


def _lay_workspace(layers: Layers, workspace: WorkspaceSource, *, profile: str) -> LookedAt:
    path = workspace.root / WORKSPACE_FILE
    if not workspace.is_wanted:
        return LookedAt(path=path, state=FileState.UNWANTED)
    if not workspace.is_trusted:
        return LookedAt(path=path, state=FileState.UNTRUSTED)
    try:
        rows = read_workspace_file(workspace.root, WORKSPACE_FILE)
    except ConfigError as error:
        layers.refuse(origin=error.source, name="", why=error.problem)
        return LookedAt(path=path, state=FileState.UNUSABLE)
    if rows is None:
        return LookedAt(path=path, state=FileState.MISSING)
    layers.lay_workspace_file(rows, profile=profile)
    return LookedAt(path=path, state=FileState.READ)


def _vendor_endpoints(environment: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for variable in BASE_URL_VARIABLES.values():
        text = environment.get(variable, "").strip()
        if text:
            try:
                found[variable] = readers.base_url(text)
            except ValueError:
                # What cannot be used may be a key in the wrong place; who uses it says why.
                found[variable] = "(cannot be used)"
    return found
