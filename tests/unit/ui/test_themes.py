"""The shipped themes are whole and legible; a broken one is a value."""

import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.theme import Theme

from caramelo_tui.ui.formatting import STATE_SIGNS
from caramelo_tui.ui.themes import (
    COLORS,
    DEFAULT_THEME,
    FALLBACK_VARIABLES,
    MONO_THEME,
    ThemeFailure,
    load_theme,
    load_themes,
    shipped_folder,
)
from caramelo_tui.ui.touch_marks import Mark
from caramelo_tui.ui.widgets.diff_sections import FATE_SIGNS
from caramelo_tui.ui.widgets.hunk_rows import Fate

SHIPPED = (
    *(DEFAULT_THEME, "caramelo-light", "high-contrast", MONO_THEME),
    *("blue-orange", "blue-orange-light"),
)
SYNTAX = tuple(name for name in FALLBACK_VARIABLES if name.startswith("syntax-"))
STATES = tuple(name for name in FALLBACK_VARIABLES if name.startswith("state-"))
TEXTS = (
    *("foreground", "muted", "primary", "secondary", "accent", "success", "warning", "error"),
    *STATES,
)


def shipped() -> dict[str, Theme]:
    return {theme.name: theme for theme in load_themes().themes}


def pairs() -> Iterator[tuple[str, str]]:
    """Yield every text colour with every ground it is drawn on."""
    for ground in ("background", "surface", "panel"):
        yield from ((text, ground) for text in TEXTS)
    for ground in ("code-background", "diff-added-background", "diff-removed-background"):
        yield from ((text, ground) for text in (*SYNTAX, "foreground", "muted"))
    for change in ("added", "removed"):
        for ground in ("background", "panel", f"diff-{change}-background", f"diff-{change}-word"):
            yield f"diff-{change}", ground
        # A comment on a changed word is drawn in the plain colour.
        words = (name for name in SYNTAX if name != "syntax-comment")
        yield from ((name, f"diff-{change}-word") for name in words)
    yield from (("background", "primary"), ("background", "warning"), ("accent", "code-background"))


def linear(color: str) -> list[float]:
    """Return ``#rrggbb`` as linear RGB."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def luminance(color: str) -> float:
    """Return the relative luminance of ``#rrggbb`` (WCAG 2.2)."""
    red, green, blue = linear(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


# Machado, Oliveira, Fernandes: A Physiologically-based Model for Simulation of Color Vision
# Deficiency (2009), severity 1.0; for linear RGB.
SIGHTS = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}
OPPOSITES = (
    *(("diff-added", "diff-removed"), ("diff-added-background", "diff-removed-background")),
    *(("diff-added-word", "diff-removed-word"), ("state-ok", "state-error"), ("success", "error")),
)


def lab(red: float, green: float, blue: float) -> tuple[float, float, float]:
    """Return CIE L*a*b* (D65) of a linear RGB colour."""
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (
        part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z)
    )
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def seen(color: str, sight: str) -> tuple[float, float, float]:
    """Return a colour as somebody with that sight sees it."""
    rgb = linear(color)
    red, green, blue = (
        min(max(sum(a * b for a, b in zip(row, rgb, strict=True)), 0.0), 1.0)
        for row in SIGHTS[sight]
    )
    return lab(red, green, blue)


def color_of(theme: Theme, name: str) -> str:
    value = theme.variables.get(name) or getattr(theme, name)
    assert isinstance(value, str)
    return value


def test_all_shipped_themes_load_without_a_failure() -> None:
    loaded = load_themes()
    assert loaded.failures == ()
    names = {theme.name for theme in loaded.themes}
    assert names == set(SHIPPED)


def test_every_shipped_file_names_itself_and_every_variable() -> None:
    for path in shipped_folder().glob("*.toml"):
        theme = load_theme(path)
        assert isinstance(theme, Theme)
        assert theme.name == path.stem
        text = path.read_text(encoding="utf-8")
        missing = [name for name in (*COLORS, *FALLBACK_VARIABLES) if f"\n{name} = " not in text]
        assert missing == []


@pytest.mark.parametrize("name", SHIPPED)
def test_every_text_stands_out_from_every_ground_it_is_drawn_on(name: str) -> None:
    theme = shipped()[name]
    needed = 7.0 if name == "high-contrast" else 4.5
    weak = [
        (text, ground, round(ratio, 2))
        for text, ground in pairs()
        if (ratio := contrast(color_of(theme, text), color_of(theme, ground))) < needed
    ]
    assert weak == []


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("name", ["blue-orange", "blue-orange-light"])
def test_opposites_stay_apart_for_who_sees_red_and_green_alike(name: str, sight: str) -> None:
    theme = shipped()[name]
    close = [
        (first, second, round(distance))
        for first, second in OPPOSITES
        if (
            distance := math.dist(
                seen(color_of(theme, first), sight), seen(color_of(theme, second), sight)
            )
        )
        < 20
    ]
    assert close == []


def test_states_and_marks_have_signs_of_their_own() -> None:
    """What a colour says, a sign says too; refused by the policy and by a person is one thing."""
    states = {state: sign for state, sign in STATE_SIGNS.items() if state != "rejected"}
    for signs in (states.values(), [mark.value for mark in Mark]):
        assert len(set(signs)) == len(signs)
    assert STATE_SIGNS["rejected"] == STATE_SIGNS["denied"]
    assert FATE_SIGNS[Fate.ACCEPTED] != FATE_SIGNS[Fate.REJECTED]


def test_mono_has_no_hue() -> None:
    theme = shipped()[MONO_THEME]
    for name in (*COLORS, *FALLBACK_VARIABLES):
        color = color_of(theme, name)
        assert color[1:3] == color[3:5] == color[5:7], name


def test_a_broken_theme_stands_beside_the_whole_ones(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("name = [", encoding="utf-8")
    loaded = load_themes(tmp_path)
    assert [failure.path.name for failure in loaded.failures] == ["bad.toml"]
    assert "cannot be read" in loaded.failures[0].problem
    assert DEFAULT_THEME in {theme.name for theme in loaded.themes}


def test_a_user_theme_takes_the_place_of_a_shipped_one(tmp_path: Path) -> None:
    text = (shipped_folder() / "caramelo.toml").read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(text.replace("#1a1613", "#000001"), encoding="utf-8")
    themes = {theme.name: theme for theme in load_themes(tmp_path).themes}
    assert themes[DEFAULT_THEME].background == "#000001"


def test_a_missing_user_folder_is_no_failure(tmp_path: Path) -> None:
    assert load_themes(tmp_path / "none").failures == ()


def test_a_failure_names_every_problem(tmp_path: Path) -> None:
    path = tmp_path / "theme.toml"
    path.write_text(
        'name = "My Theme"\nextra = 1\n[colors]\nprimary = "red"\nbackgruond = "#000000"\n'
        '[variables]\nnope = "#000000"\n',
        encoding="utf-8",
    )
    failure = load_theme(path)
    assert isinstance(failure, ThemeFailure)
    for words in (
        "unknown keys: extra",
        "name must be",
        "is_dark must be",
        "[colors] lacks background",
        "[colors] primary must be a colour",
        "[colors] has an unknown key backgruond",
        "[variables] has an unknown key nope",
    ):
        assert words in failure.problem


def test_a_section_that_is_no_table_is_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "theme.toml"
    path.write_text('name = "x"\nis_dark = true\ncolors = 3\n', encoding="utf-8")
    failure = load_theme(path)
    assert isinstance(failure, ThemeFailure)
    assert "[colors] must be a table" in failure.problem


def test_a_file_that_is_not_utf8_is_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "theme.toml"
    path.write_bytes(b"name = '\xff'")
    assert isinstance(load_theme(path), ThemeFailure)
