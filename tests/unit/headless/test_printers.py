"""The printers: short lines, safe for any screen; one JSON object per event."""

import json
from io import StringIO

from caramelo_tui.domain.agent_events import (
    Ending,
    EventHead,
    NoticeLevel,
    NoticeRaised,
    RetryScheduled,
    RunEnded,
    SessionResumed,
    ToolCallFinished,
    ToolCallStarted,
)
from caramelo_tui.domain.ids import CallId, SessionId
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.headless.printers import JsonPrinter, ProgressPrinter, TextPrinter

HEAD = EventHead(seq=1, at=1.0)


def started(summary: str) -> ToolCallStarted:
    return ToolCallStarted(
        head=HEAD, call_id=CallId("c"), tool="bash", arguments_json="{}", summary=summary
    )


def finished(state: CallState, *, text: str = "out", is_cached: bool = False) -> ToolCallFinished:
    result = ToolResult(call_id=CallId("c"), text=text, is_error=False, state=state)
    return ToolCallFinished(
        head=HEAD,
        call_id=CallId("c"),
        tool="bash",
        result=result,
        duration_ms=12,
        is_cached=is_cached,
    )


def progress(*events: object, is_quiet: bool = False) -> str:
    err = StringIO()
    printer = ProgressPrinter(err, is_quiet=is_quiet)
    for event in events:
        printer.show(event)  # type: ignore[arg-type]  # the union is spelled by the callers
    return err.getvalue()


def test_a_call_is_one_line_with_its_arguments_and_time() -> None:
    assert progress(started("ls"), finished(CallState.OK)) == "caramelo: bash ls: ok (12 ms)\n"
    assert "(cached)" in progress(finished(CallState.OK, is_cached=True))
    assert "out" not in progress(finished(CallState.OK))


def test_an_error_says_how_it_begins() -> None:
    line = progress(finished(CallState.ERROR, text="exit_code: 2\n--- stdout (3 bytes) ---\nout"))
    assert line == "caramelo: bash: error: exit_code: 2 (12 ms)\n"
    assert len(progress(finished(CallState.ERROR, text="x" * 500))) < 250


def test_a_refusal_says_why() -> None:
    line = progress(finished(CallState.DENIED, text="denied: it needs\n--x"))
    assert line == "caramelo: bash: denied: it needs --x\n"


def test_long_arguments_are_cut() -> None:
    line = progress(started("x" * 500), finished(CallState.OK))
    assert len(line) < 140
    assert "…" in line


def test_notices_and_retries_are_said_unless_quiet() -> None:
    notice = NoticeRaised(head=HEAD, level=NoticeLevel.WARNING, text="careful")
    info = NoticeRaised(head=HEAD, level=NoticeLevel.INFO, text="by the way")
    retry = RetryScheduled(head=HEAD, attempt=1, wait_s=2.4, reason="busy")
    assert progress(notice, info, retry).splitlines() == [
        "caramelo: warning: careful",
        "caramelo: by the way",
        "caramelo: trying again in 2 s: busy",
    ]
    assert not progress(notice, info, retry, is_quiet=True)


def test_a_session_that_goes_on_is_said_with_what_could_not_be_read() -> None:
    resumed = SessionResumed(
        head=HEAD, session_id=SessionId("s-1"), runs=2, problems=("Line 3\nis damaged.",)
    )
    fork = SessionResumed(
        head=HEAD, session_id=SessionId("s-2"), runs=1, forked_from=SessionId("s-1")
    )
    assert progress(resumed, fork).splitlines() == [
        "caramelo: session s-1 goes on after 2 prompts Line 3 is damaged.",
        "caramelo: fork s-2 goes on after 1 prompt",
    ]


def test_text_ends_in_one_line_end_and_nothing_is_printed_for_none() -> None:
    for text, printed in (("a", "a\n"), ("a\n", "a\n"), ("", "")):
        out = StringIO()
        TextPrinter(out).show(
            RunEnded(head=HEAD, ending=Ending.COMPLETED, refused_calls=0, text=text)
        )
        assert out.getvalue() == printed


def test_json_is_one_line_per_event() -> None:
    out = StringIO()
    JsonPrinter(out).show(started("a\nb"))
    assert json.loads(out.getvalue())["summary"] == "a\nb"
    assert out.getvalue().count("\n") == 1


def test_progress_that_cannot_be_written_is_left_out() -> None:
    class FullDisk(StringIO):
        tries = 0

        def write(self, text: str, /) -> int:
            self.tries += 1
            raise OSError(28, f"No space left for {len(text)} characters")

    disk = FullDisk()
    printer = ProgressPrinter(disk, is_quiet=False)
    printer.say("one")
    printer.say("two")
    assert disk.tries == 1
