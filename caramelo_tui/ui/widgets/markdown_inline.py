"""Turn the inline tokens of a paragraph into styled runs.

Owns emphasis, links, inline code and line breaks. Text is made safe here, after parsing,
because an entity such as ``&#27;`` is decoded by the parser only. Links are shown, never
made clickable. Proven by tests/unit/ui/test_markdown_lines.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from caramelo_tui.ui.widgets.cells import Line, one_line
from caramelo_tui.ui.widgets.palette import Palette

if TYPE_CHECKING:
    from markdown_it.token import Token

_FLAGS = {
    "strong_open": ("bold", 1),
    "strong_close": ("bold", -1),
    "em_open": ("italic", 1),
    "em_close": ("italic", -1),
    "s_open": ("strike", 1),
    "s_close": ("strike", -1),
    "link_open": ("underline", 1),
    "link_close": ("underline", -1),
}


@dataclass(frozen=True, slots=True)
class Look:
    """How plain text looks where it stands."""

    color: str = "foreground"
    background: str = "background"
    attributes: str = ""


class InlineRuns:
    """Collect the runs of one inline token, one line for each hard break."""

    def __init__(self, palette: Palette, look: Look) -> None:
        self._palette = palette
        self._look = look
        self._flags = {"bold": 0, "italic": 0, "strike": 0, "underline": 0}
        self._links: list[tuple[str, int]] = []
        self.lines: list[Line] = [[]]

    def add(self, tokens: Sequence["Token"]) -> "InlineRuns":
        """Take the children of an inline token."""
        for token in tokens:
            self._add_one(token)
        return self

    def _add_one(self, token: "Token") -> None:
        flag = _FLAGS.get(token.type)
        if flag is not None:
            self._flag(token, *flag)
            return
        match token.type:
            case "softbreak":
                self._text(" ")
            case "hardbreak":
                self.lines.append([])
            case "code_inline":
                self._code(token.content)
            case "image":
                self._text(f"[image: {token.content}]")
                self._target(str(token.attrs.get("src", "")))
            case _:
                self._text(token.content)

    def _flag(self, token: "Token", name: str, change: int) -> None:
        self._flags[name] += change
        if token.type == "link_open":
            self._links.append((str(token.attrs.get("href", "")), len(self._shown())))
        elif token.type == "link_close" and self._links:
            target, start = self._links.pop()
            if self._shown()[start:] not in {target, target.removeprefix("mailto:")}:
                self._target(target)

    def _text(self, text: str) -> None:
        if not text:
            return
        set_flags = [name for name, depth in self._flags.items() if depth]
        attributes = " ".join([self._look.attributes, *set_flags]).strip()
        color = "secondary" if self._flags["underline"] else self._look.color
        self._run(text, color, self._look.background, attributes)

    def _code(self, text: str) -> None:
        attributes = "bold" if self._flags["bold"] else ""
        self._run(text, "accent", "code-background", attributes)

    def _target(self, target: str) -> None:
        # Where a link leads is always said: its text can claim anything.
        if target:
            self._run(f" ({target})", "muted", self._look.background, "")

    def _run(self, text: str, color: str, background: str, attributes: str) -> None:
        style = self._palette.style(color, background, attributes)
        self.lines[-1].append((one_line(text), style))

    def _shown(self) -> str:
        return "".join(text for line in self.lines for text, _style in line)
