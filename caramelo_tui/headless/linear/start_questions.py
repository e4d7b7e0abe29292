"""Ask in lines what must be asked before there is an agent.

Owns the words and numbers of these questions; an empty line answers none of them. Proven by
tests/unit/headless/test_linear_start.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.domain.ids import Clock
from caramelo_tui.domain.trust import TrustChoice
from caramelo_tui.headless.linear.dialogs import chosen, not_an_answer, numbered, one_line
from caramelo_tui.headless.linear.output import LinearOutput
from caramelo_tui.headless.linear.typed_lines import LineGuard, Lines

_QUIT = "quit"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearTerminal:
    """Both ends of the conversation, and the clock."""

    lines: Lines
    out: LinearOutput
    clock: Clock


async def ask_linear(terminal: LinearTerminal, name: str) -> bool:
    """Offer the linear mode on a terminal that can't show the screen; ``False``: rather not.

    Args:
        terminal: Where it is asked.
        name: What the terminal calls itself.
    """
    shown = one_line(name) or "without a name"
    text = f"This terminal ({shown}) cannot show the full screen."
    return await ask_choice(terminal, (text,), ("work line by line", _QUIT)) == 0


async def ask_trust(
    terminal: LinearTerminal, folder: Path, *, offers_trust: bool
) -> TrustChoice | None:
    """Ask whether the folder is trusted; ``None``: the user quits.

    Args:
        terminal: Where it is asked.
        folder: The real folder.
        offers_trust: ``False`` for folders that hold more than one project.
    """
    question = f"Do you trust the folder {one_line(str(folder), is_exact=True)}?"
    restricted = (
        "Restricted: the agent works and asks as ever; nothing in the folder acts by itself, "
        "and git does not commit."
    )
    if not offers_trust:
        text = (question, "It holds far more than one project and can't be trusted as a whole.")
        number = await ask_choice(terminal, (*text, restricted), ("work restricted", _QUIT))
        return TrustChoice.RESTRICTED if number == 0 else None
    trusted = "Trusted: its own settings, skills and git hooks may be used."
    choices = ("work restricted", "trust", _QUIT)
    number = await ask_choice(terminal, (question, trusted, restricted), choices)
    return {0: TrustChoice.RESTRICTED, 1: TrustChoice.TRUST}.get(-1 if number is None else number)


async def ask_choice(
    terminal: LinearTerminal, text: Sequence[str], choices: Sequence[str]
) -> int | None:
    """Return the index of the choice; ``None`` at the end of input."""
    guard = LineGuard()
    for line in (*text, f"Choices: {numbered(choices)}", "Type a number and press Enter."):
        terminal.out.say(line)
    await terminal.out.flush()
    terminal.lines.drop_unfinished()
    guard.mark_shown(terminal.clock.monotonic())
    while (typed := await terminal.lines.next()) is not None:
        problem = guard.problem(typed)
        number = None if problem else chosen(typed.lines[0], choices)
        if number is not None:
            return number
        terminal.out.say(problem or not_an_answer(typed.lines[0], len(choices)))
        await terminal.out.flush()
    return None
