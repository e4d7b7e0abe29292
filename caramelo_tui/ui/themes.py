"""Load colour themes from TOML files.

Owns the theme file format, its check, and the fallback values of our own style variables.
A broken file is a value (``ThemeFailure``), never an exception: the app starts with the
themes that are whole. Proven by tests/unit/ui/test_themes.py.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from textual.theme import Theme

DEFAULT_THEME = "caramelo"
"""Name of the theme that is used when none is chosen."""

MONO_THEME = "mono"
"""Name of the theme for ``NO_COLOR``."""

COLORS = (
    "background",
    "surface",
    "panel",
    "foreground",
    "primary",
    "secondary",
    "accent",
    "success",
    "warning",
    "error",
)
"""Keys of ``[colors]``; all are required."""

FALLBACK_VARIABLES: Mapping[str, str] = {
    "muted": "#a89a8b",
    "line": "#4a3e36",
    "code-background": "#241e1a",
    "diff-added": "#a9d696",
    "diff-added-background": "#1d2a1b",
    "diff-added-word": "#294a23",
    "diff-removed": "#f0a79c",
    "diff-removed-background": "#33201d",
    "diff-removed-word": "#5f2b25",
    "state-waiting": "#ecc15a",
    "state-running": "#8cc0b2",
    "state-ok": "#97c97d",
    "state-error": "#ee8679",
    "state-muted": "#a89a8b",
    "syntax-keyword": "#e6a95c",
    "syntax-string": "#a9cf8f",
    "syntax-number": "#d9a9c9",
    "syntax-comment": "#a0917f",
    "syntax-function": "#f0d08f",
    "syntax-type": "#8cc0b2",
    "syntax-name": "#ede3d6",
    "syntax-operator": "#cbb8a4",
}
"""Keys of ``[variables]`` with the values for a theme that is not ours; the app returns them
from ``get_theme_variable_defaults``, so that a style sheet never meets an unknown variable."""

_OURS = FALLBACK_VARIABLES.keys()
_HEX_COLOR = re.compile(r"#[0-9a-fA-F]{6}")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class ThemeFailure:
    """A theme file that cannot be used."""

    path: Path
    problem: str
    """What is wrong and what is allowed, fit for a notice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedThemes:
    """What a look through the theme folders brought."""

    themes: tuple[Theme, ...]
    """Whole themes, sorted by file name within each folder; a later folder wins a name."""
    failures: tuple[ThemeFailure, ...]


def load_themes(user_folder: Path | None = None) -> LoadedThemes:
    """Return the shipped themes and those of ``user_folder``; never raises.

    Args:
        user_folder: Folder with the user's own ``*.toml``; may be missing.
    """
    folders = [shipped_folder()]
    if user_folder is not None:
        folders.append(user_folder)
    themes: dict[str, Theme] = {}
    failures: list[ThemeFailure] = []
    for path in _theme_files(folders):
        outcome = load_theme(path)
        if isinstance(outcome, ThemeFailure):
            failures.append(outcome)
        else:
            themes[outcome.name] = outcome
    return LoadedThemes(themes=tuple(themes.values()), failures=tuple(failures))


def names_of_ours(themes: Iterable[Theme]) -> tuple[str, ...]:
    """Return the names of those themes that were loaded here, in order of the alphabet."""
    return tuple(sorted(theme.name for theme in themes if theme.variables.keys() >= _OURS))


def shipped_folder() -> Path:
    """Return the folder of the shipped themes: in the package, or at the top of a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "themes"
    return inside if inside.is_dir() else package.parent / "themes"


def load_theme(path: Path) -> Theme | ThemeFailure:
    """Return the theme of one file, or why it cannot be used; never raises."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        return ThemeFailure(path=path, problem=f"cannot be read: {error}")
    problems = list(_problems(table))
    if problems:
        return ThemeFailure(path=path, problem="; ".join(problems))
    colors = _table(table, "colors")
    return Theme(
        name=str(table["name"]),
        dark=bool(table["is_dark"]),
        variables=_variables(colors, _table(table, "variables")),
        # The pane grounds are shown as the file says, not spread or thinned by Textual.
        luminosity_spread=0.12,
        text_alpha=1.0,
        primary=colors["primary"],
        secondary=colors["secondary"],
        warning=colors["warning"],
        error=colors["error"],
        success=colors["success"],
        accent=colors["accent"],
        foreground=colors["foreground"],
        background=colors["background"],
        surface=colors["surface"],
        panel=colors["panel"],
    )


def _theme_files(folders: Iterable[Path]) -> list[Path]:
    return [path for folder in folders for path in sorted(folder.glob("*.toml"))]


def _problems(table: Mapping[str, object]) -> Iterable[str]:
    """Yield every reason why a decoded theme file cannot be used."""
    unknown = sorted(set(table) - {"name", "title", "is_dark", "colors", "variables"})
    if unknown:
        yield f"unknown keys: {', '.join(unknown)}"
    name = table.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        yield "name must be lower-case letters, digits and dashes"
    if not isinstance(table.get("is_dark"), bool):
        yield "is_dark must be true or false"
    yield from _table_problems(table.get("colors"), "colors", required=COLORS, allowed=COLORS)
    yield from _table_problems(
        table.get("variables", {}), "variables", required=(), allowed=tuple(FALLBACK_VARIABLES)
    )


def _table_problems(
    value: object, section: str, *, required: tuple[str, ...], allowed: tuple[str, ...]
) -> Iterable[str]:
    if not isinstance(value, dict):
        yield f"[{section}] must be a table"
        return
    items: dict[object, object] = {**value}
    for missing in sorted(set(required) - set(items)):
        yield f"[{section}] lacks {missing}"
    for key, color in items.items():
        if key not in allowed:
            yield f"[{section}] has an unknown key {key}"
        elif not isinstance(color, str) or not _HEX_COLOR.fullmatch(color):
            yield f"[{section}] {key} must be a colour such as #1a2b3c"


def _table(table: Mapping[str, object], section: str) -> dict[str, str]:
    """Return a checked section with texts for keys and values."""
    value = table.get(section, {})
    if not isinstance(value, dict):
        return {}
    items: dict[object, object] = {**value}
    return {str(key): str(color) for key, color in items.items()}


def _variables(colors: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """Return our variables and the few of Textual's that our look depends on."""
    values = {**FALLBACK_VARIABLES, **own}
    return {
        **values,
        "border": colors["primary"],
        "border-blurred": values["line"],
        "block-cursor-background": colors["primary"],
        "block-cursor-foreground": colors["background"],
        "block-cursor-text-style": "bold",
        "input-cursor-background": colors["primary"],
        "input-cursor-foreground": colors["background"],
        "button-color-foreground": colors["background"],
        "footer-key-foreground": colors["primary"],
        "scrollbar": values["line"],
        "scrollbar-background": colors["background"],
        "scrollbar-hover": colors["primary"],
        "scrollbar-active": colors["primary"],
        "scrollbar-background-hover": colors["background"],
        "scrollbar-background-active": colors["background"],
        "scrollbar-corner-color": colors["background"],
    }
