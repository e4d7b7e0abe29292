"""Put a question about a command into words.

Owns the texts of the modal: title, warning, counts, where it runs, its parts. Pure; everything
from outside is made safe here. Proven by tests/unit/ui/test_approval_text.py.
"""

from collections.abc import Sequence

from caramelo_tui.domain.approvals import CommandAction, CommandRequest
from caramelo_tui.domain.decisions import CommandPart
from caramelo_tui.domain.screen_text import has_hidden, has_look_alikes, visible
from caramelo_tui.ui.formatting import count_text, duration_text
from caramelo_tui.ui.screens.action_text import asking_agent, character_warning
from caramelo_tui.ui.screens.choices import Choice
from caramelo_tui.ui.screens.fact_view import Fact, Words
from caramelo_tui.ui.widgets.cells import one_line

EDITING_HINT = "enter shows it again · esc discards"
REMARK_HINT = "why? enter denies · esc goes back"
EDITED_REASON = "It is checked like any other command; what the rules deny is not run."
"""Said in place of the reason for the model's command."""
CHECKING = "the edited command is read …"
"""Said until its parts are known; nothing runs before."""
BLOCK_HINT = "enter blocks, denies · esc back"

ANSWERS = (
    Choice(name=CommandAction.RUN, key="y", words="Run once", short="run", color="warning"),
    Choice(name=CommandAction.EDIT, key="e", words="Edit", short="edit"),
    Choice(name=CommandAction.DENY, key="n", words="Deny", short="deny"),
    Choice(name="remark", key="m", words="Deny with message", short="message"),
    Choice(name="block", key="b", words="Block", short="block"),
    Choice(name=CommandAction.STOP, key="esc", words="Deny and stop", short="stop"),
)
"""The answers to a command from left to right."""

ACTION_ANSWERS = (
    Choice(name=CommandAction.RUN, key="y", words="Do it once", short="do it", color="warning"),
    *(choice for choice in ANSWERS if choice.name in {CommandAction.DENY, "remark"}),
    ANSWERS[-1],
)
"""The answers to another action from left to right."""


def title_text(question: str, agent_title: str, position: str) -> str:
    """Return the title: who asks what, and how many questions wait behind."""
    title = f"{one_line(agent_title)} asks: {question}" if agent_title else question
    return f"{title} · {position}" if position else title


def command_question(request: CommandRequest) -> str:
    """Return what is asked about a command, with the tool's name."""
    return f"Run this command? ({one_line(request.tool)})"


def facts_of(
    request: CommandRequest,
    command: str,
    root: str,
    *,
    edited_parts: Sequence[CommandPart] = (),
) -> tuple[Fact, ...]:
    """Return what is said below the command, the most important first.

    Args:
        request: The question.
        command: What would run now: the request's command, or the edited one.
        root: Absolute path of the workspace.
        edited_parts: Parts of the edited command, once they are known.
    """
    is_edited = command != request.command.command
    return (
        *_warning(command),
        *asking_agent(request.agent_title),
        _where(request, root),
        (Words(text=counts_text(command, is_edited=is_edited), color="muted"),),
        *([(Words(text=visible(request.note), color="warning"),)] if request.note else []),
        # Parts and reason of the request were found in the command as the model gave it.
        *_parts(edited_parts if is_edited else request.parts),
        (Words(text=EDITED_REASON if is_edited else visible(request.reason), color="muted"),),
    )


def counts_text(command: str, *, is_edited: bool) -> str:
    """Return how long the command is."""
    lines = count_text(command.count("\n") + 1, "line")
    edited = "edited by you · " if is_edited else ""
    return f"{edited}{lines} · {count_text(len(command), 'character')}"


def _warning(command: str) -> tuple[Fact, ...]:
    """Return the warning about characters that are not what they look like."""
    kinds = [
        *(["hidden"] if has_hidden(command) else []),
        *(["look-alike"] if has_look_alikes(command) else []),
    ]
    return character_warning(kinds)


def _where(request: CommandRequest, root: str) -> Fact:
    """Return start folder, time limit and sandbox; another folder than the root stands out."""
    folder = visible(request.cwd_shown, keeps_newlines=False, marks_look_alikes=True)
    is_root = request.cwd_shown.rstrip("/") == root.rstrip("/")
    limit = f" · at most {duration_text(request.command.timeout_ms)}"
    tail = Words(text=limit + (" · in the sandbox" if request.is_sandboxed else ""))
    if is_root:
        return Words(text=f"in {folder}"), tail
    where = Words(text=f"{folder} (not the root)", color="warning", attributes="bold")
    return Words(text="in "), where, tail


def _parts(parts: Sequence[CommandPart]) -> tuple[Fact, ...]:
    """Return the parts of the command, each with why it is risky."""
    return tuple(
        (
            Words(text="· ", color="muted"),
            Words(text=one_line(part.text, marks_look_alikes=True)),
            *(
                [
                    Words(
                        text=f"  ⚠ {one_line('; '.join(part.risks))}",
                        color="warning",
                        attributes="bold",
                    )
                ]
                if part.risks
                else []
            ),
        )
        for part in parts
    )
