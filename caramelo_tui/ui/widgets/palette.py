"""Turn the theme's colours into the styles that strips are made of.

Owns one frozen set of Rich styles, each with its background, made once per theme. Widgets of
the line API paint past the style sheet, so every style here is whole. Proven by
tests/unit/ui/test_palette.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rich.style import Style

from caramelo_tui.ui.formatting import state_variable
from caramelo_tui.ui.themes import FALLBACK_VARIABLES

_FALLBACK_COLORS: Mapping[str, str] = {
    **FALLBACK_VARIABLES,
    "background": "#1a1613",
    "surface": "#231d19",
    "panel": "#2e2621",
    "foreground": "#ede3d6",
    "primary": "#e6a95c",
    "secondary": "#8cc0b2",
    "accent": "#f3c887",
    "warning": "#ecc15a",
    "error": "#ee8679",
    "success": "#97c97d",
}


@dataclass(frozen=True, slots=True)
class Palette:
    """Styles for one theme; look one up by ``style`` or by the named shorthands."""

    colors: Mapping[str, str]
    """Theme variable to ``#rrggbb``."""
    _styles: dict[tuple[str, str, str], Style] = field(
        default_factory=dict[tuple[str, str, str], Style], repr=False, compare=False
    )

    @classmethod
    def of(cls, variables: Mapping[str, str]) -> "Palette":
        """Return the palette of an app's theme variables.

        A value that is no plain hexadecimal colour (a foreign theme may say ``auto 60%``)
        falls back to our default's.
        """
        return cls(
            colors={
                name: _plain_color(variables.get(name, fallback), fallback)
                for name, fallback in _FALLBACK_COLORS.items()
            }
        )

    def style(self, color: str, background: str = "background", attributes: str = "") -> Style:
        """Return the style of two theme variables, with attributes such as ``bold italic``."""
        key = (color, background, attributes)
        found = self._styles.get(key)
        if found is None:
            made = Style.parse(attributes) if attributes else Style.null()
            found = made + Style(color=self.colors[color], bgcolor=self.colors[background])
            self._styles[key] = found
        return found

    @property
    def text(self) -> Style:
        """Plain text."""
        return self.style("foreground")

    @property
    def muted(self) -> Style:
        """Text that may be passed over."""
        return self.style("muted")

    @property
    def line(self) -> Style:
        """Rules and other strokes."""
        return self.style("line")

    @property
    def strong(self) -> Style:
        """Plain text, bold."""
        return self.style("foreground", attributes="bold")

    @property
    def accent(self) -> Style:
        """What matters now, bold."""
        return self.style("primary", attributes="bold")

    def state(self, state: str, background: str = "background") -> Style:
        """Return the style of a call's state sign."""
        return self.style(state_variable(state), background, "bold")


def _plain_color(value: str, fallback: str) -> str:
    # A theme's generated colours come as #rrggbb, or with an alpha that strips cannot show.
    if value.startswith("#") and len(value) == len("#rrggbb"):
        return value.lower()
    return fallback
