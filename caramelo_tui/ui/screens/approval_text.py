"""Put a question about a command into words.

Owns the texts of the modal: title, warning, counts, where it runs, its parts. Pure; everything
from outside is made safe here. Proven by tests/unit/ui/test_approval_text.py.
"""

from collections.abc import Sequence

from textual.content import Content

from caramelo_tui.domain.approvals import CommandAction, CommandRequest
from caramelo_tui.domain.decisions import CommandPart
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.formatting import count_text, duration_text
from caramelo_tui.ui.screens.choices import Choice
from caramelo_tui.ui.widgets.cells import one_line

EDITING_HINT = "enter shows it for approval · ctrl+j new line · esc discards the edit"
REMARK_HINT = "Why not? enter denies with this message · esc back"

ANSWERS = (
    Choice(name=CommandAction.RUN, key="y", words="Run once", short="run", color="warning"),
    Choice(name=CommandAction.EDIT, key="e", words="Edit", short="edit"),
    Choice(name=CommandAction.DENY, key="n", words="Deny", short="deny"),
    Choice(name="remark", key="m", words="Deny with message", short="message"),
    Choice(name=CommandAction.STOP, key="esc", words="Deny and stop", short="stop"),
)
"""The answers from left to right."""


def title_text(request: CommandRequest, position: str) -> str:
    """Return the title: who asks, and how many questions wait behind."""
    title = f"Run this command? ({one_line(request.tool)})"
    if request.agent_title:
        title = f"{one_line(request.agent_title)} asks: {title}"
    return f"{title} · {position}" if position else title


def warning_text(*, has_hidden: bool, has_look_alikes: bool) -> str:
    """Return the warning line; empty when every character is what it looks like."""
    if not has_hidden and not has_look_alikes:
        return ""
    kinds = [
        *(["hidden or acting"] if has_hidden else []),
        *(["look-alike"] if has_look_alikes else []),
    ]
    return f"⚠ {' and '.join(kinds)} characters: drawn as numbers, such as <U+202E>"


def counts_text(command: str, *, is_edited: bool) -> str:
    """Return how long the command is."""
    lines = count_text(command.count("\n") + 1, "line")
    edited = "edited by you · " if is_edited else ""
    return f"{edited}{lines} · {count_text(len(command), 'character')}"


def where_content(request: CommandRequest, root: str) -> Content:
    """Return start folder, time limit and sandbox; another folder than the root stands out."""
    folder = visible(request.cwd_shown, keeps_newlines=False, marks_look_alikes=True)
    is_root = request.cwd_shown.rstrip("/") == root.rstrip("/")
    limit = f" · at most {duration_text(request.command.timeout_ms)}"
    sandbox = " · in the sandbox" if request.is_sandboxed else ""
    if is_root:
        return Content.assemble("in ", folder, limit, sandbox)
    return Content.assemble(
        "in ", (folder, "bold $warning"), (" (not the root)", "bold $warning"), limit, sandbox
    )


def parts_content(parts: Sequence[CommandPart]) -> Content:
    """Return the parts of the command, each with why it is risky."""
    lines = [
        Content.assemble(
            ("· ", "$text-muted"),
            one_line(part.text, marks_look_alikes=True),
            *(
                [("  ⚠ ", "bold $warning"), (one_line("; ".join(part.risks)), "bold $warning")]
                if part.risks
                else []
            ),
        )
        for part in parts
    ]
    return Content("\n").join(lines)
