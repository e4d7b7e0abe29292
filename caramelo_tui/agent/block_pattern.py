"""Word a rule that blocks commands.

Owns the pattern that is suggested for a command, and the remark for the model. What a pattern
means and matches is the policy's affair: the agent says it, and tries it against the command
before it is taken. Pure. Proven by tests/unit/agent/test_block_pattern.py.
"""

from caramelo_tui.domain.approvals import CommandRequest


def suggested_pattern(request: CommandRequest) -> str:
    """Return program and first argument of the command's riskiest part, else of its first."""
    risky = next((part for part in request.parts if part.risks), None)
    first = risky or next(iter(request.parts), None)
    words = (first.text if first is not None else request.command.command).split()
    return " ".join(words[:2])


def block_remark(pattern: str) -> str:
    """Return what the model is told beside the denial."""
    return f"The user blocks commands that match `{pattern}` for the rest of this session."
