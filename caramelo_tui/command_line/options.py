"""Hold what the user asked for on the command line.

Owns the values only; they are neither read nor checked here. Proven by
tests/unit/test_command_line.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class ApproveFlag(StrEnum):
    """What ``caramelo tool`` approves by itself."""

    NONE = "none"
    WRITES = "writes"
    ALL = "all"


class ShapeFlag(StrEnum):
    """For whom ``caramelo tools`` prints the schemas."""

    NEUTRAL = "neutral"
    ANTHROPIC = "anthropic"
    OPENAI = "openai"
    COPILOT = "copilot"


LAST_SESSION = "last"
"""Names the folder's last session where an id is expected."""


class SessionAction(StrEnum):
    """What ``caramelo sessions`` does; to go on with one is the app's."""

    LIST = "list"
    SHOW = "show"
    EXPORT = "export"


class ExportFlag(StrEnum):
    """What a session is exported as."""

    MARKDOWN = "md"
    JSON = "json"
    HTML = "html"


class ConfigReport(StrEnum):
    """What ``caramelo config`` prints."""

    SHOW = "show"
    """Every value with where it came from."""
    PATH = "path"
    """The files that were looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonOptions:
    """Flags that all ways of starting share."""

    flags: Mapping[str, str | None]
    """Setting flags (``--model`` …) to their text; ``None``: not given."""
    config_file: Path | None
    reads_workspace_config: bool
    is_trusted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AppOptions:
    """Open the app."""

    common: CommonOptions
    path: Path
    prompt: str | None
    is_demo: bool = False
    is_linear: bool = False
    """Write it line by line instead of drawing it."""
    session: str | None = None
    """The stored session to go on with, by the begin of its id or ``last``; empty: the user
    picks one; ``None``: a new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """Show the app in a browser."""

    app: AppOptions
    app_arguments: tuple[str, ...]
    """The words that ``app`` was read from; each session is started with them."""
    host: str
    port: int
    """0: any free one."""

    @property
    def common(self) -> CommonOptions:
        """The flags that all ways of starting share."""
        return self.app.common


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """One prompt without a screen."""

    common: CommonOptions
    prompt: str | None
    """``None``: read it from standard input."""
    is_json: bool
    is_quiet: bool
    approves_all: bool
    allowed_commands: tuple[str, ...]
    approver: str | None
    """Program that is asked what the other flags do not answer; as it was typed."""
    allows_refusals: bool
    max_turns: int | None
    timeout_s: float | None
    keeps_session: bool
    session: str | None = None
    """The stored session to go on with, by the begin of its id or ``last``; ``None``: a new
    one."""
    images: tuple[str, ...] = ()
    """Paths of images that go with the prompt, as they were typed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOptions:
    """Run tools by hand."""

    common: CommonOptions
    name: str | None
    """``None``: read calls from standard input."""
    arguments_json: str
    workspace: Path
    approve: ApproveFlag


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsOptions:
    """Print the offered tools."""

    common: CommonOptions
    shape: ShapeFlag | None
    """``None``: a plain listing for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyOptions:
    """Print how the policy decides on a command, which is not run."""

    common: CommonOptions
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigOptions:
    """Print the configuration."""

    common: CommonOptions
    report: ConfigReport


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorOptions:
    """Check whether everything is in place."""

    common: CommonOptions
    is_json: bool
    is_online: bool = False
    """Ask the endpoint, the key command and the keyring too."""
    is_bundled: bool = False
    """Gather a bug report instead of printing what was found."""
    bundle: Path | None = None
    """The report's file; ``None``: a new one in the current folder."""
    is_agreed: bool = False
    """Write the report without a question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionsOptions:
    """List, show or export stored sessions."""

    common: CommonOptions
    action: SessionAction
    session: str
    """The begin of an id, or ``last``; empty for the list."""
    workspace: Path
    words: str
    """Only sessions in which all of them were said; empty: all sessions."""
    is_json: bool
    form: ExportFlag
    output: Path | None
    """``None``: standard output."""


Options = (
    AppOptions
    | RunOptions
    | ToolOptions
    | ToolsOptions
    | ServeOptions
    | PolicyOptions
    | ConfigOptions
    | DoctorOptions
    | SessionsOptions
)
"""What the user asked for."""
