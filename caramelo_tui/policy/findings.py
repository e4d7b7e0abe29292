"""Say what was noticed about a command, and by which rule.

Owns the values; the rules that make them are in ``dangers``, ``risk`` and
``blocked_commands``. Proven by tests/unit/policy/test_findings.py.
"""

from dataclasses import dataclass
from enum import IntEnum

from caramelo_tui.domain.decisions import Verdict
from caramelo_tui.domain.policy_settings import BUILT_IN


class Level(IntEnum):
    """How much a finding weighs; the heaviest one decides."""

    NOTE = 1
    """Shown to who decides; decides nothing."""
    ASK = 2
    """Not without a person."""
    DENY = 3
    """Not at all."""


VERDICTS = {Level.NOTE: Verdict.ALLOW, Level.ASK: Verdict.ASK, Level.DENY: Verdict.DENY}
"""What a finding decides when it is the heaviest one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing worth knowing about a command."""

    code: str
    """Stable short kind, such as ``recursive_remove``."""
    note: str
    """In plain words, completing "this command …"."""
    level: Level = Level.ASK
    rule: str = ""
    """The rule, where it is another text than the note."""
    origin: str = BUILT_IN
    """Who wrote the rule down."""

    @property
    def shown_rule(self) -> str:
        """The rule in one line."""
        if self.rule:
            return self.rule
        return f"{self.code.replace('_', ' ')}: {self.note}" if self.is_deny else self.note

    @property
    def is_deny(self) -> bool:
        """Whether it refuses the command."""
        return self.level is Level.DENY

    @property
    def is_ask(self) -> bool:
        """Whether it wants a person."""
        return self.level is Level.ASK


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPart:
    """A part of a command with what was noticed about it."""

    text: str
    """The part after quote removal where that is known, else as it stands."""
    findings: tuple[Finding, ...] = ()
    """The heaviest first where it decides."""
    is_whole: bool = False
    """Whether it stands for the command line as a whole."""

    @property
    def heaviest(self) -> Finding | None:
        """The finding that decides, if there is any."""
        return max(self.findings, key=lambda finding: finding.level, default=None)

    @property
    def verdict(self) -> Verdict:
        """What the part by itself comes to."""
        heaviest = self.heaviest
        return Verdict.ALLOW if heaviest is None else VERDICTS[heaviest.level]
