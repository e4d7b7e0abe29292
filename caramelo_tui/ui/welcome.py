"""Say what happens by itself and what asks, before the first prompt.

Owns the words of the empty conversation for each approval mode and profile. Pure. Proven by
tests/unit/ui/test_welcome.py.
"""

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.profiles import CARAMELO, CORE

_FIRST = ("Say below what should be changed or explained.", "")
_WRITES = {
    ApprovalMode.REVIEW: "Reads run by themselves. Edits wait in Changes.",
    ApprovalMode.EACH: "Reads run by themselves. Edits wait in Changes.",
    ApprovalMode.AUTO: "Reads run by themselves. Edits are made at once.",
}
_COMMANDS = {CORE: "Risky commands ask first."}
"""By profile, where it is not every command."""


def welcome_lines(mode: ApprovalMode, profile: str = CARAMELO) -> tuple[str, ...]:
    """Return the lines of the empty conversation.

    Args:
        mode: The approval mode in force.
        profile: The tool profile.
    """
    if mode is ApprovalMode.PLAN:
        return (*_FIRST, "Only reads run, by themselves.", "What is said last is the plan.")
    return (*_FIRST, _WRITES[mode], _COMMANDS.get(profile, "Commands ask first."))
