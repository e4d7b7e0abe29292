"""Decide whether a prepared call may run: allow, ask or deny, and by which rule.

Owns the order of the rules: deny beats ask beats allow. Pure: it reads no file, asks nobody
and remembers nothing. It is a guard rail, not a sandbox (docs/policy.md). Proven by
tests/unit/policy/test_engine.py and tests/property/test_policy.py.
"""

import os
import posixpath
from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.domain.decisions import ApprovalMode, CommandPart, Decision, Verdict
from caramelo_tui.domain.tool_calls import Effect, PreparedCall
from caramelo_tui.policy.blocked_commands import blocked_parts
from caramelo_tui.policy.dangers import dangers_of_command, dangers_of_part
from caramelo_tui.policy.findings import Finding, Level
from caramelo_tui.policy.risk import risks_of_downloads, risks_of_part, risks_of_text
from caramelo_tui.policy.rules import PolicyRules, ProtectedAction, is_in_git_folder
from caramelo_tui.policy.shell_commands import parse_command
from caramelo_tui.policy.shell_parts import SimpleCommand, Surroundings
from caramelo_tui.policy.shell_quotes import UNKNOWN

ALWAYS_ASKED_TOOL = "bash"
"""Asked in every mode, for each call; nothing that the policy knows lifts that."""
_SHOWN_CHARS = 120
"""A reason names the command in one line; the whole of it stands elsewhere."""
_WHOLE = "(the whole command)"


@dataclass(frozen=True, slots=True, kw_only=True)
class _JudgedPart:
    """A part of a command with what was noticed about it."""

    text: str
    findings: tuple[Finding, ...]


class PolicyEngine:
    """The rules of one session."""

    def __init__(
        self,
        *,
        root: Path | None = None,
        home: Path | None = None,
        rules: PolicyRules | None = None,
    ) -> None:
        """Wire.

        Args:
            root: The workspace, links resolved; the current folder by default.
            home: The user's home; the system's answer by default.
            rules: What the user configured.
        """
        self._surroundings = Surroundings(
            root=os.fspath(root or Path.cwd()), home=os.fspath(home or Path.home())
        )
        self._rules = rules or PolicyRules()

    def decide(self, prepared: PreparedCall, *, mode: ApprovalMode) -> Decision:
        """Return the decision on one prepared call; the same call is always decided the same."""
        if prepared.effect is Effect.READ:
            return _decision(Verdict.ALLOW, "Reading is allowed.", "reads are allowed", "read")
        if mode is ApprovalMode.PLAN:
            return _decision(
                Verdict.DENY,
                "Mode plan only reads: this call is not offered until the plan is carried out.",
                "mode plan",
                "mode",
            )
        if prepared.effect is Effect.COMMAND:
            return self._decide_command(prepared)
        if prepared.effect is Effect.WRITE:
            return self._decide_write(prepared, mode)
        return _decision(
            Verdict.ASK,
            "This call has effects outside the files of the workspace.",
            "other effects ask",
            "mode",
        )

    def explain(self, command: str, *, cwd: str = ".") -> tuple[CommandPart, ...]:
        """Return the parts of a command with plain-language risks; never raises.

        What concerns the command as a whole comes first, as a part of its own.

        Args:
            command: A command line for ``sh -c``.
            cwd: Workspace-relative start folder.
        """
        return tuple(
            CommandPart(text=part.text, risks=tuple(finding.note for finding in part.findings))
            for part in self._judge(command, cwd)
        )

    # -- commands

    def _decide_command(self, prepared: PreparedCall) -> Decision:
        line = prepared.command
        if line is None:
            return _decision(
                Verdict.DENY, "There is no command to judge.", "no command", "unparseable"
            )
        judged = self._judge(line.command, line.cwd)
        findings = [(part, finding) for part in judged for finding in part.findings]
        worst = max(findings, key=lambda pair: pair[1].level, default=None)
        if worst is not None and worst[1].level is Level.DENY:
            part, finding = worst
            return _decision(
                Verdict.DENY,
                f"Refused: {_one_line(part.text)} — it {finding.note}.",
                f"{finding.code.replace('_', ' ')}: {finding.note}",
                finding.code,
            )
        asking = [finding for _, finding in findings if finding.level is Level.ASK]
        if prepared.call.name == ALWAYS_ASKED_TOOL:
            return _ask_command("bash always asks", "bash", asking)
        if asking:
            return _ask_command(asking[0].note, asking[0].code, asking)
        return _decision(
            Verdict.ALLOW,
            "No rule speaks against this command.",
            "allowed by default",
            "default_allow",
        )

    def _judge(self, command: str, cwd: str) -> list[_JudgedPart]:
        start = posixpath.normpath(posixpath.join(self._surroundings.root, cwd))
        parsed = parse_command(command, surroundings=self._surroundings, cwd=start)
        judged: list[_JudgedPart] = []
        whole = [*dangers_of_command(parsed), *risks_of_text(command, parsed)]
        if whole:
            judged.append(_JudgedPart(text=_WHOLE, findings=tuple(whole)))
        downloads = risks_of_downloads(parsed.parts)
        blocked = blocked_parts(parsed.parts, self._rules.blocked_commands)
        for number, part in enumerate(parsed.parts):
            findings = [
                *dangers_of_part(part, self._surroundings),
                *([blocked[number]] if number in blocked else []),
                *([downloads[number]] if number in downloads else []),
                *risks_of_part(part, self._surroundings, self._rules),
            ]
            judged.append(_JudgedPart(text=_text_of(part), findings=tuple(findings)))
        return judged

    # -- writes

    def _decide_write(self, prepared: PreparedCall, mode: ApprovalMode) -> Decision:
        # The path as asked counts too: a protected name may be a link to a free one.
        proposal = prepared.proposal
        named = (proposal.path, proposal.shown_path) if proposal is not None else ()
        paths = tuple(dict.fromkeys((*prepared.paths, *named)))
        for path in paths:
            if is_in_git_folder(path):
                return _decision(
                    Verdict.DENY,
                    f"{path} lies in git's own folder, which file tools may not write.",
                    "protected path .git/**",
                    "git_dir",
                )
        protected = [(path, self._rules.protecting(path)) for path in paths]
        for path, pattern in protected:
            if pattern is not None:
                return self._decide_protected(path, pattern)
        if proposal is not None and proposal.hard_links > 1:
            return _decision(
                Verdict.ASK,
                f"{proposal.path} has {proposal.hard_links} names (hard links): the others keep "
                "the old content.",
                "files with several names ask",
                "hard_links",
            )
        if mode is ApprovalMode.AUTO:
            return _decision(Verdict.ALLOW, "Mode auto allows writes.", "mode auto", "mode")
        return _decision(
            Verdict.ASK, f"Mode {mode.value} reviews writes.", f"mode {mode.value}", "mode"
        )

    def _decide_protected(self, path: str, pattern: str) -> Decision:
        is_denied = self._rules.protected_action is ProtectedAction.DENY
        verb = "may not be written" if is_denied else "always asks"
        return _decision(
            Verdict.DENY if is_denied else Verdict.ASK,
            f"{path} is protected ({pattern}) and {verb}.",
            f"protected path {pattern}",
            "protected_path",
        )


def _decision(verdict: Verdict, reason: str, rule: str, code: str) -> Decision:
    return Decision(verdict=verdict, reason=reason, rule=rule, code=code)


def _ask_command(rule: str, code: str, asking: list[Finding]) -> Decision:
    notes = list(dict.fromkeys(finding.note for finding in asking))
    reason = f"This command {'; '.join(notes)}." if notes else "Commands are asked, each one."
    is_unread = any(finding.code == "unparseable" for finding in asking)
    return _decision(Verdict.ASK, reason, rule, "unparseable" if is_unread else code)


def _text_of(part: SimpleCommand) -> str:
    is_certain = all(word.is_certain for word in part.words)
    if (not is_certain and not part.is_inner) or not part.words:
        return part.source
    return " ".join(word.text for word in part.words).replace(UNKNOWN, "…")


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN_CHARS else f"{line[: _SHOWN_CHARS - 1]}…"
