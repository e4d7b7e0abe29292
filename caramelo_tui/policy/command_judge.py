"""Judge a command line: each of its simple commands, and all of it.

Owns the order in which a command's findings count: what refuses beats what asks, and what asks
beats what is free. Pure. Proven by tests/unit/policy/test_command_judge.py and
tests/property/test_policy.py.
"""

import posixpath
import re
import shlex

from caramelo_tui.domain.decisions import Decision, Verdict
from caramelo_tui.domain.tool_calls import PreparedCall
from caramelo_tui.policy.blocked_commands import blocked_parts
from caramelo_tui.policy.dangers import dangers_of_command, dangers_of_part
from caramelo_tui.policy.findings import Finding, JudgedPart, Level
from caramelo_tui.policy.grants import SessionGrants
from caramelo_tui.policy.risk import risks_of_downloads, risks_of_part, risks_of_text
from caramelo_tui.policy.rules import PolicyRules
from caramelo_tui.policy.shell_commands import parse_command
from caramelo_tui.policy.shell_parts import SimpleCommand, Surroundings
from caramelo_tui.policy.shell_quotes import UNKNOWN

ALWAYS_ASKED_TOOL = "bash"
"""Asked in every mode, for each call; nothing that the policy knows lifts that."""
ALLOWED_REASON = "No rule speaks against this command."
_SHOWN_CHARS = 120
"""A reason names the command in one line; the whole of it stands elsewhere."""
_QUOTED = re.compile(r"[\s;&|<>()'\"]")
"""What parts words or commands unless it is quoted."""
_WHOLE = "(the whole command)"


class CommandJudge:
    """The rules for commands."""

    def __init__(
        self, *, surroundings: Surroundings, rules: PolicyRules, grants: SessionGrants
    ) -> None:
        self._surroundings = surroundings
        self._rules = rules
        self._grants = grants

    def decide(self, prepared: PreparedCall) -> Decision:
        """Return the decision on a call that runs a command."""
        line = prepared.command
        if line is None:
            return Decision(
                verdict=Verdict.DENY,
                reason="There is no command to judge.",
                rule="no command",
                code="unparseable",
            )
        decision = decision_on(self.judge(line.command, line.cwd))
        if prepared.call.name == ALWAYS_ASKED_TOOL and not decision.is_deny:
            return _asked_anyway(decision)
        return decision

    def judge(self, command: str, cwd: str) -> tuple[JudgedPart, ...]:
        """Return the parts of a command line with what was noticed about each.

        What concerns the command as a whole comes first, as a part of its own.

        Args:
            command: A command line for ``sh -c``.
            cwd: Workspace-relative start folder.
        """
        start = posixpath.normpath(posixpath.join(self._surroundings.root, cwd))
        parsed = parse_command(command, surroundings=self._surroundings, cwd=start)
        judged: list[JudgedPart] = []
        whole = (*dangers_of_command(parsed), *risks_of_text(command, parsed))
        if whole:
            judged.append(JudgedPart(text=_WHOLE, findings=whole, is_whole=True))
        downloads = risks_of_downloads(parsed.parts)
        rules = (*self._rules.blocked_commands, *self._grants.blocked_commands)
        blocked = blocked_parts(parsed.parts, rules)
        for number, part in enumerate(parsed.parts):
            findings = (
                *dangers_of_part(part, self._surroundings),
                *([blocked[number]] if number in blocked else []),
                *([downloads[number]] if number in downloads else []),
                *risks_of_part(part, self._surroundings, self._rules),
            )
            judged.append(JudgedPart(text=_text_of(part), findings=findings))
        return tuple(judged)


def decision_on(judged: tuple[JudgedPart, ...]) -> Decision:
    """Return what the parts of a command come to together, for a tool that may run unasked."""
    findings = [(part, finding) for part in judged for finding in part.findings]
    refused = next((pair for pair in findings if pair[1].level is Level.DENY), None)
    if refused is not None:
        part, finding = refused
        return Decision(
            verdict=Verdict.DENY,
            reason=f"Refused: {_one_line(part.text)}: it {finding.note}.",
            rule=finding.shown_rule,
            origin=finding.origin,
            code=finding.code,
        )
    asking = [finding for _, finding in findings if finding.is_ask]
    if asking:
        notes = dict.fromkeys(finding.note for finding in asking)
        return Decision(
            verdict=Verdict.ASK,
            reason=f"This command {'; '.join(notes)}.",
            rule=asking[0].shown_rule,
            origin=asking[0].origin,
            code=_code_of(asking),
        )
    return Decision(
        verdict=Verdict.ALLOW,
        reason=ALLOWED_REASON,
        rule="allowed by default",
        code="default_allow",
    )


def _code_of(asking: list[Finding]) -> str:
    is_unread = any(finding.code == "unparseable" for finding in asking)
    return "unparseable" if is_unread else asking[0].code


def _asked_anyway(decision: Decision) -> Decision:
    is_free = decision.is_allow
    return Decision(
        verdict=Verdict.ASK,
        reason="Commands are asked, each one." if is_free else decision.reason,
        rule="bash always asks",
        code="unparseable" if decision.code == "unparseable" else "bash",
    )


def _text_of(part: SimpleCommand) -> str:
    is_certain = all(word.is_certain for word in part.words)
    if (not is_certain and not part.is_inner) or not part.words:
        return part.source
    return " ".join(_shown_word(word.text) for word in part.words).replace(UNKNOWN, "…")


def _shown_word(text: str) -> str:
    """Return a word so that it reads as one: what it holds was quoted where it was written."""
    return shlex.quote(text) if not text or _QUOTED.search(text) else text


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN_CHARS else f"{line[: _SHOWN_CHARS - 1]}…"
