from caramelo_tui.ui.pane_layout import USUAL_SIZES, PaneSizes, ScreenClass
from caramelo_tui.ui.pane_sizes import SizesByClass


def test_what_is_kept_comes_back() -> None:
    before, after = SizesByClass(), SizesByClass()
    before.put(ScreenClass.WIDE, PaneSizes(files=200, tools=400))
    before.put(ScreenClass.MEDIUM, PaneSizes(changes=500))
    after.take(before.kept())
    assert after.of(ScreenClass.WIDE) == PaneSizes(files=200, tools=400)
    assert after.of(ScreenClass.MEDIUM) == PaneSizes(changes=500)


def test_each_size_class_has_sizes_of_its_own() -> None:
    sizes = SizesByClass()
    sizes.put(ScreenClass.WIDE, PaneSizes(files=200))
    assert sizes.of(ScreenClass.MEDIUM) == USUAL_SIZES


def test_usual_places_are_not_kept() -> None:
    sizes = SizesByClass()
    sizes.put(ScreenClass.WIDE, USUAL_SIZES)
    assert sizes.kept() == {}


def test_what_is_no_size_is_left_out() -> None:
    sizes = SizesByClass()
    sizes.take({"wide": {"files": -1, "changes": 1001, "tools": 1000, "more": 3}, "huge": {}})
    assert sizes.of(ScreenClass.WIDE) == PaneSizes(tools=1000)
    assert sizes.kept() == {"wide": {"tools": 1000}}
