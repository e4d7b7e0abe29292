"""Let the user change what the policy asks for, for the rest of the session.

Owns the user's side of write grants, block rules and the count of changed lines, and the event
that shows the count. Implements ``RulesPort``; decides nothing. Proven by
tests/unit/agent/test_session_rules.py.
"""

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.rules_port import SessionRule
from caramelo_tui.domain.agent_events import DiffCounted, NoticeLevel
from caramelo_tui.domain.decisions import WriteGrant
from caramelo_tui.policy.blocked_commands import described_entry, is_entry
from caramelo_tui.policy.grants import SessionGrants
from caramelo_tui.policy.ledger import DiffLedger


def block_meaning(pattern: str) -> str:
    """Return what a rule that blocks commands refuses, as a sentence for the user."""
    if not is_entry(pattern):
        return "An unfinished rule refuses nothing."
    return f"Refuses {described_entry(pattern)}."


class SessionRules:
    """What the user allowed or blocked since the start."""

    def __init__(self, *, grants: SessionGrants, ledger: DiffLedger, events: EventStream) -> None:
        """Wire it; the ledger's changes are events from now on."""
        self._grants = grants
        self._ledger = ledger
        self._events = events
        self._has_reported = False
        ledger.on_change = self.report_lines

    def write_grants(self, path: str) -> tuple[WriteGrant, ...]:
        """Return what may be granted at a write of ``path``, narrowest first."""
        return self._grants.offers(path)

    def grant_writes(self, pattern: str, *, path: str) -> str:
        """Ask no more about writes that match, this session.

        Returns:
            Why it was not taken; empty: taken.
        """
        try:
            self._grants.grant(pattern, path=path)
        except ValueError as error:
            return str(error)
        self._say(f"Writes of {pattern} are not asked any more in this session.")
        return ""

    def block_commands(self, pattern: str, *, command: str) -> str:
        """Refuse commands that match, this session.

        Returns:
            Why it was not taken; empty: taken.
        """
        try:
            self._grants.block(pattern, command=command)
        except ValueError as error:
            return str(error)
        self._say(f"Commands that match {pattern} are refused in this session.")
        return ""

    def block_meaning(self, pattern: str) -> str:
        """Return what such a rule would refuse, as a sentence; any text may be asked about."""
        return block_meaning(pattern)

    @property
    def made(self) -> tuple[SessionRule, ...]:
        """Grants and blocks in force: grants first, each kind in order."""
        grants = [
            SessionRule(
                pattern=pattern,
                meaning="Writes that match are not asked about.",
                is_block=False,
            )
            for pattern in self._grants.patterns
        ]
        blocks = [
            SessionRule(pattern=rule.text, meaning=block_meaning(rule.text), is_block=True)
            for rule in self._grants.blocked_commands
        ]
        return (*grants, *blocks)

    def take_back(self, rule: SessionRule) -> bool:
        """End a rule; ``False`` when it is not in force."""
        pattern, end = rule.pattern, self._grants.unblock if rule.is_block else self._grants.revoke
        if not end(pattern):
            return False
        if rule.is_block:
            self._say(f"Commands that match {pattern} are not refused by this session any more.")
        else:
            self._say(f"Writes of {pattern} are asked about again.")
        return True

    def raise_limits(self) -> None:
        """Raise both limits of changed lines by their configured size."""
        limits = self._ledger.limits
        if limits.deny_above is None and limits.ask_above is None:
            self._say("There is no limit of changed lines.")
            return
        self._ledger.raise_limits()
        self._say("The limits of changed lines are raised.")

    def reset_lines(self) -> None:
        """Count changed lines from zero again."""
        self._ledger.reset()
        self._say("Changed lines are counted from zero.")

    def report_limits(self) -> None:
        """Emit the count once, where a limit is set and nothing was said of it yet."""
        limits = self._ledger.limits
        if not self._has_reported and (limits.deny_above or limits.ask_above):
            self.report_lines()

    def report_lines(self) -> None:
        """Emit the count and the limits as they are."""
        if self._events.is_closed:
            return
        self._has_reported = True
        ledger, limits = self._ledger, self._ledger.limits
        self._events.emit(
            lambda head: DiffCounted(
                head=head,
                changed_lines=ledger.changed_lines,
                deny_above=limits.deny_above.lines if limits.deny_above else None,
                ask_above=limits.ask_above.lines if limits.ask_above else None,
            )
        )

    def _say(self, text: str) -> None:
        self._events.raise_notice(NoticeLevel.INFO, text)
