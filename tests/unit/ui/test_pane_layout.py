import pytest
from textual.geometry import Region, Size

from caramelo_tui.ui.pane_layout import (
    PANES,
    USUAL_SIZES,
    Border,
    LayoutWish,
    PaneSizes,
    Place,
    ScreenClass,
    border_of,
    class_of,
    moved,
    place_of_border,
    plan_panes,
)


def area(columns: int, rows: int) -> Size:
    """Return the area above the status bar of a whole screen."""
    return Size(columns, rows - 1)


@pytest.mark.parametrize(
    ("columns", "rows", "expected"),
    [
        (130, 40, ScreenClass.WIDE),
        (129, 40, ScreenClass.MEDIUM),
        (100, 40, ScreenClass.MEDIUM),
        (99, 40, ScreenClass.NARROW),
        (60, 16, ScreenClass.NARROW),
        (59, 16, ScreenClass.TOO_SMALL),
        (60, 15, ScreenClass.TOO_SMALL),
    ],
)
def test_classes_change_at_the_promised_sizes(
    columns: int, rows: int, expected: ScreenClass
) -> None:
    assert class_of(Size(columns, rows)) is expected


@pytest.mark.parametrize("columns", [130, 160, 240, 400])
@pytest.mark.parametrize("rows", [16, 24, 45, 100])
def test_a_wide_screen_is_covered_without_gap_or_overlap(columns: int, rows: int) -> None:
    size = area(columns, rows)
    regions = list(plan_panes(size, LayoutWish()).regions.values())
    assert sum(region.area for region in regions) == size.area
    for index, region in enumerate(regions):
        assert all(not region.overlaps(other) for other in regions[index + 1 :])


def test_all_panes_show_on_a_wide_screen() -> None:
    plan = plan_panes(area(160, 45), LayoutWish())
    assert set(plan.regions) == {*PANES, Place.PROMPT}


def test_files_fold_away_on_a_medium_screen_and_come_back_over_the_left_edge() -> None:
    closed = plan_panes(area(110, 40), LayoutWish())
    opened = plan_panes(area(110, 40), LayoutWish(is_files_open=True))
    assert Place.FILES not in closed.regions
    assert opened.regions[Place.FILES].x == 0
    assert opened.regions[Place.CONVERSATION] == closed.regions[Place.CONVERSATION]


@pytest.mark.parametrize("active", PANES)
def test_one_pane_at_a_time_on_a_narrow_screen(active: Place) -> None:
    plan = plan_panes(area(80, 24), LayoutWish(active=active))
    assert set(plan.regions) == {Place.TABS, active, Place.PROMPT}
    assert plan.regions[active] == Region(0, 1, 80, 19)


def test_zoom_gives_one_pane_the_room_on_a_wide_screen_too() -> None:
    plan = plan_panes(area(160, 45), LayoutWish(active=Place.TOOLS, is_zoomed=True))
    assert set(plan.regions) == {Place.TABS, Place.TOOLS, Place.PROMPT}
    assert plan.regions[Place.TOOLS].width == 160


def test_the_prompt_grows_with_its_text_but_takes_a_third_at_most() -> None:
    small = plan_panes(area(80, 24), LayoutWish(prompt_rows=1)).regions[Place.PROMPT]
    large = plan_panes(area(80, 24), LayoutWish(prompt_rows=50)).regions[Place.PROMPT]
    assert small.height == 3
    assert large.height == 23 // 3


def test_the_smallest_screen_leaves_the_pane_most_of_the_rows() -> None:
    plan = plan_panes(area(60, 16), LayoutWish())
    assert plan.is_short
    assert plan.regions[Place.CONVERSATION].height == 12
    assert plan.regions[Place.PROMPT].height == 2


def test_below_the_smallest_size_there_is_only_the_notice() -> None:
    plan = plan_panes(area(40, 12), LayoutWish())
    assert set(plan.regions) == {Place.TOO_SMALL}


EXTREMES = (
    USUAL_SIZES,
    PaneSizes(files=0, changes=0, tools=0),
    PaneSizes(files=1000, changes=1000, tools=1000),
    PaneSizes(files=1000),
    PaneSizes(changes=1000),
)


@pytest.mark.parametrize("columns", [100, 115, 129, 130, 160, 400])
@pytest.mark.parametrize("rows", [16, 45])
@pytest.mark.parametrize("sizes", EXTREMES)
def test_wherever_the_borders_are_put_no_pane_is_squeezed_out(
    columns: int, rows: int, sizes: PaneSizes
) -> None:
    size = area(columns, rows)
    regions = list(plan_panes(size, LayoutWish(), sizes).regions.values())
    assert sum(region.area for region in regions) == size.area
    assert all(region.width >= 16 and region.height >= 2 for region in regions)
    for index, region in enumerate(regions):
        assert all(not region.overlaps(other) for other in regions[index + 1 :])


@pytest.mark.parametrize("columns", range(130, 200, 7))
@pytest.mark.parametrize("border", [Border.FILES, Border.CHANGES])
def test_a_border_stands_where_it_was_put(columns: int, border: Border) -> None:
    size = area(columns, 45)
    place = 26 if border is Border.FILES else columns - 41
    plan = plan_panes(size, LayoutWish(), moved(USUAL_SIZES, size, border, place))
    assert place_of_border(plan, border) == place


def test_sizes_follow_the_screen() -> None:
    sizes = PaneSizes(files=200, changes=400, tools=500)
    plan = plan_panes(Size(200, 60), LayoutWish(), sizes)
    assert plan.regions[Place.FILES].width == 40
    assert plan.regions[Place.CHANGES].width == 80
    assert plan.regions[Place.TOOLS].height == 30


def test_files_over_the_left_edge_leave_the_border_of_changes_free() -> None:
    plan = plan_panes(area(110, 40), LayoutWish(is_files_open=True), PaneSizes(files=900))
    assert plan.regions[Place.FILES].right <= plan.regions[Place.CHANGES].x


def test_each_pane_moves_the_border_beside_it() -> None:
    plan = plan_panes(area(160, 45), LayoutWish())
    assert border_of(Place.FILES, plan, is_upright=True) is Border.FILES
    assert border_of(Place.PROMPT, plan, is_upright=True) is Border.CHANGES
    assert border_of(Place.FILES, plan, is_upright=False) is Border.TOOLS


@pytest.mark.parametrize("wish", [LayoutWish(is_zoomed=True), LayoutWish()])
def test_one_column_has_no_borders(wish: LayoutWish) -> None:
    columns = 160 if wish.is_zoomed else 80
    plan = plan_panes(area(columns, 24), wish)
    assert plan.borders == {}
    assert border_of(Place.CHANGES, plan, is_upright=True) is None
