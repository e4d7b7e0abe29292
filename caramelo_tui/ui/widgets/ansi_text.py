"""Turn a line of a program's output into styled runs.

Owns which escape sequences mean a colour here; every other one is dropped, and what is left is
made safe. Text can be coloured but not hidden: a colour that does not stand out from its
ground is not taken. Proven by tests/unit/ui/test_ansi_text.py.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rich.color import Color, ColorParseError
from rich.color_triplet import ColorTriplet
from rich.style import Style

from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.widgets.cells import MAX_LINE_CELLS, Line, expand_tabs
from caramelo_tui.ui.widgets.palette import Palette

MAX_LINE_BYTES = 8_192
"""Bytes of a line that are decoded; no screen shows more."""

MIN_CONTRAST = 2.0
"""Contrast below which a program's colour is not taken (WCAG 2 formula)."""

_SEQUENCE = re.compile(
    r"\x1b\[(?P<sgr>[0-9;:]*)m"
    r"|\x1b\[[0-?]*[ -/]*[@-~]?"
    r"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?"
    r"|\x1b[ -/]*[0-~]?"
    r"|\x9b[0-?]*[ -/]*[@-~]?"
)
_OVERSTRIKE = re.compile(r"[^\x08]\x08")

_FOREGROUNDS = (
    "muted",
    "error",
    "success",
    "warning",
    "secondary",
    "syntax-number",
    "syntax-type",
    "foreground",
)
"""Theme variables of the eight colours, so that they are legible on every theme."""

_BACKGROUNDS = {1: "diff-removed-background", 2: "diff-added-background"}


_SET_FLAGS = {1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "reverse", 9: "strike"}
_CLEARED_FLAGS = {
    22: frozenset({"bold", "dim"}),
    23: frozenset({"italic"}),
    24: frozenset({"underline"}),
    27: frozenset({"reverse"}),
    29: frozenset({"strike"}),
}


@dataclass(frozen=True, slots=True)
class _Look:
    """What the sequences so far mean."""

    color: str = ""
    """Theme variable, or ``#rrggbb``; empty: plain."""
    background: str = ""
    flags: frozenset[str] = frozenset()
    """Of ``bold dim italic underline strike reverse``."""


def output_line(data: bytes, palette: Palette) -> Line:
    """Return one line of output, without its line end, as runs on the plain ground.

    A carriage return shows what was written last over the line; tabs are expanded; what is
    over ``MAX_LINE_CELLS`` is cut and the rest counted.
    """
    text = data[:MAX_LINE_BYTES].decode("utf-8", "replace").rstrip("\r")
    if "\r" in text:
        text = text[text.rindex("\r") + 1 :]
    if "\x08" in text:
        text = _OVERSTRIKE.sub("", text)
    line = _runs(text, palette)
    if len(data) > MAX_LINE_BYTES or sum(len(part) for part, _style in line) > MAX_LINE_CELLS:
        line = _cut(line, len(data), palette)
    return line


def _runs(text: str, palette: Palette) -> Line:
    if "\x1b" not in text and "\x9b" not in text:
        return [(expand_tabs(visible(text)), palette.text)]
    line: Line = []
    look = _Look()
    at = column = 0
    for found in _SEQUENCE.finditer(text):
        column = _add(line, text[at : found.start()], look, palette, column)
        at = found.end()
        if found["sgr"] is not None:
            look = _changed(look, found["sgr"])
    _add(line, text[at:], look, palette, column)
    return line


def _add(line: Line, text: str, look: _Look, palette: Palette, column: int) -> int:
    if not text:
        return column
    shown = expand_tabs(visible(text), column=column)
    line.append((shown, _style(look, palette)))
    return column + len(shown)


def _cut(line: Line, size: int, palette: Palette) -> Line:
    out: Line = []
    room = MAX_LINE_CELLS
    for text, style in line:
        out.append((text[:room], style))
        room -= len(text)
        if room <= 0:
            break
    return [*out, (f" … line of {size:,} bytes", palette.muted)]


def _changed(look: _Look, parameters: str) -> _Look:
    """Apply the parameters of one select-graphic-rendition sequence (ECMA-48, 8.3.117)."""
    codes = [int(code[:4]) if code else 0 for code in re.split("[;:]", parameters)]
    index = 0
    while index < len(codes):
        code = codes[index]
        if code in {38, 48}:
            color, used = _extended(codes[index + 1 :])
            look = replace(look, color=color) if code == 38 else replace(look, background=color)  # noqa: PLR2004 - the standard's own code
            index += used
        else:
            look = _simple(look, code)
        index += 1
    return look


def _simple(look: _Look, code: int) -> _Look:
    if code == 0:
        return _Look()
    if code in _SET_FLAGS:
        return replace(look, flags=look.flags | {_SET_FLAGS[code]})
    if code in _CLEARED_FLAGS:
        return replace(look, flags=look.flags - _CLEARED_FLAGS[code])
    return _colored(look, code)


def _colored(look: _Look, code: int) -> _Look:
    kind, number = divmod(code, 10)
    plain = 9
    if kind in {3, 9} and number < len(_FOREGROUNDS):
        return replace(look, color=_FOREGROUNDS[number])
    if kind in {4, 10} and number < len(_FOREGROUNDS):
        return replace(look, background=_BACKGROUNDS.get(number, "panel"))
    if number == plain and kind == 3:  # noqa: PLR2004 - the standard's own code
        return replace(look, color="")
    if number == plain and kind == 4:  # noqa: PLR2004 - the standard's own code
        return replace(look, background="")
    return look


def _extended(codes: Sequence[int]) -> tuple[str, int]:
    """Return the colour after a 38 or 48, and how many parameters it took."""
    match list(codes):
        case [5, number, *_]:
            if number < len(_FOREGROUNDS):
                return _FOREGROUNDS[number], 2
            try:
                return Color.from_ansi(min(number, 255)).get_truecolor().hex, 2
            except ColorParseError:
                return "", 2
        case [2, red, green, blue, *_]:
            parts = [min(part, 255) for part in (red, green, blue)]
            return ColorTriplet(*parts).hex, 4
        case _:
            return "", len(codes)


def _style(look: _Look, palette: Palette) -> Style:
    colors = palette.colors
    name = look.color or ("muted" if "dim" in look.flags else "foreground")
    color = colors.get(name, name)
    background = colors.get(look.background, look.background) or colors["background"]
    if "reverse" in look.flags:
        color, background = background, color
    if _contrast(color, background) < MIN_CONTRAST:
        color, background = colors["foreground"], colors["background"]
    return Style(
        color=color,
        bgcolor=background,
        bold="bold" in look.flags or None,
        italic="italic" in look.flags or None,
        underline="underline" in look.flags or None,
        strike="strike" in look.flags or None,
    )


@lru_cache(maxsize=1024)
def _contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two ``#rrggbb`` (WCAG 2.2, relative luminance)."""
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: str) -> float:
    parts = [int(color[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4  # noqa: PLR2004 - as the formula says
        for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
