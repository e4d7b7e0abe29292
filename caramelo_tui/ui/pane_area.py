"""Place the panes and keep track of the one that is looked at.

Owns the layout of the main screen, the focus among the panes, their titles and badges, the tabs,
the zoom, and the borders as keys and mouse move them. Knows nothing of the agent. Proven by
tests/pilot/test_layout.py and tests/pilot/test_pane_sizes.py.
"""

from collections.abc import Mapping
from dataclasses import replace

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.geometry import Offset, Size, Spacing
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.message import Message
from textual.widget import Widget
from textual.widgets._static import Static

from caramelo_tui.ui.hints import EDGE_CELLS, fitting_hint
from caramelo_tui.ui.pane_layout import (
    PANES,
    SMALLEST,
    STATUS_ROWS,
    USUAL_SIZES,
    Border,
    LayoutPlan,
    LayoutWish,
    Place,
    ScreenClass,
    border_of,
    class_of,
    moved,
    place_of_border,
    plan_panes,
)
from caramelo_tui.ui.pane_sizes import SizesByClass
from caramelo_tui.ui.panes.prompt import PromptPane
from caramelo_tui.ui.panes.tab_line import TabLine, pane_label
from caramelo_tui.ui.start_plan import KeptSizes

FOCUS_SIGN = "▶"
"""Stands before the title of the focused pane."""

_TOO_SMALL = f"Too small: {SMALLEST.width}×{SMALLEST.height} is needed."  # noqa: RUF001 - the sign for "by"

_ROUND = (Place.FILES, Place.CONVERSATION, Place.PROMPT, Place.CHANGES, Place.TOOLS)
"""Order in which the focus goes round."""


class PlanLayout(Layout):
    """Place children where the area's plan says."""

    name = "panes"

    def __init__(self, area: "PaneArea") -> None:
        self._area = area

    def arrange(
        self,
        parent: Widget,  # noqa: ARG002 - Textual's signature
        children: list[Widget],
        size: Size,
        greedy: bool = True,  # noqa: ARG002, FBT001, FBT002 - Textual's signature
    ) -> ArrangeResult:
        """Return the placements of the children that have a region."""
        regions = self._area.plan_for(size).regions
        placements: ArrangeResult = []
        for child in children:
            region = regions.get(Place(child.id)) if child.id else None
            if region is not None:
                # Files may lie over the left edge; it is drawn above what it covers.
                order = 1 if child.id == Place.FILES else 0
                placements.append(WidgetPlacement(region, Offset(), Spacing(), child, order))
        return placements


class PaneArea(Container):
    """All panes, the tabs, and the notice for a screen that is too small."""

    class Moved(Message):
        """Another pane has the focus."""

    class Resized(Message):
        """The person moved a border and let it go."""

    def __init__(self, prompt: PromptPane, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._plan_layout = PlanLayout(self)
        self._prompt = prompt
        self._tabs = TabLine(id=Place.TABS)
        self._notice = Static(_TOO_SMALL, id=Place.TOO_SMALL, markup=False)
        self._panes: dict[Place, Widget] = {Place.PROMPT: prompt}
        self._wish = LayoutWish()
        self._sizes = SizesByClass()
        self._dragged: Border | None = None
        self._badges: dict[Place, str] = {}
        self._hints: dict[Place, str] = {}
        self._focused = Place.PROMPT
        self._focus_holder: Widget | None = None
        self._was_too_small = False

    def compose(self) -> ComposeResult:
        """Lay out what the first paint shows."""
        yield self._tabs
        yield self._prompt
        yield self._notice

    @property
    def layout(self) -> Layout:
        """The layout by plan."""
        return self._plan_layout

    @property
    def focused_place(self) -> Place:
        """The part that has the focus, or had it last."""
        return self._focused

    @property
    def is_zoomed(self) -> bool:
        """Whether one pane has all the room."""
        return self._wish.is_zoomed

    @property
    def screen_class(self) -> ScreenClass:
        """How much room there is."""
        return self.plan_for(self.size).screen_class

    def plan_for(self, size: Size) -> LayoutPlan:
        """Return where everything stands on an area of ``size``."""
        return plan_panes(size, self._wish, self._sizes.of(_class_of(size)))

    def is_shown(self, place: Place) -> bool:
        """Return whether a part has a region now."""
        return place in self.plan_for(self.size).regions

    def add_panes(self, panes: Mapping[Place, Widget], hints: Mapping[Place, str]) -> None:
        """Mount the panes, all at once.

        Args:
            panes: Each with its place's value as id; ``focus`` gives the right part the focus.
            hints: The keys shown at the lower edge of a focused pane.
        """
        self._panes.update(panes)
        self._hints.update(hints)
        self.mount(*panes.values())
        self._apply()

    def want(self, wish: LayoutWish) -> None:
        """Lay out for another wish."""
        if wish != self._wish:
            self._wish = wish
            self._apply()

    def set_prompt_rows(self, rows: int) -> None:
        """Give the prompt as many rows as its text needs."""
        self.want(replace(self._wish, prompt_rows=rows))

    def set_badge(self, place: Place, badge: str) -> None:
        """Show a badge at a pane's title and tab; an empty one goes away."""
        if self._badges.get(place, "") != badge:
            self._badges[place] = badge
            self._draw_titles()

    def jump(self, place: Place) -> None:
        """Show a part and give it the focus; Files, focused and laid over, closes again."""
        is_overlay = self.screen_class is ScreenClass.MEDIUM and not self._wish.is_zoomed
        if place is Place.FILES and is_overlay and self._focused is Place.FILES:
            self.jump(Place.PROMPT)
            return
        pane = self._panes.get(place)
        if pane is None:
            return
        if place in PANES:
            self.want(replace(self._wish, active=place, is_files_open=place is Place.FILES))
        pane.focus()

    def show(self, place: Place) -> None:
        """Bring a pane on the screen where only one has room; the focus stays."""
        self.want(replace(self._wish, active=place))

    def step(self, direction: int) -> None:
        """Give the focus to the next part that is shown or can be, round and round."""
        places = [place for place in _ROUND if place in self._panes]
        index = places.index(self._focused) if self._focused in places else 0
        self.jump(places[(index + direction) % len(places)])

    def toggle_zoom(self) -> None:
        """Give the active pane all the room, or back."""
        if self._focused in PANES:
            self._wish = replace(self._wish, active=self._focused)
        self.want(replace(self._wish, is_zoomed=not self._wish.is_zoomed))

    # --- borders -----------------------------------------------------------------------

    @property
    def kept_sizes(self) -> KeptSizes:
        """Where the borders stand, for a store."""
        return self._sizes.kept()

    def use_sizes(self, kept: KeptSizes) -> None:
        """Put the borders where a store says."""
        self._sizes.take(kept)
        self._apply()

    def move_border(self, cells: int, *, is_upright: bool) -> bool:
        """Move the border of the focused pane, right or down for a positive number.

        Returns:
            ``False`` when it shows no such border.
        """
        plan = self.plan_for(self.size)
        border = border_of(self._focused, plan, is_upright=is_upright)
        if border is None:
            return False
        self._put_border(border, place_of_border(plan, border) + cells)
        self.post_message(self.Resized())
        return True

    def reset_sizes(self) -> None:
        """Put the borders back to their usual places, on screens of this size class."""
        self._sizes.put(self.screen_class, USUAL_SIZES)
        self._apply()
        self.post_message(self.Resized())

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take the border under the mouse."""
        place = event.screen_offset - self.region.offset
        borders = self.plan_for(self.size).borders
        self._dragged = next(
            (b for b, region in borders.items() if region.contains_point(place)), None
        )
        if self._dragged is not None:
            self.capture_mouse()
            event.stop()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Move the border that was taken."""
        if self._dragged is None:
            return
        event.stop()
        place = event.screen_offset - self.region.offset
        self._put_border(self._dragged, place.y if self._dragged is Border.TOOLS else place.x)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let the border go."""
        if self._dragged is None:
            return
        event.stop()
        self._dragged = None
        self.release_mouse()
        self.post_message(self.Resized())

    def _put_border(self, border: Border, place: int) -> None:
        screen_class = self.screen_class
        before = self._sizes.of(screen_class)
        self._sizes.put(screen_class, moved(before, self.size, border, place))
        # What the panes' least sizes leave of it is kept: the way back is then as long.
        plan = self.plan_for(self.size)
        held = moved(before, self.size, border, place_of_border(plan, border))
        self._sizes.put(screen_class, held)
        self._apply()

    def back_out(self) -> None:
        """Go back one level: out of the zoom, else to the prompt."""
        if self._wish.is_zoomed:
            self.want(replace(self._wish, is_zoomed=False))
            return
        self.jump(Place.PROMPT)

    def on_resize(self) -> None:
        """Lay out for the new size."""
        self._apply()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Mark the pane that has the focus now."""
        place = self._place_of(event.widget)
        # A screen that is too small hides who has the focus, and it wanders; nobody asked for that.
        if place is None or self.screen_class is ScreenClass.TOO_SMALL:
            return
        self._focused = place
        self._focus_holder = event.widget
        wish = replace(self._wish, is_files_open=place is Place.FILES)
        if place in PANES:
            wish = replace(wish, active=place)
        self.want(wish)
        self._draw_titles()
        self.post_message(self.Moved())

    @on(TabLine.Clicked)
    def _take_tab(self, event: TabLine.Clicked) -> None:
        event.stop()
        self.jump(event.place)

    def _place_of(self, widget: Widget) -> Place | None:
        for node in widget.ancestors_with_self:
            for place, pane in self._panes.items():
                if node is pane:
                    return place
        return None

    def _apply(self) -> None:
        """Show and hide the parts as the plan says, and lay out again."""
        plan = self.plan_for(self.size)
        for widget in (self._tabs, self._notice, *self._panes.values()):
            widget.display = Place(str(widget.id)) in plan.regions
        self.set_class(plan.is_short, "-short")
        if plan.screen_class is ScreenClass.TOO_SMALL:
            self._was_too_small = True
        elif self._was_too_small:
            self._was_too_small = False
            self._take_focus_back()
        self._clear_arrangement_cache()
        self.refresh(layout=True)
        self._draw_titles()

    def _take_focus_back(self) -> None:
        """Give the focus to who had it before the screen was too small."""
        holder = self._focus_holder
        if holder is not None and holder.is_attached:
            self.screen.set_focus(holder)

    def _draw_titles(self) -> None:
        """Write titles and badges, and mark the focused pane by more than colour."""
        regions = self.plan_for(self.size).regions
        widths = {place: region.width for place, region in regions.items()}
        for place, pane in self._panes.items():
            is_focused = place is self._focused
            pane.set_class(is_focused, "-focused")
            if place is Place.PROMPT:
                continue
            label = pane_label(place, self._badges.get(place, ""))
            pane.border_title = Content(f"{FOCUS_SIGN} {label}" if is_focused else label)
            hint = self._hints.get(place, "") if is_focused else ""
            room = widths[place] - EDGE_CELLS if place in widths else 0
            pane.border_subtitle = Content(fitting_hint(hint, room))
        self._tabs.show(self._wish.active, self._badges)


def _class_of(size: Size) -> ScreenClass:
    """Return the size class of the screen whose area above the status bar has ``size``."""
    return class_of(Size(size.width, size.height + STATUS_ROWS))
