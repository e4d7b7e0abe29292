"""Decide whether a prepared call may run: allow, ask or deny, and by which rule.

Owns which rules are asked for which effect, and mode ``plan``. It reads no file and asks nobody;
what it remembers are the session's ledger and grants, which it only reads. It is a guard rail,
not a sandbox (docs/policy.md). Proven by tests/unit/policy/test_engine.py and
tests/property/test_policy.py.
"""

from pathlib import Path
from typing import assert_never

from caramelo_tui.domain.decisions import ApprovalMode, CommandPart, Decision, Verdict
from caramelo_tui.domain.policy_settings import BUILT_IN, PolicySettings
from caramelo_tui.domain.profiles import CARAMELO
from caramelo_tui.domain.tool_calls import ActionKind, Effect, PreparedCall
from caramelo_tui.policy.action_decisions import ActionRules, finishing
from caramelo_tui.policy.command_judge import CommandJudge
from caramelo_tui.policy.findings import JudgedPart
from caramelo_tui.policy.grants import SessionGrants
from caramelo_tui.policy.ledger import DiffLedger
from caramelo_tui.policy.rules import PolicyRules
from caramelo_tui.policy.shell_parts import Surroundings
from caramelo_tui.policy.write_decisions import WriteRules

_NO_SETTINGS = PolicySettings()


class PolicyEngine:
    """The rules of one session; sub-agents share the one of their parent."""

    def __init__(
        self,
        *,
        root: Path | None = None,
        home: Path | None = None,
        profile: str = CARAMELO,
        settings: PolicySettings = _NO_SETTINGS,
        ledger: DiffLedger | None = None,
        grants: SessionGrants | None = None,
    ) -> None:
        """Wire.

        Args:
            root: The workspace, links resolved; the current folder by default.
            home: The user's home; the system's answer by default.
            profile: Name of the tool profile.
            settings: What the user configured.
            ledger: The session's count of changed lines; a new one by default.
            grants: What the user lets pass or blocks this session; none by default.
        """
        rules = PolicyRules(settings)
        self.ledger = ledger or DiffLedger(settings, profile=profile)
        self.grants = grants or SessionGrants(root=root, home=home)
        self._commands = CommandJudge(
            surroundings=Surroundings.of(root=root, home=home), rules=rules, grants=self.grants
        )
        self._writes = WriteRules(rules=rules, ledger=self.ledger, grants=self.grants)
        self._actions = ActionRules(profile=profile, ledger=self.ledger)

    def decide(
        self,
        prepared: PreparedCall,
        *,
        mode: ApprovalMode,
        pending_lines: int = 0,
        mode_origin: str = BUILT_IN,
    ) -> Decision:
        """Return the decision on one prepared call.

        The same call is decided the same as long as the ledger and the grants stay as they are.

        Args:
            prepared: The call as it will be shown and run.
            mode: The approval mode in force.
            pending_lines: Changed lines of this turn's earlier writes that are not booked yet.
            mode_origin: Who chose the mode, for decisions that it makes.
        """
        if prepared.effect is Effect.READ:
            return Decision(
                verdict=Verdict.ALLOW,
                reason="Reading is allowed.",
                rule="reads are allowed",
                code="read",
            )
        if mode is ApprovalMode.PLAN:
            return _planned(prepared, mode_origin)
        match prepared.effect:
            case Effect.COMMAND:
                return self._commands.decide(prepared)
            case Effect.WRITE:
                return self._writes.decide(
                    prepared, mode=mode, mode_origin=mode_origin, pending_lines=pending_lines
                )
            case Effect.OTHER:
                return self._actions.decide(
                    prepared, mode=mode, mode_origin=mode_origin, pending_lines=pending_lines
                )
            case _:
                assert_never(prepared.effect)

    def explain(self, command: str, *, cwd: str = ".") -> tuple[CommandPart, ...]:
        """Return the parts of a command with plain-language risks; never raises.

        What concerns the command as a whole comes first, as a part of its own.

        Args:
            command: A command line for ``sh -c``.
            cwd: Workspace-relative start folder.
        """
        return tuple(
            CommandPart(text=part.text, risks=tuple(finding.note for finding in part.findings))
            for part in self.judge(command, cwd=cwd)
        )

    def judge(self, command: str, *, cwd: str = ".") -> tuple[JudgedPart, ...]:
        """Return the parts of a command with every finding, its rule and origin; never raises.

        ``decision_on`` of ``command_judge`` says what they come to together.

        Args:
            command: A command line for ``sh -c``.
            cwd: Workspace-relative start folder.
        """
        return self._commands.judge(command, cwd)


def _planned(prepared: PreparedCall, mode_origin: str) -> Decision:
    if prepared.action is not None and prepared.action.kind is ActionKind.FINISH:
        return finishing()
    return Decision(
        verdict=Verdict.DENY,
        reason="Mode plan only reads: this call is not offered until the plan is carried out.",
        rule="mode plan",
        origin=mode_origin,
        code="mode",
    )
