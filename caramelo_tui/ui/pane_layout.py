"""Divide the screen among the panes.

Owns the rule of where each pane stands for a given size: side by side when wide, Files folded
away when medium, one column with tabs when narrow; and the borders that a person may move. Pure
geometry, no widget. Proven by tests/unit/ui/test_pane_layout.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
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
_LEAST_FILES = 16
"""Columns that Files keeps, however its border is moved."""
_LEAST_CONVERSATION = 36
"""The same for the conversation and the prompt: a question's words fit."""
_LEAST_CHANGES = 32
"""The same for Changes and Tools."""
_LEAST_ROWS = 5
"""Rows that Changes and Tools keep."""
SHARE_OF = 1000
"""Sizes are kept as shares of the screen in thousandths, so that they follow its size."""


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


class Border(StrEnum):
    """A border between panes that can be moved; the value is its name on disk."""

    FILES = "files"
    """Right of Files."""
    CHANGES = "changes"
    """Left of Changes and Tools."""
    TOOLS = "tools"
    """Above Tools."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaneSizes:
    """Where the person put the borders, in ``SHARE_OF`` parts; ``None``: the usual place."""

    files: int | None = None
    """Columns of Files, of the screen's."""
    changes: int | None = None
    """Columns of Changes and Tools, of the screen's."""
    tools: int | None = None
    """Rows of Tools, of those above the status bar."""


USUAL_SIZES = PaneSizes()
"""What holds until a border is moved."""


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
    borders: Mapping[Border, Region] = field(default_factory=dict[Border, Region])
    """The cells at which each border that can be moved is taken by the mouse."""
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


def plan_panes(size: Size, wish: LayoutWish, sizes: PaneSizes = USUAL_SIZES) -> LayoutPlan:
    """Return where each pane stands.

    Args:
        size: Columns and rows of the area above the status bar.
        wish: What is looked at.
        sizes: Where the person put the borders; every pane keeps a least size all the same.
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
        regions = _medium(size, wish, sizes, prompt_rows)
    else:
        regions = _wide(size, sizes, prompt_rows)
    return LayoutPlan(
        screen_class=screen_class, regions=regions, borders=_borders(regions), is_short=is_short
    )


def border_of(place: Place, plan: LayoutPlan, *, is_upright: bool) -> Border | None:
    """Return the border that keys move while a part has the focus.

    Args:
        place: The part; the prompt stands with the conversation.
        plan: What is shown.
        is_upright: The border between columns; ``False``: the one between rows.

    Returns:
        ``None`` when no such border is shown.
    """
    border = Border.TOOLS
    if is_upright:
        border = Border.FILES if place is Place.FILES else Border.CHANGES
    return border if border in plan.borders else None


def place_of_border(plan: LayoutPlan, border: Border) -> int:
    """Return the first column, or row, behind a border that is shown."""
    region = plan.borders[border]
    return region.y + 1 if border is Border.TOOLS else region.x + 1


def moved(sizes: PaneSizes, size: Size, border: Border, place: int) -> PaneSizes:
    """Return the sizes with a border moved.

    Args:
        sizes: What holds now.
        size: Columns and rows of the area above the status bar, each at least 1.
        border: What is moved.
        place: The first column, or row, behind it; one outside of the area is taken as its edge.
    """
    whole = size.height if border is Border.TOOLS else size.width
    cells = place if border is Border.FILES else whole - place
    # Rounded up: the plan rounds down, and must come back to the same cell.
    share = min(max(-(-cells * SHARE_OF // whole), 0), SHARE_OF)
    match border:
        case Border.FILES:
            return replace(sizes, files=share)
        case Border.CHANGES:
            return replace(sizes, changes=share)
        case Border.TOOLS:
            return replace(sizes, tools=share)


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


def _medium(
    size: Size, wish: LayoutWish, sizes: PaneSizes, prompt_rows: int
) -> dict[Place, Region]:
    right = _cells(sizes.changes, size.width, usual=size.width * 44 // 100)
    right = min(max(right, _LEAST_CHANGES), size.width - _LEAST_CONVERSATION)
    regions = _columns(size, sizes, left=0, right=right, prompt_rows=prompt_rows)
    if wish.is_files_open:
        files = _cells(sizes.files, size.width, usual=_OVERLAY_COLUMNS)
        # It stays left of Changes, so that the border there can be seen and moved.
        files = min(max(files, _LEAST_FILES), size.width - right)
        regions[Place.FILES] = Region(0, 0, files, size.height)
    return regions


def _wide(size: Size, sizes: PaneSizes, prompt_rows: int) -> dict[Place, Region]:
    left = _cells(sizes.files, size.width, usual=min(max(size.width * 17 // 100, 23), 36))
    right = _cells(sizes.changes, size.width, usual=min(max(size.width * 36 // 100, 46), 100))
    left = min(max(left, _LEAST_FILES), size.width - _LEAST_CONVERSATION - _LEAST_CHANGES)
    right = min(max(right, _LEAST_CHANGES), size.width - _LEAST_CONVERSATION - left)
    regions = _columns(size, sizes, left=left, right=right, prompt_rows=prompt_rows)
    regions[Place.FILES] = Region(0, 0, left, size.height)
    return regions


def _columns(
    size: Size, sizes: PaneSizes, *, left: int, right: int, prompt_rows: int
) -> dict[Place, Region]:
    """Stand Conversation over the prompt, and Changes over Tools to their right."""
    middle = size.width - left - right
    tools_rows = _cells(sizes.tools, size.height, usual=max(7, size.height * 32 // 100))
    tools_rows = min(max(tools_rows, _LEAST_ROWS), size.height - _LEAST_ROWS)
    changes_rows = size.height - tools_rows
    return {
        Place.CONVERSATION: Region(left, 0, middle, size.height - prompt_rows),
        Place.PROMPT: Region(left, size.height - prompt_rows, middle, prompt_rows),
        Place.CHANGES: Region(left + middle, 0, right, changes_rows),
        Place.TOOLS: Region(left + middle, changes_rows, right, tools_rows),
    }


def _cells(share: int | None, whole: int, *, usual: int) -> int:
    return usual if share is None else share * whole // SHARE_OF


def _borders(regions: Mapping[Place, Region]) -> dict[Border, Region]:
    """Return the two lines of cells along each border, those of the panes on both sides."""
    borders: dict[Border, Region] = {}
    files, changes = regions.get(Place.FILES), regions.get(Place.CHANGES)
    tools = regions.get(Place.TOOLS)
    if tools is None or changes is None:
        return borders
    if files is not None:
        borders[Border.FILES] = Region(files.right - 1, 0, 2, files.height)
    borders[Border.CHANGES] = Region(changes.x - 1, 0, 2, changes.height + tools.height)
    borders[Border.TOOLS] = Region(tools.x + 1, tools.y - 1, tools.width - 1, 2)
    return borders
