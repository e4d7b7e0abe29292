"""Write a stored session as Markdown, JSON or a page of HTML.

Owns the three forms. The page stands alone: no script, nothing from elsewhere, and every text of
the session is escaped and made visible, so that hostile text in it does nothing. In Markdown,
prompts and results are fenced; answers are Markdown themselves and stand as the model wrote them.
Proven by tests/unit/sessions/test_export.py.
"""

import html
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from caramelo_tui.domain.agent_events import AgentEvent
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.domain.sessions import ExportForm
from caramelo_tui.domain.tool_calls import JsonValue
from caramelo_tui.sessions.codec import FORMAT_VERSION, UnknownEvent, encode_event
from caramelo_tui.sessions.document import Part, PartKind, parts_of
from caramelo_tui.sessions.store import StoredSession

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Content Security Policy of the page: its own style, and nothing else."""
_STYLE = """\
body{max-width:60rem;margin:2rem auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif;
color:#1c1917;background:#fffdfa}
h1{font-size:1.3rem}h2{font-size:1rem;margin:1.5rem 0 .3rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:0;padding:.6rem;background:#f5f0e8;
font:14px/1.45 ui-monospace,monospace}
.prompt pre{background:#e7eef7}.answer pre{background:none;padding:.2rem 0;font:inherit}
.notice,.ending,.time{color:#57534e;font-size:.9rem}summary{cursor:pointer}
@media(prefers-color-scheme:dark){body{color:#f5f5f4;background:#1c1917}pre{background:#292524}
.prompt pre{background:#1e2a3a}.answer pre{background:none}
.notice,.ending,.time{color:#d6d3d1}}"""
_FENCE = re.compile("`+")


def export_session(stored: StoredSession, form: ExportForm) -> str:
    """Return a session in one of the forms, with a line end behind it."""
    match form:
        case ExportForm.MARKDOWN:
            return "\n".join(_markdown(stored)) + "\n"
        case ExportForm.HTML:
            return "\n".join(_page(stored)) + "\n"
        case ExportForm.JSON:
            return json.dumps(_json(stored), indent=1) + "\n"


def plain_text(stored: StoredSession) -> str:
    """Return a session for a terminal: every text made visible, with a line end behind it."""
    lines: list[str] = []
    for part in parts_of(stored.events):
        title = visible(part.title, keeps_newlines=False)
        lines += ["", f"# {title}", *visible(part.text).splitlines()]
        lines += visible(part.diff).splitlines()
    return "\n".join((*_head_lines(stored), *lines)) + "\n"


def _head_lines(stored: StoredSession) -> tuple[str, ...]:
    header = stored.header
    if header is None:
        return ("Session (its first line is damaged)", *stored.problems)
    return (
        f"Session {visible(header.session_id, keeps_newlines=False)}",
        f"Folder {visible(header.workspace, keeps_newlines=False)}",
        f"Started {_time(header.started_at)}",
        *stored.problems,
    )


def _json(stored: StoredSession) -> JsonValue:
    header = stored.header
    return {
        "format_version": FORMAT_VERSION if header is None else header.format_version,
        "session_id": None if header is None else str(header.session_id),
        "workspace": None if header is None else header.workspace,
        "started_at": None if header is None else header.started_at,
        "problems": list(stored.problems),
        "events": [_event_json(event) for event in stored.events],
    }


def _event_json(event: AgentEvent | UnknownEvent) -> JsonValue:
    return dict(event.data) if isinstance(event, UnknownEvent) else encode_event(event)


def _markdown(stored: StoredSession) -> Iterator[str]:
    title, *facts = map(_escaped_markdown, _head_lines(stored))
    yield f"# {title}"
    yield ""
    for fact in facts:
        yield f"- {fact}"
    for part in parts_of(stored.events):
        yield ""
        yield f"## {_escaped_markdown(visible(part.title, keeps_newlines=False))}"
        yield ""
        if part.kind is PartKind.ANSWER:
            yield visible(part.text)
        else:
            yield from _fenced(visible(part.text), "text")
        yield from _fenced(visible(part.diff), "diff")


def _fenced(text: str, language: str) -> Iterator[str]:
    """Yield a block of code whose fence is longer than every row of backticks in it."""
    if text:
        longest = max((len(found) for found in _FENCE.findall(text)), default=0)
        fence = "`" * max(longest + 1, 3)
        yield from (f"{fence}{language}", text, fence)


def _escaped_markdown(text: str) -> str:
    """Return one line in which nothing is markup."""
    return re.sub(r"([\\`*_{}\[\]<>#|!&])", r"\\\1", text)


def _page(stored: StoredSession) -> Iterator[str]:
    title, *facts = map(html.escape, _head_lines(stored))
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="referrer" content="no-referrer">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title><style>{_STYLE}</style></head><body>"
    yield f"<h1>{title}</h1>"
    for fact in facts:
        yield f"<div>{fact}</div>"
    for part in parts_of(stored.events):
        yield from _page_part(part)
    yield "</body></html>"


def _page_part(part: Part) -> Iterator[str]:
    title = html.escape(visible(part.title, keeps_newlines=False))
    text, diff = html.escape(visible(part.text)), html.escape(visible(part.diff))
    yield f'<section class="{part.kind.value}">'
    if part.kind is PartKind.CALL:
        yield f"<details><summary>{title}</summary><pre>{text}</pre></details>"
    else:
        yield f'<h2>{title} <span class="time">{_time(part.at)}</span></h2>'
        if text:
            yield f"<pre>{text}</pre>"
    if diff:
        yield f"<pre>{diff}</pre>"
    yield "</section>"


def _time(at: float) -> str:
    """Return a time in UTC, to the second; a stored number that is no time as it is."""
    try:
        return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, ValueError, OSError):
        return str(at)


def default_name(path: Path, form: ExportForm) -> str:
    """Return how an export is called when nobody names it, by the session's file."""
    return f"caramelo-{path.stem}.{form.value}"
