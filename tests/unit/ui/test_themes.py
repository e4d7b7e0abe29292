"""The shipped themes are whole and legible; a broken one is a value."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.theme import Theme

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


def luminance(color: str) -> float:
    """Return the relative luminance of ``#rrggbb`` (WCAG 2.2)."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def color_of(theme: Theme, name: str) -> str:
    value = theme.variables.get(name) or getattr(theme, name)
    assert isinstance(value, str)
    return value


def test_all_shipped_themes_load_without_a_failure() -> None:
    loaded = load_themes()
    assert loaded.failures == ()
    names = {theme.name for theme in loaded.themes}
    assert names >= {DEFAULT_THEME, "caramelo-light", "high-contrast", MONO_THEME}


def test_every_shipped_file_names_itself_and_every_variable() -> None:
    for path in shipped_folder().glob("*.toml"):
        theme = load_theme(path)
        assert isinstance(theme, Theme)
        assert theme.name == path.stem
        text = path.read_text(encoding="utf-8")
        missing = [name for name in (*COLORS, *FALLBACK_VARIABLES) if f"\n{name} = " not in text]
        assert missing == []


@pytest.mark.parametrize("name", ["caramelo", "caramelo-light", "high-contrast", "mono"])
def test_every_text_stands_out_from_every_ground_it_is_drawn_on(name: str) -> None:
    theme = shipped()[name]
    needed = 7.0 if name == "high-contrast" else 4.5
    weak = [
        (text, ground, round(ratio, 2))
        for text, ground in pairs()
        if (ratio := contrast(color_of(theme, text), color_of(theme, ground))) < needed
    ]
    assert weak == []


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
