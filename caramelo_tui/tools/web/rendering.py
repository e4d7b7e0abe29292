"""Turn a server's answer into the text of a result.

Owns the result's header, the kinds of bodies and their cuts. Proven by
tests/unit/tools/web/test_rendering.py.
"""

import asyncio
from dataclasses import dataclass

from caramelo_tui.domain.tag_characters import without_tag_characters
from caramelo_tui.tools.base import ToolOutput
from caramelo_tui.tools.output_limits import RESULT_LIMIT_BYTES, headed_text, limit_result
from caramelo_tui.tools.web.content_types import ContentKind, decode, kind_of, media_type_of
from caramelo_tui.tools.web.html_process import HtmlConverter
from caramelo_tui.tools.web.json_layout import laid_out
from caramelo_tui.tools.web.requests import WebAnswer

ERROR_BODY_CHARACTERS = 4_000
"""Start of the body that an error status brings."""
FIRST_ERROR_STATUS = 400
_HEADER_CHARACTERS = 200
"""Longest value from outside within the result's header."""

_HIDDEN_HEADERS = frozenset({"set-cookie", "set-cookie2"})
"""Not shown for HEAD: they may hold a login."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """The text of a body, or the start of it."""

    text: str
    characters: int | None
    """Length of the whole; ``None``: unknown, and longer than ``text``."""
    title: str = ""
    note: str = ""


async def render(
    answer: WebAnswer, *, method: str, max_length: int, converter: HtmlConverter
) -> ToolOutput:
    """Return the result of a call.

    Args:
        answer: What came.
        method: What was asked; HEAD shows the headers.
        max_length: Characters of the body that are wanted, 1 or more.
        converter: Turns pages into Markdown.
    """
    is_error = answer.status >= FIRST_ERROR_STATUS or bool(answer.problem)
    wanted = min(max_length, RESULT_LIMIT_BYTES)
    if is_error:
        wanted = min(wanted, ERROR_BODY_CHARACTERS)
    if method == "HEAD":
        shown = _of_text(_headers_in_lines(answer), wanted)
    else:
        shown = await _body(answer, wanted, converter)
    text, is_limited = limit_result(
        headed_text(_header(answer, shown), without_tag_characters(shown.text)),
        "web_fetch gives no more of one answer",
    )
    return ToolOutput(
        text=text,
        is_error=is_error,
        is_truncated=answer.is_cut or is_limited or _is_cut(shown) or bool(answer.problem),
    )


def _header(answer: WebAnswer, shown: _Shown) -> list[tuple[str, str]]:
    rows = [
        ("url", answer.url.text),
        ("status", answer.status_line),
        ("type", _in_short(answer.header("content-type")) or "not said"),
        ("size", _size(answer)),
    ]
    if answer.passed:
        rows.append(("redirected from", " -> ".join(url.text for url in answer.passed)))
    if shown.title:
        rows.append(("title", _in_short(without_tag_characters(shown.title))))
    if answer.problem:
        rows.append(("incomplete", answer.problem))
    if shown.note:
        rows.append(("note", shown.note))
    if _is_cut(shown):
        whole = "" if shown.characters is None else f" of {shown.characters}"
        rows += [
            ("truncated", "true"),
            ("shown", f"the first {len(shown.text)}{whole} characters; max_length sets how many"),
        ]
    elif answer.is_cut:
        rows.append(("truncated", "true"))
    return rows


def _size(answer: WebAnswer) -> str:
    if answer.is_cut:
        return f"more than the limit of {len(answer.body)} bytes; the rest was not read"
    return f"{len(answer.body)} bytes"


def _in_short(value: str) -> str:
    is_long = len(value) > _HEADER_CHARACTERS
    return value[: _HEADER_CHARACTERS - 1] + "…" if is_long else value


def _is_cut(shown: _Shown) -> bool:
    return shown.characters is None or shown.characters > len(shown.text)


def _headers_in_lines(answer: WebAnswer) -> str:
    return "\n".join(
        f"{name}: {value}" for name, value in answer.headers if name not in _HIDDEN_HEADERS
    )


async def _body(answer: WebAnswer, wanted: int, converter: HtmlConverter) -> _Shown:
    content_type = answer.header("content-type")
    kind = kind_of(content_type, answer.body)
    if kind is ContentKind.BINARY:
        media = media_type_of(content_type) or "unknown type"
        text = f"Binary content ({media}, {_size(answer)}) is not shown."
        return _Shown(text=text, characters=len(text))
    if kind is not ContentKind.HTML:
        return await asyncio.to_thread(_text_body, answer, kind, wanted)
    html = await asyncio.to_thread(_decoded, answer, is_html=True)
    markdown = await converter.convert(html, base_url=answer.url.text, limit_characters=wanted)
    if markdown is None:
        note = "the page could not be turned into Markdown in time; this is its HTML"
        shown = _of_text(html, wanted)
        return _Shown(text=shown.text, characters=shown.characters, note=note)
    return _Shown(text=markdown.text, characters=markdown.characters, title=markdown.title)


def _text_body(answer: WebAnswer, kind: ContentKind, wanted: int) -> _Shown:
    text = _decoded(answer, is_html=False)
    if kind is ContentKind.JSON:
        lines = laid_out(text, limit_characters=wanted)
        if lines is not None:
            shown, is_all = lines
            whole = len(shown) if is_all and not answer.is_cut else None
            return _Shown(text=shown[:wanted], characters=whole)
    return _of_text(text, wanted)


def _of_text(text: str, wanted: int) -> _Shown:
    return _Shown(text=text[:wanted], characters=len(text))


def _decoded(answer: WebAnswer, *, is_html: bool) -> str:
    is_cut = answer.is_cut or bool(answer.problem)
    return decode(answer.header("content-type"), answer.body, is_html=is_html, is_cut=is_cut)
