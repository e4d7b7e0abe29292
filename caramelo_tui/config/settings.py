"""Hold the settings of one start, as typed values.

Owns the value and its allowed texts; where each comes from is the loader's business.
Proven by tests/unit/config/test_loader.py.
"""

from dataclasses import dataclass
from enum import StrEnum

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.turn_limits import DEFAULT_TURNS


class ProviderName(StrEnum):
    """The providers that can be chosen."""

    ANTHROPIC = "anthropic"
    OPENAI = "openai"
    DEMO = "demo"


TOOL_NAMES = ("file_read", "list_dir", "grep", "glob", "file_edit", "file_write", "bash")
"""Names that ``tools.disable`` may hold. Kept here too, so that a wrong one is found without
loading the tools; a test holds it against the profile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of one start, merged over their layers."""

    provider: ProviderName | None = None
    """``None``: the one whose key is present."""
    model: str | None = None
    """``None``: the catalogue's dated default."""
    base_url: str | None = None
    """Endpoint; ``None``: the vendor's."""
    key_env: str | None = None
    """Variable that holds the key; ``None``: the vendor's own."""
    profile: str = "caramelo"
    mode: ApprovalMode = ApprovalMode.REVIEW
    disabled_tools: tuple[str, ...] = ()
    """Tools taken off the offered list."""
    turns: int = DEFAULT_TURNS
    """Turns of one run, 3 to 50."""
    stall_s: float = 300.0
    """Seconds without a byte after which a stream is an error."""
    env_allow: tuple[str, ...] = ()
    """Variables handed to commands although their name looks like a secret."""
    theme: str | None = None
    """``None``: the default, or the one without colours where ``NO_COLOR`` is set."""
    is_debug: bool = False
    """Whether the log holds debug lines."""
