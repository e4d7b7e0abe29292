"""Borders between the panes move by keys and by mouse, and stay where they were put."""

from dataclasses import dataclass, field, replace

import pytest
from textual.geometry import Region

from caramelo_tui.ui.pane_layout import Place
from caramelo_tui.ui.start_plan import KeptSizes, StartPlan
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import OpenApp, plan_for
from tests.pilot.driving import NARROW, WIDE, OpenedApp

MEDIUM = (112, 36)


@dataclass(slots=True)
class FakeStore:
    """Keeps sizes in memory."""

    kept: KeptSizes = field(default_factory=dict[str, dict[str, int]])
    saves: int = 0
    error: OSError | None = None

    def load(self) -> KeptSizes:
        """Return what is kept."""
        return self.kept

    def save(self, sizes: KeptSizes) -> None:
        """Keep sizes, or fail."""
        if self.error is not None:
            raise self.error
        self.saves += 1
        self.kept = sizes


def plan(store: FakeStore) -> StartPlan:
    return replace(plan_for(FakeAgent()), layout=store)


def region(running: OpenedApp, place: Place) -> Region:
    return running.main.query_one(f"#{place}").region


@pytest.mark.parametrize(
    ("jump", "key", "columns"),
    [("f2", "ctrl+right", 2), ("f2", "ctrl+left", -2)],
)
async def test_keys_move_the_border_right_of_files(
    open_app: OpenApp, jump: str, key: str, columns: int
) -> None:
    async with open_app(size=WIDE) as running:
        files, talk = region(running, Place.FILES), region(running, Place.CONVERSATION)
        changes = region(running, Place.CHANGES)
        await running.press(jump, key)
        assert region(running, Place.FILES).width == files.width + columns
        assert region(running, Place.CONVERSATION).x == talk.x + columns
        assert region(running, Place.CHANGES) == changes


@pytest.mark.parametrize("jump", ["f3", "f4", "f5"])
async def test_the_border_left_of_changes_moves_from_its_panes(
    open_app: OpenApp, jump: str
) -> None:
    async with open_app(size=WIDE) as running:
        before = region(running, Place.CHANGES)
        await running.press(jump, "ctrl+left")
        after = region(running, Place.CHANGES)
        assert (after.x, after.right) == (before.x - 2, before.right)
        assert region(running, Place.TOOLS).x == after.x


async def test_the_border_above_tools_moves_by_rows(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        before = region(running, Place.TOOLS)
        await running.press("f5", "ctrl+up")
        assert region(running, Place.TOOLS).y == before.y - 1
        await running.press("ctrl+down", "ctrl+down")
        assert region(running, Place.TOOLS).y == before.y + 1
        assert region(running, Place.TOOLS).bottom == before.bottom


async def test_a_pane_keeps_its_least_size_and_the_way_back_is_short(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        await running.press("f2", *["ctrl+left"] * 30)
        least = region(running, Place.FILES).width
        assert least == 16
        await running.press("ctrl+right")
        assert region(running, Place.FILES).width == least + 2


async def test_in_the_prompt_the_keys_go_from_word_to_word(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        before = region(running, Place.CHANGES)
        await running.press(*"one two", "ctrl+left", "x")
        assert running.main.prompt.draft == "one xtwo"
        assert region(running, Place.CHANGES) == before


async def test_where_one_pane_is_shown_there_is_no_border(open_app: OpenApp) -> None:
    async with open_app(size=NARROW) as running:
        await running.press("f4", "ctrl+left", "ctrl+left", "ctrl+right")
        await running.until(lambda: "The pane shows no such border here." in running.shown())
        said = [notice.message for notice in running.app._notifications]
        assert said.count("The pane shows no such border here.") == 1


async def test_the_mouse_drags_a_border(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        before = region(running, Place.FILES)
        await running.pilot.mouse_down(offset=(before.right - 1, 10))
        await running.pilot.hover(offset=(before.right + 9, 12))
        await running.pilot.mouse_up(offset=(before.right + 9, 12))
        await running.settle()
        assert region(running, Place.FILES).right == before.right + 9
        # Let go: the mouse moves nothing any more.
        await running.pilot.hover(offset=(60, 12))
        assert region(running, Place.FILES).right == before.right + 9


async def test_the_mouse_drags_the_border_above_tools(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        before = region(running, Place.TOOLS)
        at = before.x + 20
        await running.pilot.mouse_down(offset=(at, before.y))
        await running.pilot.hover(offset=(at, before.y - 5))
        await running.pilot.mouse_up(offset=(at, before.y - 5))
        await running.settle()
        assert region(running, Place.TOOLS).y == before.y - 5


async def test_a_click_on_a_border_moves_nothing(open_app: OpenApp) -> None:
    store = FakeStore()
    async with open_app(size=WIDE, plan=plan(store)) as running:
        before = region(running, Place.CHANGES)
        await running.pilot.click(offset=(before.x, 3))
        await running.settle()
        assert region(running, Place.CHANGES) == before
        assert store.kept == {}


async def test_sizes_are_kept_and_come_back_for_their_size_class(open_app: OpenApp) -> None:
    store = FakeStore()
    async with open_app(size=WIDE, plan=plan(store)) as running:
        await running.press("f2", "ctrl+right", "ctrl+right")
        width = region(running, Place.FILES).width
        await running.until(lambda: "files" in store.kept.get("wide", {}))
        await running.settle()
    assert set(store.kept) == {"wide"}
    async with open_app(size=WIDE, plan=plan(store)) as running:
        assert region(running, Place.FILES).width == width
        usual = region(running, Place.CHANGES).width
        await running.pilot.resize_terminal(*MEDIUM)
        await running.press("f4", "ctrl+left")
        await running.until(lambda: set(store.kept) == {"wide", "medium"})
        await running.pilot.resize_terminal(*WIDE)
        await running.until(lambda: region(running, Place.CHANGES).width == usual)


async def test_the_usual_sizes_come_back_from_the_palette(open_app: OpenApp) -> None:
    store = FakeStore({"wide": {"files": 250}})
    async with open_app(size=WIDE, plan=plan(store)) as running:
        assert region(running, Place.FILES).width == 40
        await running.press("ctrl+p", *"usual sizes")
        await running.until(lambda: "Give the panes their usual sizes" in running.shown())
        await running.press("enter")
        await running.until(lambda: region(running, Place.FILES).width == 27)
        await running.until(lambda: store.kept == {})


async def test_a_store_that_fails_is_said_once(open_app: OpenApp) -> None:
    store = FakeStore(error=OSError(28, "No space left on device"))
    async with open_app(size=WIDE, plan=plan(store)) as running:
        await running.press("f2", "ctrl+right")
        await running.until(lambda: len(running.app._notifications) == 1)
        (notice,) = running.app._notifications
        assert "No space left" in notice.message
        await running.press("ctrl+right")
        await running.settle()
        # A toast goes away by itself after some seconds; no other one may have come.
        assert {other.identity for other in running.app._notifications} <= {notice.identity}
        store.error = None
        await running.press("ctrl+right")
        await running.until(lambda: store.saves == 1)
