"""Say whether a call may run, and by which rule.

Owns decisions and the approval modes. Proven by tests/unit/policy/.
"""

from dataclasses import dataclass
from enum import StrEnum


class ApprovalMode(StrEnum):
    """How much is asked; the long names are accepted everywhere (``parse``)."""

    PLAN = "plan"
    REVIEW = "review"
    EACH = "each"
    AUTO = "auto"

    @classmethod
    def parse(cls, text: str) -> "ApprovalMode":
        """Return the mode of a short or long name.

        Raises:
            ValueError: If the name is unknown; the message lists the allowed ones.
        """
        name = _LONG_MODE_NAMES.get(text, text)
        if name not in {mode.value for mode in cls}:
            allowed = ", ".join([*(mode.value for mode in cls), *_LONG_MODE_NAMES])
            msg = f"unknown mode {text!r}; allowed: {allowed}"
            raise ValueError(msg)
        return cls(name)


_LONG_MODE_NAMES = {
    "auto-reads-batched-writes": "review",
    "per-call": "each",
    "auto-all": "auto",
}


class Verdict(StrEnum):
    """The three answers of the policy."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The policy's answer for one prepared call."""

    verdict: Verdict
    reason: str
    """One sentence for the user and the model."""
    rule: str
    """Which rule decided, such as ``bash always asks`` or ``protected path .env*``."""
    origin: str = "built in"
    """Where the rule came from: ``built in``, or file and line."""
    code: str = ""
    """Stable short kind of the rule: ``read``, ``mode``, ``grant``, ``protected_path``,
    ``git_dir``, ``hard_links``, ``diff_limit``, ``approval_threshold``; for actions ``git_write``,
    ``remote_write``, ``network``, ``skill``, ``delegate``, ``finish``; for commands ``bash``,
    ``default_allow``, ``blocked_command``, ``dangerous_command``, ``unparseable``, and the kinds of
    risk, such as ``package_install``."""

    @property
    def is_allow(self) -> bool:
        """Whether the call may run unasked."""
        return self.verdict is Verdict.ALLOW

    @property
    def is_ask(self) -> bool:
        """Whether the user is asked."""
        return self.verdict is Verdict.ASK

    @property
    def is_deny(self) -> bool:
        """Whether the call is refused."""
        return self.verdict is Verdict.DENY


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteGrant:
    """Writes that the user may let pass for the rest of the session."""

    pattern: str
    """Workspace-relative, such as ``src/**``; ``**`` is every file."""
    covers: str
    """What it would match, in plain words, such as ``every file below src``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandPart:
    """One simple command found in a command line, for the approval and ``policy test``."""

    text: str
    """The part after quote removal, as the shell would run it, or its source where unknown."""
    risks: tuple[str, ...] = ()
    """Plain-language notes such as ``removes files recursively``; empty when harmless."""
