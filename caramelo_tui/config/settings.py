"""Hold the settings of one start, as typed values.

Owns the values and what they are when nobody sets them; where each comes from is the loader's
business. Proven by tests/unit/config/test_loader.py and tests/unit/config/test_settings.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.policy_settings import BUILT_IN, PolicySettings
from caramelo_tui.domain.profiles import CARAMELO, CORE
from caramelo_tui.domain.roles import RoleSettings
from caramelo_tui.domain.sandboxes import CommandSandbox
from caramelo_tui.domain.turn_limits import DEFAULT_TURNS, MAX_TURNS
from caramelo_tui.domain.web_settings import WebSettings
from caramelo_tui.providers.presets import PRESETS
from caramelo_tui.providers.transport_choice import Transport


class ProviderName(StrEnum):
    """The providers that can be chosen; what each is stands in ``providers/presets.py``."""

    ANTHROPIC = "anthropic"
    OPENAI = "openai"
    OPENAI_RESPONSES = "openai-responses"
    COPILOT = "copilot"
    GEMINI = "gemini"
    GROQ = "groq"
    OPENROUTER = "openrouter"
    MISTRAL = "mistral"
    DEEPSEEK = "deepseek"
    OLLAMA = "ollama"
    LMSTUDIO = "lmstudio"
    LLAMACPP = "llamacpp"
    VLLM = "vllm"
    CUSTOM = "custom"
    """Any compatible endpoint: its address is set, or it is a table ``[providers.NAME]``."""
    LOCAL = "local"
    DEMO = "demo"


BASE_URL_VARIABLES: Mapping[ProviderName, str] = MappingProxyType(
    {
        name: PRESETS[name].base_url_variable
        for name in ProviderName
        if PRESETS[name].base_url_variable
    }
)
"""The vendors' own endpoint variables."""

TOOL_NAMES = (
    *("file_read", "list_dir", "grep", "glob", "file_edit", "file_write", "bash"),
    *("read_file", "list_files", "search_codebase", "edit_file", "write_file", "run_command"),
    *("git_status", "git_diff", "git_commit", "git_log", "git_branch", "create_pull_request"),
    *("web_fetch", "spawn_subagent", "task_done"),
)
"""Names that ``tools.enable`` and ``tools.disable`` may hold: those of both profiles. Kept here
too, so that a wrong one is found without loading the tools; a test holds them together."""

DEFAULT_TURNS_OF: Mapping[str, int] = MappingProxyType({CARAMELO: DEFAULT_TURNS, CORE: MAX_TURNS})
"""Turns of one run by profile, when nothing is set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointTable:
    """The table ``[providers.NAME]``: an endpoint of the user's own, or what holds for a preset."""

    base_url: str | None = None
    """``None``: the preset's; an endpoint of the user's own must have one."""
    key_env: str | None = None
    """Variable that holds the key; ``None``: the preset's, or no key is sent."""
    key_command: tuple[str, ...] = ()
    """Program and arguments that print the key; empty: none."""
    model: str | None = None
    """Model taken when none is set."""
    like: ProviderName | None = None
    """The preset whose form it speaks; ``None``: plain Chat Completions."""


NO_TABLE = EndpointTable()
"""Nothing is said about an endpoint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of one start, merged over their layers."""

    provider: ProviderName | None = None
    """``None``: the one whose key is present. ``CUSTOM`` for an endpoint of the user's own."""
    endpoint_name: str = ""
    """Which of ``endpoints`` is used, when it is one of the user's own; else empty."""
    endpoints: Mapping[str, EndpointTable] = field(default_factory=dict[str, EndpointTable])
    """The tables ``[providers.NAME]``. Never from a workspace."""
    model: str | None = None
    """``None``: the catalogue's dated default."""
    base_url: str | None = None
    """Endpoint; ``None``: the vendor's."""
    key_env: str | None = None
    """Variable that holds the key; ``None``: the vendor's own."""
    key_command: tuple[str, ...] = ()
    """Program and arguments that print the key; empty: none. Never from a workspace."""
    transport: Transport = Transport.AUTO
    """What carries requests to endpoints."""
    roles: Mapping[str, RoleSettings] = field(default_factory=dict[str, RoleSettings])
    """What sub-agents of a role use; a role that is not in it uses the parent's model."""
    profile: str = CARAMELO
    enabled_tools: tuple[str, ...] = ()
    """Tools added to the offered list."""
    disabled_tools: tuple[str, ...] = ()
    """Tools taken off the offered list; wins over ``enabled_tools``."""
    run_command_output_kb: int = 64
    """Output of ``run_command`` that the model sees whole, in KB."""
    run_command_max_timeout_s: int = 600
    """Longest ``timeout`` that a ``run_command`` may ask for."""
    mode: ApprovalMode = ApprovalMode.REVIEW
    mode_origin: str = BUILT_IN
    """Where the mode was set: file and line, variable or flag."""
    policy: PolicySettings = field(default_factory=PolicySettings)
    web: WebSettings = field(default_factory=WebSettings)
    trusted_skills: tuple[str, ...] = ()
    """Skills whose tools run unasked; only the user's own file names them."""
    turns: int | None = None
    """Turns of one run, 3 to 50; ``None``: the profile's own number (``run_turns``)."""
    stall_s: float = 300.0
    """Seconds without a byte after which a stream is an error."""
    compact_at: float = 0.75
    """Part of the model's window at which the conversation is compacted."""
    checkpoint_days: int = 30
    """Days that a session's checkpoints are kept after its last change of a file."""
    checkpoint_mb: int = 512
    """Megabytes of all checkpoints together."""
    env_allow: tuple[str, ...] = ()
    """Variables handed to commands although their name looks like a secret."""
    sandbox: CommandSandbox = CommandSandbox.NONE
    """Where the model's commands run."""
    sandbox_has_network: bool = False
    """Whether they reach the network from a sandbox."""
    notifies: bool = True
    """Whether the terminal is told, by bell and notification, that something waits or ended."""
    theme: str | None = None
    """``None``: the default, or the one without colours where ``NO_COLOR`` is set."""
    is_linear: bool = False
    """Whether the app is written line by line instead of drawn."""
    is_debug: bool = False
    """Whether the log holds debug lines."""

    def provider_called(self, name: str) -> tuple[ProviderName, str] | None:
        """Return the provider of a name, and the user's own endpoint where it is one.

        Returns:
            ``None`` when nothing is called so.
        """
        if name in PRESETS:
            return ProviderName(name), ""
        return (ProviderName.CUSTOM, name) if name in self.endpoints else None

    @property
    def table(self) -> EndpointTable:
        """What ``[providers.NAME]`` says of the provider in use; empty when there is no table."""
        name = self.endpoint_name or (self.provider.value if self.provider else "")
        return self.endpoints.get(name, NO_TABLE)

    @property
    def run_turns(self) -> int:
        """Turns of one run: those that are set, else the profile's own number."""
        return DEFAULT_TURNS_OF[self.profile] if self.turns is None else self.turns


def variables_named_by(settings: Settings) -> frozenset[str]:
    """Return the variables that settings name as holders of a key."""
    named = (settings.key_env, *(table.key_env for table in settings.endpoints.values()))
    return frozenset(name for name in named if name)
