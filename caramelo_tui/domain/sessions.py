"""Describe stored sessions.

Owns the values that lists, pickers and exports of sessions are made of. Proven by
tests/unit/sessions/test_catalogue.py.
"""

from dataclasses import dataclass
from enum import StrEnum

from caramelo_tui.domain.errors import CarameloError
from caramelo_tui.domain.ids import SessionId
from caramelo_tui.domain.tool_calls import ToolResult


class SessionTrouble(CarameloError):
    """A stored session that cannot be found, read, taken up or exported; the text says why."""


class ExportForm(StrEnum):
    """What a session is exported as."""

    MARKDOWN = "md"
    JSON = "json"
    HTML = "html"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork:
    """A session that begins with what another one holds."""

    id: SessionId
    prompt: str = ""
    """The first prompt that it does not hold any more; empty when it holds all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCall:
    """What a session file holds of a call that ended."""

    arguments_json: str
    """As the model sent them; empty where the line is damaged."""
    result: ToolResult


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSummary:
    """One stored session of a workspace, as a list shows it."""

    id: SessionId
    started_at: float
    """Seconds since the Unix epoch, UTC; of the file when its header cannot be read."""
    active_at: float
    """When something last happened; same clock."""
    first_prompt: str = ""
    """What the user said first, unsafe as it is; empty when nothing was asked."""
    runs: int = 0
    """Prompts that were taken."""
    provider: str = ""
    """Of the last run."""
    model: str = ""
    """Of the last run."""
    size: int = 0
    """Bytes of the file."""
    is_empty: bool = False
    """Whether nothing was asked or run in it: the program was opened and left."""
    is_unended: bool = False
    """Whether a run has no end: the program stopped in the middle of it."""
    is_open: bool = False
    """Whether a running program writes it now."""
    problem: str = ""
    """What is wrong with the file, a sentence; empty for a sound one."""
    excerpt: str = ""
    """Where the words that were searched for stand; empty when none were."""
