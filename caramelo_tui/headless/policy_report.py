"""Say how the policy decides on a command, part by part: ``caramelo policy test``.

Owns the wording only; nothing is run. Every character that hides or only looks like another is
shown as its number. Proven by tests/unit/headless/test_policy_report.py.
"""

from caramelo_tui.domain.decisions import Decision, Verdict
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.policy.command_judge import decision_on
from caramelo_tui.policy.engine import PolicyEngine
from caramelo_tui.policy.findings import VERDICTS, Finding, JudgedPart

_WIDTH = max(len(verdict.value) for verdict in Verdict)
_INDENT = " " * (_WIDTH + 2)
BASH_NOTE = "bash asks for each command anyhow, in every mode, and refuses what is refused here."


def policy_report(engine: PolicyEngine, command: str, cwd: str = ".") -> str:
    """Return the parts of a command with the decision and rule of each, and the whole decision.

    Args:
        engine: The rules that would decide.
        command: A command line for ``sh -c``; it is not run.
        cwd: Workspace-relative folder in which it would start.

    Returns:
        Lines that end in a line feed. The first one shows the command.
    """
    judged = engine.judge(command, cwd=cwd)
    lines = [f"command: {_shown(command)}", f"starts in: {_shown(cwd)}", ""]
    if not judged:
        lines.extend(["nothing that would run", ""])
    for part in judged:
        lines.extend(_part_lines(part))
    lines.extend(["", *_decision_lines(decision_on(judged)), BASH_NOTE])
    return "\n".join(lines) + "\n"


def _part_lines(part: JudgedPart) -> list[str]:
    lines = [f"{part.verdict.value:<{_WIDTH}}  {_shown(part.text)}"]
    lines.extend(_finding_line(finding) for finding in part.findings)
    if not part.findings:
        lines.append(f"{_INDENT}- no rule speaks against it")
    return lines


def _finding_line(finding: Finding) -> str:
    verdict = VERDICTS[finding.level]
    kind = "note" if verdict is Verdict.ALLOW else verdict.value
    rule = finding.shown_rule
    told = f"{finding.note} [{rule}; {finding.origin}]"
    if rule == finding.note:
        told = f"{finding.note} [{finding.origin}]"
    return f"{_INDENT}- {kind}: {_shown(told)}"


def _decision_lines(decision: Decision) -> list[str]:
    return [
        f"run_command: {decision.verdict.value}",
        f"  rule: {_shown(decision.rule)} ({_shown(decision.origin)})",
        f"  reason: {_shown(decision.reason)}",
    ]


def _shown(text: str) -> str:
    """Return text in one line, with line ends as ``⏎``."""
    return visible(text.replace("\n", "⏎"), keeps_newlines=False, marks_look_alikes=True)
