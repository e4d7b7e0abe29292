"""Draw without a screen, for tests of what is drawn."""

from collections.abc import Sequence

from caramelo_tui.domain.approvals import ProposedWrite, ReviewRequest
from caramelo_tui.domain.diffs import WholeContent, WriteProposal
from caramelo_tui.domain.ids import ApprovalId, CallId
from caramelo_tui.ui.widgets.block_drawing import Drawing
from caramelo_tui.ui.widgets.cells import Line
from caramelo_tui.ui.widgets.hunk_rows import DiffLook
from caramelo_tui.ui.widgets.palette import Palette
from caramelo_tui.workspace.diffing import hunks_between

PALETTE = Palette.of({})
NEVER = float("inf")
"""A deadline that does not come."""


def on(width: int = 40) -> Drawing:
    """Return a drawing of some width without a deadline."""
    return Drawing(palette=PALETTE, width=width, deadline=NEVER)


def look(
    width: int = 60,
    *,
    is_side_by_side: bool = False,
    wraps: bool = True,
    offset: int = 0,
    shows_whitespace: bool = False,
) -> DiffLook:
    """Return the look of a diff without a deadline."""
    return DiffLook(
        palette=PALETTE,
        width=width,
        deadline=NEVER,
        is_side_by_side=is_side_by_side,
        wraps=wraps,
        offset=offset,
        shows_whitespace=shows_whitespace,
    )


def text_of(line: Line) -> str:
    """Return a line's text without blanks at its end."""
    return "".join(text for text, _style in line).rstrip()


def texts_of(lines: Sequence[Line]) -> list[str]:
    """Return the texts of lines."""
    return [text_of(line) for line in lines]


def write(
    before: str | None,
    after: str,
    *,
    path: str = "src/cli.py",
    call_id: str = "call-1",
    warning: str = "",
    hard_links: int = 1,
) -> ProposedWrite:
    """Return a proposed write that turns one text into the other."""
    proposal = WriteProposal(
        call_id=CallId(call_id),
        path=path,
        shown_path=path,
        edit=WholeContent(content=after, can_overwrite=True),
        before=None if before is None else before.encode(),
        after=after.encode(),
        hunks=hunks_between(before or "", after, call_id=CallId(call_id)),
        base_hash=None,
        hard_links=hard_links,
    )
    return ProposedWrite(
        call_id=CallId(call_id),
        fingerprint=f"print-{call_id}",
        tool="file_edit",
        proposal=proposal,
        reason="writes are reviewed",
        warning=warning,
    )


def review(
    *writes: ProposedWrite, approval_id: str = "review-1", note: str = "", agent_title: str = ""
) -> ReviewRequest:
    """Return a review of some writes."""
    return ReviewRequest(
        id=ApprovalId(approval_id), writes=writes, note=note, agent_title=agent_title
    )


def numbered(count: int, **changed: str) -> str:
    """Return ``count`` lines; ``line_7="x"`` puts other text into line 7."""
    return "".join(
        f"{changed.get(f'line_{number}', f'line {number}')}\n" for number in range(1, count + 1)
    )
