"""Styles are whole and follow the theme."""

from caramelo_tui.ui.themes import load_themes
from caramelo_tui.ui.widgets.palette import Palette


def test_every_style_has_a_colour_and_a_ground() -> None:
    palette = Palette.of({})
    for style in (palette.text, palette.muted, palette.line, palette.strong, palette.accent):
        assert style.color is not None
        assert style.bgcolor is not None
    assert palette.state("ok", "panel").bgcolor is not None


def test_values_come_from_the_theme() -> None:
    theme = next(theme for theme in load_themes().themes if theme.name == "caramelo-light")
    palette = Palette.of({**theme.to_color_system().generate(), **theme.variables})
    color = palette.text.color
    assert color is not None
    assert color.name == theme.foreground
    assert palette.colors["background"] == "#fbf6ee"


def test_a_value_that_is_no_plain_colour_falls_back() -> None:
    assert Palette.of({"muted": "auto 60%"}).colors["muted"] == Palette.of({}).colors["muted"]
    assert Palette.of({"muted": "#12345678"}).colors["muted"] == Palette.of({}).colors["muted"]


def test_attributes_are_kept() -> None:
    style = Palette.of({}).style("primary", attributes="bold italic")
    assert style.bold
    assert style.italic


def test_the_same_style_is_the_same_object() -> None:
    palette = Palette.of({})
    assert palette.style("muted") is palette.style("muted")
