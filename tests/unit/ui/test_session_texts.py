"""How the session stands, in words."""

from dataclasses import replace

from caramelo_tui.domain.agent_events import EventHead, ModelChanged
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.ids import CallId, SessionId
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.domain.usage import Usage
from caramelo_tui.ui.panes.status_bar import StatusView
from caramelo_tui.ui.session_texts import (
    cache_text,
    end_text,
    model_text,
    own_output,
    session_text,
    status_with_model,
)


def test_the_session_is_said_in_lines() -> None:
    view = StatusView(
        mode=ApprovalMode.PLAN,
        is_restricted=True,
        model="m\x1b",
        workspace="work",
        branch="main*",
        is_watching=False,
        usage=Usage(input_tokens=1_200, output_tokens=30),
        changed_lines=4,
        deny_above=500,
        queued=1,
        cache_hits=2,
        cache_lookups=9,
    )
    assert session_text(view, SessionId("s-1")).split("\n") == [
        "mode plan, restricted",
        "model m<U+001B>",
        "folder work",
        "branch main*",
        "changes by other programs are no longer noticed at once",
        "tokens 1.2k sent, 30 received",
        "changed lines 4 of 500",
        "1 prompt waiting",
        "cache answered 2 of 9 reads",
        "session s-1",
    ]


def test_what_is_not_known_is_left_out() -> None:
    assert session_text(StatusView(model="m", workspace="w")).split("\n") == [
        "mode review",
        "model m",
        "folder w",
        "changed lines 0",
        "cache not asked yet",
        "this session is not kept",
    ]
    assert cache_text(StatusView(cache_hits=0, cache_lookups=1)) == "cache answered 0 of 1 read"


def test_another_model_is_told_with_what_it_can_hold() -> None:
    changed = ModelChanged(
        head=EventHead(seq=1, at=0.0), provider="p", model="m", context_window=128_000
    )
    assert model_text(changed) == "From now on m of p answers; it can hold 128,000 tokens."
    unknown = replace(changed, context_window=None, endpoint_note="X → y")
    assert "an unknown number of tokens" in model_text(unknown)
    view = status_with_model(StatusView(model="old", context_window=5), unknown)
    assert (view.model, view.context_window, view.endpoint_note) == ("m", None, "X → y")


def test_how_a_command_of_ones_own_ended() -> None:
    result = ToolResult(
        call_id=CallId("own-1"), text="out", is_error=False, state=CallState.OK, exit_code=0
    )
    assert end_text(result) == "exit 0"
    assert end_text(replace(result, exit_code=None, state=CallState.ERROR)) == "not run"
    assert end_text(replace(result, exit_code=None, state=CallState.CANCELLED)) == "ended by you"
    assert own_output("ls", result) == "I ran this command myself:\n\nls\n\nout"
