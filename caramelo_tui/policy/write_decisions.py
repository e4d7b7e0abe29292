"""Decide on writes: protected paths, limits, grants, modes.

Owns the rules for calls that write files. Every rule that speaks is heard, and the strictest
one decides: deny beats ask beats allow. Pure. Proven by tests/unit/policy/test_writes.py and
tests/property/test_policy.py.
"""

from collections.abc import Iterator

from caramelo_tui.domain.decisions import ApprovalMode, Decision, Verdict
from caramelo_tui.domain.policy_settings import THIS_SESSION, LineLimit
from caramelo_tui.domain.tool_calls import PreparedCall
from caramelo_tui.policy.grants import SessionGrants
from caramelo_tui.policy.ledger import DiffLedger
from caramelo_tui.policy.rules import PolicyRules, is_in_git_folder

_STRICTNESS = (Verdict.DENY, Verdict.ASK)
HOW_TO_GO_ON = (
    "The user can raise the limit or reset the count, with the key at this denial or from the "
    "command palette."
)


class WriteRules:
    """The rules for writes of one session."""

    def __init__(self, *, rules: PolicyRules, ledger: DiffLedger, grants: SessionGrants) -> None:
        self._rules = rules
        self._ledger = ledger
        self._grants = grants

    def decide(
        self, prepared: PreparedCall, *, mode: ApprovalMode, mode_origin: str, pending_lines: int
    ) -> Decision:
        """Return the decision on a call that writes files.

        Args:
            prepared: The call with its proposal.
            mode: The approval mode; not ``plan``.
            mode_origin: Who chose the mode.
            pending_lines: Changed lines of this turn's earlier writes that are not booked yet.
        """
        paths = _paths_of(prepared)
        strict = [
            *self._protected(paths),
            *self._limited(prepared, pending_lines),
            *_linked(prepared),
        ]
        for verdict in _STRICTNESS:
            for decision in strict:
                if decision.verdict is verdict:
                    return decision
        return self._by_mode(paths, mode, mode_origin)

    def _protected(self, paths: tuple[str, ...]) -> Iterator[Decision]:
        for path in paths:
            if is_in_git_folder(path):
                yield Decision(
                    verdict=Verdict.DENY,
                    reason=f"{path} lies in git's own folder, which file tools may not write.",
                    rule="protected path .git/**",
                    code="git_dir",
                )
            elif rule := self._rules.protecting(path):
                is_denied = self._rules.denies_protected
                verb = "may not be written" if is_denied else "always asks"
                yield Decision(
                    verdict=Verdict.DENY if is_denied else Verdict.ASK,
                    reason=f"{path} is protected ({rule.text}) and {verb}.",
                    rule=self._rules.said_of(rule),
                    origin=rule.origin,
                    code="protected_path",
                )

    def _limited(self, prepared: PreparedCall, pending_lines: int) -> Iterator[Decision]:
        proposal = prepared.proposal
        if proposal is None or proposal.before == proposal.after:
            return
        lines = proposal.added_lines + proposal.removed_lines
        projected = self._ledger.changed_lines + pending_lines + lines
        limits = self._ledger.limits
        if limits.deny_above is not None and projected > limits.deny_above.lines:
            reason = f"{_projection(projected, lines, limits.deny_above)}. {HOW_TO_GO_ON}"
            yield _by_limit(Verdict.DENY, reason, "max_diff_lines", limits.deny_above)
        elif limits.ask_above is not None and projected > limits.ask_above.lines:
            reason = f"{_projection(projected, lines, limits.ask_above)}, so it asks."
            yield _by_limit(Verdict.ASK, reason, "require_approval_above", limits.ask_above)

    def _by_mode(self, paths: tuple[str, ...], mode: ApprovalMode, mode_origin: str) -> Decision:
        if mode is ApprovalMode.AUTO:
            return Decision(
                verdict=Verdict.ALLOW,
                reason="Mode auto allows writes.",
                rule="mode auto",
                origin=mode_origin,
                code="mode",
            )
        granted = [self._grants.covering(path) for path in paths]
        if granted and granted[0] is not None and None not in granted:
            return Decision(
                verdict=Verdict.ALLOW,
                reason=f"The user granted writes to {granted[0]} for this session.",
                rule=f"granted {granted[0]}",
                origin=THIS_SESSION,
                code="grant",
            )
        return Decision(
            verdict=Verdict.ASK,
            reason=f"Mode {mode.value} reviews writes.",
            rule=f"mode {mode.value}",
            origin=mode_origin,
            code="mode",
        )


def _paths_of(prepared: PreparedCall) -> tuple[str, ...]:
    # The path as asked counts too: a protected name may be a link to a free one.
    proposal = prepared.proposal
    named = (proposal.path, proposal.shown_path) if proposal is not None else ()
    return tuple(dict.fromkeys((*prepared.paths, *named)))


def _linked(prepared: PreparedCall) -> Iterator[Decision]:
    proposal = prepared.proposal
    if proposal is not None and proposal.hard_links > 1:
        yield Decision(
            verdict=Verdict.ASK,
            reason=f"{proposal.path} has {proposal.hard_links} names (hard links): the others "
            "keep the old content.",
            rule="files with several names ask",
            code="hard_links",
        )


def _projection(projected: int, lines: int, limit: LineLimit) -> str:
    return (
        f"With the {lines} lines of this write the session would have changed {projected}; "
        f"the limit is {limit.lines} ({limit.origin})"
    )


def _by_limit(verdict: Verdict, reason: str, name: str, limit: LineLimit) -> Decision:
    is_denied = verdict is Verdict.DENY
    return Decision(
        verdict=verdict,
        reason=reason,
        rule=f"{name} = {limit.lines}",
        origin=limit.origin,
        code="diff_limit" if is_denied else "approval_threshold",
    )
