"""Paint a widget line by line, only where it changed.

Owns the frame (the strips on screen), its comparison, the tick timer and the scroll bar in
the last column. It sets no reactive with layout, so a stream never lays out the screen
again. Subclasses say what is on each line; they mount no children. Proven by
tests/pilot/test_conversation.py and tests/unit/ui/test_frame_view.py.
"""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, cast

from rich.segment import Segment
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from caramelo_tui.ui.widgets.palette import Palette

if TYPE_CHECKING:
    from textual.app import App
    from textual.timer import Timer

TICK_S = 1 / 15
"""Time between two paints of a stream."""

TYPING_TICK_S = 1 / 8
"""The same while the person types: their keys come first."""

BACKLOG_TICK_S = 0.008
"""The same while more waits than one tick may take in."""

TYPING_S = 0.3
"""How long after a key somebody still counts as typing."""

WORK_BUDGET_S = 0.010
"""How long one tick may take in or render."""

BAR_CELLS = 1
"""Width of the scroll bar, drawn in the last column."""


class FrameView(Widget, can_focus=True):
    """A focusable widget whose lines are composed by ``compose_frame``."""

    ALLOW_SELECT: ClassVar[bool] = False

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        classes: str | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.monotonic = monotonic
        self._frame: list[Strip] = []
        self._tick_timer: Timer | None = None
        self._wants_tick = False
        self._is_behind = False
        self._owes_paint = False
        self._painted_at = float("-inf")
        self._last_key_at = float("-inf")
        self._palette: Palette | None = None

    def compose_frame(self, width: int, height: int) -> list[Strip]:
        """Return exactly ``height`` strips of ``width`` cells; subclasses implement it."""
        raise NotImplementedError

    def take_in(self) -> None:
        """Take in what came since the last tick; runs before each paint of a stream."""

    def forget_rendering(self) -> None:
        """Drop rendered strips, because the theme or the width changed."""

    @property
    def host(self) -> "App[object]":
        """The app, with its type said in full."""
        # Textual's own annotation leaves a type variable open.
        return cast("App[object]", self.app)  # pyright: ignore[reportUnknownMemberType]  # Textual types it openly

    @property
    def palette(self) -> Palette:
        """Styles of the theme in force."""
        if self._palette is None:
            self._palette = Palette.of(self.host.theme_variables)
        return self._palette

    def note_key(self) -> None:
        """Say that the person typed, here or elsewhere; ticks get rarer for a moment."""
        self._last_key_at = self.monotonic()

    def schedule_tick(self, *, is_soon: bool = False) -> None:
        """Paint at the next tick; one timer at most, none when nothing came.

        Args:
            is_soon: More waits than one tick could take in; keys still get their turn.
        """
        if not self.is_attached:
            self._wants_tick = True
            return
        if self._tick_timer is not None:
            return
        self._is_behind = self._is_behind or is_soon
        pause = BACKLOG_TICK_S if is_soon else self._pause()
        self._tick_timer = self.set_timer(pause, self._tick)

    def _pause(self) -> float:
        """Return the time between two paints."""
        is_typing = self.monotonic() - self._last_key_at < TYPING_S
        return TYPING_TICK_S if is_typing else TICK_S

    def repaint(self) -> None:
        """Compose the frame now and refresh the lines that are others than before."""
        width, height = self.size
        if width <= 0 or height <= 0 or not self.is_attached:
            return
        new = self.compose_frame(width, height)
        old, self._frame = self._frame, new
        if len(old) != len(new):
            self.refresh()
            return
        changed = [
            Region(0, y, width, 1)
            for y, (before, after) in enumerate(zip(old, new, strict=True))
            if before is not after and before != after
        ]
        if changed:
            self.refresh(*changed)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Hand out the strips of the frame; the style cache in between would save nothing."""
        width, height = self.size
        if len(self._frame) != height or (height and self._frame[0].cell_length != width):
            self._frame = self.compose_frame(width, height) if width > 0 else []
        strips = self._frame[crop.y : crop.bottom]
        for line_filter in self.get_line_filters():
            ground = self.background_colors[1]
            strips = [strip.apply_filter(line_filter, ground) for strip in strips]
        if crop.column_span != (0, width):
            strips = [strip.crop(crop.x, crop.right) for strip in strips]
        return strips

    def render_line(self, y: int) -> Strip:
        """Return one line of the frame."""
        if 0 <= y < len(self._frame):
            return self._frame[y]
        return Strip.blank(self.size.width, self.palette.text)

    def bar_segments(self, height: int, *, total: int, top: int) -> list[Segment]:
        """Return the scroll bar, one segment a line.

        Args:
            height: Lines of the view.
            total: Lines of the whole, known or estimated.
            top: Lines above the view.
        """
        palette = self.palette
        track = Segment(" ", palette.text)
        if total <= height:
            return [track] * height
        size = max(1, round(height * height / total))
        first = round(top * (height - size) / max(total - height, 1))
        first = min(max(first, 0), height - size)
        thumb = Segment("▐", palette.line)
        return [thumb if first <= y < first + size else track for y in range(height)]

    def on_mount(self) -> None:
        """Follow the theme, and take in what came before the view was there."""
        self.host.theme_changed_signal.subscribe(self, lambda _theme: self.recolour())
        if self._wants_tick:
            self._wants_tick = False
            self.schedule_tick()

    def on_unmount(self) -> None:
        """Leave nothing of the view in the app, whose signals hold on to who follows them."""
        self.host.theme_changed_signal.unsubscribe(self)

    def recolour(self) -> None:
        """Take the styles of a new theme."""
        self._palette = None
        self.forget_rendering()
        self._frame = []
        self.refresh()

    def on_resize(self) -> None:
        """Render for the new size; what is out of view waits until it is seen."""
        self._frame = []
        self.repaint()

    def _tick(self) -> None:
        """Take in, or paint: a flood is painted as rarely as any stream, and never after a slice.

        Taking in and painting may each use up what one turn of the loop may have.
        """
        self._tick_timer = None
        now = self.monotonic()
        if self._owes_paint and (not self._is_behind or now - self._painted_at >= self._pause()):
            self._owes_paint = False
            self._painted_at = now
            # What came since the last slice waits for this tick.
            self.schedule_tick(is_soon=self._is_behind)
            self.repaint()
            return
        was_behind, self._is_behind = self._is_behind, False
        self.take_in()
        if was_behind or self._is_behind:
            self._owes_paint = True
            if self._tick_timer is not None:
                self._tick_timer.stop()
            self._tick_timer = self.set_timer(BACKLOG_TICK_S, self._tick)
            return
        self._painted_at = now
        self.repaint()
