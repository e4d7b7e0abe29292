"""Decide on actions: commits, branches, requests, skills, sub-agents.

Owns one rule for each kind of action. Pure. Proven by tests/unit/policy/test_actions.py.
"""

from typing import assert_never

from caramelo_tui.domain.decisions import ApprovalMode, Decision, Verdict
from caramelo_tui.domain.policy_settings import BUILT_IN
from caramelo_tui.domain.profiles import CORE
from caramelo_tui.domain.tool_calls import Action, ActionKind, PreparedCall
from caramelo_tui.policy.ledger import DiffLedger


class ActionRules:
    """The rules for actions of one session."""

    def __init__(self, *, profile: str, ledger: DiffLedger) -> None:
        self._profile = profile
        self._ledger = ledger

    def decide(
        self, prepared: PreparedCall, *, mode: ApprovalMode, mode_origin: str, pending_lines: int
    ) -> Decision:
        """Return the decision on a call with another effect than reads, writes and commands.

        Args:
            prepared: The call; one without an action asks.
            mode: The approval mode; not ``plan``.
            mode_origin: Who chose the mode.
            pending_lines: Changed lines of this turn's earlier writes that are not booked yet;
                they are by the time that a commit runs.
        """
        action = prepared.action
        if action is None:
            reason = "This call has effects outside the files of the workspace."
            return _ask(reason, "other effects ask", "mode")
        match action.kind:
            case ActionKind.COMMIT:
                decision = self._commit(pending_lines)
            case ActionKind.BRANCH:
                decision = _branch(mode, mode_origin)
            case ActionKind.PULL_REQUEST:
                reason = "A pull request changes what others see, so it always asks."
                decision = _ask(reason, "create_pull_request always asks", "remote_write")
            case ActionKind.FETCH:
                decision = _fetch(action)
            case ActionKind.SKILL:
                decision = _skill(action)
            case ActionKind.DELEGATE:
                reason = "What a sub-agent does is decided call by call."
                decision = _allow(reason, "sub-agents are allowed", "delegate")
            case ActionKind.FINISH:
                decision = finishing()
            case _:
                assert_never(action.kind)
        return decision

    def _commit(self, pending_lines: int) -> Decision:
        if self._profile != CORE:
            return _ask("A commit asks, each one.", "git_commit always asks", "git_write")
        limit = self._ledger.limits.ask_above
        changed = self._ledger.changed_lines + pending_lines
        if limit is not None and changed > limit.lines:
            return _ask(
                f"The session has changed {changed} lines; above {limit.lines} "
                f"({limit.origin}) a commit asks.",
                f"require_approval_above = {limit.lines}",
                "approval_threshold",
                limit.origin,
            )
        reason = f"The session has changed {changed} lines, which is not above the limit."
        return _allow(reason, "git_commit below require_approval_above", "git_write")


def finishing() -> Decision:
    """Return the decision on the end of a run, which is allowed in every mode."""
    return _allow("Ending the run is allowed.", "task_done is allowed", "finish")


def _branch(mode: ApprovalMode, mode_origin: str) -> Decision:
    if mode is ApprovalMode.AUTO:
        reason = "Mode auto allows to create and switch branches."
        return _allow(reason, "mode auto", "git_write", mode_origin)
    reason = f"Creating or switching a branch asks in mode {mode.value}."
    return _ask(reason, "git_branch asks", "git_write")


def _fetch(action: Action) -> Decision:
    if action.asks_because:
        return _ask(action.asks_because, "web_fetch asks", "network")
    return _allow("Plain requests to the web are allowed.", "web_fetch is allowed", "network")


def _skill(action: Action) -> Decision:
    if action.asks_because:
        return _ask(action.asks_because, "tools of skills ask", "skill")
    reason = "The user's own configuration trusts this skill."
    return _allow(reason, "trusted skill", "skill")


def _ask(reason: str, rule: str, code: str, origin: str = BUILT_IN) -> Decision:
    return Decision(verdict=Verdict.ASK, reason=reason, rule=rule, origin=origin, code=code)


def _allow(reason: str, rule: str, code: str, origin: str = BUILT_IN) -> Decision:
    return Decision(verdict=Verdict.ALLOW, reason=reason, rule=rule, origin=origin, code=code)
