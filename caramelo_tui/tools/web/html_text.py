"""Turn a page of HTML into plain Markdown-like text, without any library.

Owns the fallback for when the extra ``web`` is not installed: headings, paragraphs, lists,
links, emphasis and code; no tables. Imports the standard library only, since it runs in the
worker process. Proven by tests/unit/tools/web/test_html_text.py.
"""

import re
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from typing import Final
from urllib.parse import urljoin

DROPPED: Final = frozenset(
    {"script", "style", "nav", "aside", "template", "svg", "iframe", "noscript", "object", "select"}
)
"""Elements that are left out with all that is in them."""
_BLOCKS: Final = frozenset(
    {
        "address", "article", "blockquote", "body", "dd", "details", "div", "dl", "dt", "fieldset",
        "figcaption", "figure", "footer", "form", "header", "hr", "li", "main", "ol", "p", "pre",
        "section", "summary", "table", "tbody", "thead", "tr", "ul",
    }
)  # fmt: skip
_HEADINGS: Final = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_MARKS: Final = {"b": "**", "strong": "**", "em": "*", "i": "*", "code": "`"}
_CONTAINERS: Final = frozenset(
    {
        "a", "abbr", "address", "article", "b", "bdi", "big", "blockquote", "button", "center",
        "cite", "code", "del", "details", "dfn", "dialog", "div", "dl", "em", "fieldset", "figure",
        "font", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "i", "ins",
        "kbd", "label", "main", "map", "mark", "menu", "ol", "pre", "q", "s", "samp", "section",
        "small", "span", "strong", "sub", "sup", "table", "textarea", "tt", "u", "ul", "var",
    }
)  # fmt: skip
"""Elements that have to be closed, so that hiding one cannot swallow the rest of the page."""
_ENDED_BY: Final[Mapping[str, frozenset[str]]] = {
    "p": _BLOCKS | _HEADINGS.keys(),
    "li": frozenset({"li"}),
    "dd": frozenset({"dd", "dt"}),
    "dt": frozenset({"dd", "dt"}),
    "td": frozenset({"td", "th", "tr", "tbody"}),
    "th": frozenset({"td", "th", "tr", "tbody"}),
    "tr": frozenset({"tr", "tbody"}),
}
"""Elements that need not be closed, with those whose begin ends them; the end of what they stand
in does too (HTML standard, "Optional tags", read 2026-11)."""
_HIDING_STYLE: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:font-size|opacity)\s*:\s*0+"
    r"(?:\.0*)?(?![.\d])",
    re.IGNORECASE,
)
_STYLE_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_LINK_SCHEMES: Final = ("http://", "https://", "mailto:")
_BLANKS: Final = re.compile(r"[ \t\r\n\f]+")
_DEEPEST_LIST: Final = 12


class _Text(HTMLParser):
    """Collects the lines of a page."""

    def __init__(self, base_url: str) -> None:
        super().__init__(convert_charrefs=True)
        self._base_url = base_url
        self._dropped: list[str] = []
        self._lists: list[int] = []
        self._links: list[str] = []
        self._pre_depth = 0
        self._is_title = False
        self._line = ""
        self._prefix = ""
        self.lines: list[str] = []
        self.title = ""

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """Open an element."""
        values = dict(attrs)
        if self._dropped and tag in _ENDED_BY.get(self._dropped[-1], ()):
            self._dropped.pop()
        is_inside = bool(self._dropped) and self._dropped[-1] in _ENDED_BY and tag in _CONTAINERS
        if tag in DROPPED or tag in self._dropped or is_inside or _is_hidden(tag, values):
            self._dropped.append(tag)
        if self._dropped:
            return
        self._is_title = tag == "title"
        if tag in _BLOCKS or tag in _HEADINGS:
            self._open_block(tag)
        elif tag == "a":
            self._open_link(values.get("href") or "")
        elif tag == "br":
            self._break_line(is_paragraph=False)
        elif tag in {"td", "th"}:
            self._line += " "
        self._mark(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close an element."""
        is_around = tag in _BLOCKS and tag not in self._dropped
        if self._dropped and self._dropped[-1] in _ENDED_BY and is_around:
            self._dropped.pop()
        if self._dropped:
            if tag in self._dropped:
                while self._dropped.pop() != tag:
                    pass
            return
        if tag == "title":
            self._is_title = False
        self._mark(tag)
        if tag == "a" and self._links:
            target = self._links.pop()
            self._line += f"]({target})" if target else ""
        if tag in _BLOCKS or tag in _HEADINGS:
            self._break_line()
        if tag in {"ul", "ol"} and self._lists:
            self._lists.pop()
        if tag == "pre" and self._pre_depth:
            self._pre_depth -= 1
            self.lines += ["```", ""]

    def handle_data(self, data: str) -> None:
        """Take text."""
        if self._dropped:
            return
        if self._is_title:
            self.title += data
        elif self._pre_depth:
            first, *rest = data.split("\n")
            self._line += first
            for line in rest:
                self.lines.append(self._line)
                self._line = line
        else:
            text = _BLANKS.sub(" ", data)
            self._line += text.lstrip() if not self._line or self._line.endswith(" ") else text

    def close(self) -> None:
        """Finish the last line."""
        super().close()
        self._break_line()

    def _open_block(self, tag: str) -> None:
        self._break_line()
        if tag in _HEADINGS:
            self._prefix = _HEADINGS[tag]
        elif tag in {"ul", "ol"}:
            self._lists.append(0 if tag == "ol" else -1)
        elif tag == "li":
            self._prefix = self._list_mark()
        elif tag == "pre":
            self._pre_depth += 1
            self.lines.append("```")

    def _break_line(self, *, is_paragraph: bool = True) -> None:
        line = self._line if self._pre_depth else self._line.strip()
        if line:
            self.lines.append(self._prefix + line)
            self._prefix = ""
            if is_paragraph and not self._lists and not self._pre_depth:
                self.lines.append("")
        self._line = ""

    def _list_mark(self) -> str:
        if not self._lists:
            return "- "
        indent = "  " * (min(len(self._lists), _DEEPEST_LIST) - 1)
        if self._lists[-1] < 0:
            return f"{indent}- "
        self._lists[-1] += 1
        return f"{indent}{self._lists[-1]}. "

    def _open_link(self, href: str) -> None:
        try:
            target = urljoin(self._base_url, href.strip()) if href else ""
        except ValueError:
            target = ""
        is_shown = target.startswith(_LINK_SCHEMES) and not _BLANKS.search(target)
        self._links.append(target if is_shown else "")
        self._line += "[" if is_shown else ""

    def _mark(self, tag: str) -> None:
        if tag in _MARKS and not self._pre_depth:
            self._line += _MARKS[tag]


def _is_hidden(tag: str, values: Mapping[str, str | None]) -> bool:
    """Whether a reader does not see an element; what is in it is meant for programs."""
    if tag not in _CONTAINERS and tag not in _ENDED_BY:
        return False
    style = _STYLE_COMMENT.sub("", values.get("style") or "")
    return "hidden" in values or _HIDING_STYLE.search(style) is not None


def html_to_text(html: str, *, base_url: str) -> tuple[str, str]:
    """Return the text of a page and its title.

    Args:
        html: The page; need not be well formed.
        base_url: What relative links are resolved against.
    """
    parser = _Text(base_url)
    parser.feed(html)
    parser.close()
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(parser.lines)).strip()
    return text, _BLANKS.sub(" ", parser.title).strip()
