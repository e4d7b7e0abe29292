"""Exports: all that was said, in three forms, and nothing in it acts."""

import json
from html.parser import HTMLParser
from pathlib import Path

from caramelo_tui.domain.agent_events import (
    NoticeLevel,
    NoticeRaised,
    ToolCallFinished,
    ToolCallStarted,
)
from caramelo_tui.domain.diffs import ChangeSet, FileDiff, Hunk
from caramelo_tui.domain.ids import CallId, HunkId
from caramelo_tui.domain.sessions import ExportForm
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.sessions.document import PartKind, parts_of
from caramelo_tui.sessions.export import export_session, plain_text
from caramelo_tui.sessions.store import StoredSession, load_events
from tests.doubles.stored_sessions import Told, write_session

HOSTILE = (
    "</pre><script>alert(1)</script><img src=http://evil.example/x onerror=alert(1)>"
    "\n````\n# no heading\n![x](http://evil.example/y)\x1b]0;owned\x07\u202egpj.exe"
)


def with_a_write(told: Told, text: str = "wrote it") -> Told:
    call = ("c1", "file_write", "{}")
    hunk = Hunk(
        id=HunkId("c1:0"), old_start=2, old_lines=("old\n",), new_start=2, new_lines=("new\n",),
        context_before=("above\n",),
    )  # fmt: skip
    changes = ChangeSet(
        call_id=CallId("c1"),
        files=(FileDiff(path="a.txt", before=b"x", after=b"y", applied=(hunk,)),),
    )
    result = ToolResult(call_id=CallId("c1"), text=text, is_error=False, state=CallState.OK)
    told.begin("write").turn().reply("I write.", call)
    told.add(
        ToolCallStarted(
            head=told.head(),
            call_id=CallId("c1"),
            tool="file_write",
            arguments_json="{}",
            summary="a.txt",
        )
    )
    told.add(
        ToolCallFinished(
            head=told.head(),
            call_id=CallId("c1"),
            tool="file_write",
            result=result,
            duration_ms=3,
            changes=changes,
        )
    )
    return told.end_turn().end()


def stored(tmp_path: Path, told: Told, *more: str) -> StoredSession:
    return load_events(write_session(tmp_path, told, more=more))


def test_all_that_was_said_and_done_is_a_part(tmp_path: Path) -> None:
    told = with_a_write(Told())
    told.add(NoticeRaised(head=told.head(), level=NoticeLevel.WARNING, text="careful"))
    told.begin("more").turn().stream("half an ").stream("answer")
    parts = list(parts_of(stored(tmp_path, told).events))
    assert [(part.kind, part.title, part.text) for part in parts] == [
        (PartKind.PROMPT, "You", "write"),
        (PartKind.ANSWER, "Assistant", "I write."),
        (PartKind.CALL, "file_write a.txt · ok", "wrote it"),
        (PartKind.ENDING, "completed", ""),
        (PartKind.NOTICE, "warning", "careful"),
        (PartKind.PROMPT, "You", "more"),
        (PartKind.ANSWER, "Assistant (broken off)", "half an answer"),
    ]
    assert parts[2].diff.splitlines() == [
        "--- a.txt", "+++ a.txt", "@@ -1,2 +1,2 @@", " above", "-old", "+new",
    ]  # fmt: skip


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_hostile_text_does_nothing_in_the_page(tmp_path: Path) -> None:
    told = with_a_write(Told().exchange(HOSTILE, HOSTILE), HOSTILE)
    page = export_session(stored(tmp_path, told), ExportForm.HTML)
    reader = _Tags()
    reader.feed(page)
    names = {tag for tag, _ in reader.tags}
    assert names <= {
        "html", "head", "meta", "title", "style", "body", "h1", "h2", "div", "section", "pre",
        "details", "summary", "span",
    }  # fmt: skip
    own = {name for _, attributes in reader.tags for name in attributes}
    assert own <= {"lang", "charset", "http-equiv", "content", "name", "class"}
    assert "default-src 'none'" in page
    assert "url(" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page


def test_the_fence_is_longer_than_any_in_the_text(tmp_path: Path) -> None:
    text = export_session(stored(tmp_path, Told().begin(HOSTILE).end()), ExportForm.MARKDOWN)
    lines = text.splitlines()
    begin = lines.index("`````text")
    end = lines.index("`````", begin)
    assert "# no heading" in lines[begin:end]
    assert "\x1b" not in text


def test_json_has_every_event_and_those_of_later_versions(tmp_path: Path) -> None:
    later = '{"type":"Juggled","seq":99,"balls":3}'
    told = with_a_write(Told())
    data = json.loads(export_session(stored(tmp_path, told, later), ExportForm.JSON))
    assert data["session_id"] == "s-1"
    assert len(data["events"]) == len(told.events) + 1
    assert data["events"][-1] == json.loads(later)


def test_a_terminal_gets_no_control_characters(tmp_path: Path) -> None:
    text = plain_text(stored(tmp_path, Told().exchange(HOSTILE, "fine")))
    assert text.isprintable() or text.replace("\n", "").isprintable()
    assert "Session s-1" in text


def test_a_damaged_session_is_exported_as_far_as_it_goes(tmp_path: Path) -> None:
    path = write_session(tmp_path, Told().exchange("a", "b"), tail='{"type":"No')
    path.write_bytes(b"x" + path.read_bytes())
    for form in ExportForm:
        assert "incomplete" in export_session(load_events(path), form)
