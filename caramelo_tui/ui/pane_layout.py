"""Divide the screen among the panes.

Owns the rule of where each pane stands for a given size: side by side when wide, Files folded
away when medium, one column with tabs when narrow. Pure geometry, no widget. Proven by
tests/unit/ui/test_pane_layout.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from textual.geometry import Region, Size

WIDE_FROM = 130
"""Columns from which Files, Conversation and Changes stand side by side."""
MEDIUM_FROM = 100
"""Columns from which Conversation and Changes stand side by side."""
SMALLEST = Size(60, 16)
"""Columns and rows of the whole screen below which only a notice is shown."""
STATUS_ROWS = 1
"""Rows of the status bar, which stands below the panes."""

_TABS_ROWS = 1
_SHORT_BELOW = 20
"""Rows below which the prompt gives up its frame."""
_OVERLAY_COLUMNS = 34
"""Columns of Files when it is laid over the left edge."""


class Place(StrEnum):
    """A part of the main screen that has a region of its own."""

    FILES = "files"
    CONVERSATION = "conversation"
    CHANGES = "changes"
    TOOLS = "tools"
    PROMPT = "prompt"
    TABS = "tabs"
    TOO_SMALL = "too-small"


PANES: tuple[Place, ...] = (Place.FILES, Place.CONVERSATION, Place.CHANGES, Place.TOOLS)
"""The four panes in the order of their numbers."""


class ScreenClass(StrEnum):
    """How much room there is."""

    WIDE = "wide"
    MEDIUM = "medium"
    NARROW = "narrow"
    TOO_SMALL = "too-small"


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutWish:
    """What the person looks at."""

    active: Place = Place.CONVERSATION
    """The pane of the tab that is open, or that has or had the focus last."""
    is_files_open: bool = False
    """Whether Files is laid over the left edge on a medium screen."""
    is_zoomed: bool = False
    """Whether the active pane has all the room."""
    prompt_rows: int = 1
    """Rows that the prompt's text, queue and chips need, without its frame."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutPlan:
    """Where everything stands; what has no region is not shown."""

    screen_class: ScreenClass
    regions: Mapping[Place, Region] = field(default_factory=dict[Place, Region])
    """Outer regions in cells, relative to the area above the status bar."""
    is_short: bool = False
    """Whether the prompt goes without a frame."""


def class_of(size: Size) -> ScreenClass:
    """Return how much room a whole screen of ``size`` gives."""
    if size.width < SMALLEST.width or size.height < SMALLEST.height:
        return ScreenClass.TOO_SMALL
    if size.width >= WIDE_FROM:
        return ScreenClass.WIDE
    if size.width >= MEDIUM_FROM:
        return ScreenClass.MEDIUM
    return ScreenClass.NARROW


def plan_panes(size: Size, wish: LayoutWish) -> LayoutPlan:
    """Return where each pane stands.

    Args:
        size: Columns and rows of the area above the status bar.
        wish: What is looked at.
    """
    screen_class = class_of(Size(size.width, size.height + STATUS_ROWS))
    if screen_class is ScreenClass.TOO_SMALL:
        whole = Region(0, 0, size.width, size.height)
        return LayoutPlan(screen_class=screen_class, regions={Place.TOO_SMALL: whole})
    is_short = size.height < _SHORT_BELOW
    prompt_rows = _prompt_rows(size.height, wish.prompt_rows, is_short=is_short)
    if wish.is_zoomed or screen_class is ScreenClass.NARROW:
        regions = _one_column(size, wish, prompt_rows)
    elif screen_class is ScreenClass.MEDIUM:
        regions = _medium(size, wish, prompt_rows)
    else:
        regions = _wide(size, prompt_rows)
    return LayoutPlan(screen_class=screen_class, regions=regions, is_short=is_short)


def _prompt_rows(height: int, wanted: int, *, is_short: bool) -> int:
    """Return the prompt's outer rows: what it wants, framed, but at most a third."""
    frame = 1 if is_short else 2
    most = max(1, height // 3 - frame)
    return min(max(wanted, 1), most) + frame


def _one_column(size: Size, wish: LayoutWish, prompt_rows: int) -> dict[Place, Region]:
    """Give the active pane everything between the tabs and the prompt."""
    pane_rows = size.height - _TABS_ROWS - prompt_rows
    return {
        Place.TABS: Region(0, 0, size.width, _TABS_ROWS),
        wish.active: Region(0, _TABS_ROWS, size.width, pane_rows),
        Place.PROMPT: Region(0, _TABS_ROWS + pane_rows, size.width, prompt_rows),
    }


def _medium(size: Size, wish: LayoutWish, prompt_rows: int) -> dict[Place, Region]:
    regions = _columns(size, left=0, right=size.width * 44 // 100, prompt_rows=prompt_rows)
    if wish.is_files_open:
        regions[Place.FILES] = Region(0, 0, _OVERLAY_COLUMNS, size.height)
    return regions


def _wide(size: Size, prompt_rows: int) -> dict[Place, Region]:
    left = min(max(size.width * 17 // 100, 23), 36)
    right = min(max(size.width * 36 // 100, 46), 100)
    regions = _columns(size, left=left, right=right, prompt_rows=prompt_rows)
    regions[Place.FILES] = Region(0, 0, left, size.height)
    return regions


def _columns(size: Size, *, left: int, right: int, prompt_rows: int) -> dict[Place, Region]:
    """Stand Conversation over the prompt, and Changes over Tools to their right."""
    middle = size.width - left - right
    tools_rows = max(7, size.height * 32 // 100)
    changes_rows = size.height - tools_rows
    return {
        Place.CONVERSATION: Region(left, 0, middle, size.height - prompt_rows),
        Place.PROMPT: Region(left, size.height - prompt_rows, middle, prompt_rows),
        Place.CHANGES: Region(left + middle, 0, right, changes_rows),
        Place.TOOLS: Region(left + middle, changes_rows, right, tools_rows),
    }
