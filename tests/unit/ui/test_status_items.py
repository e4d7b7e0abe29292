from dataclasses import replace

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.usage import Usage
from caramelo_tui.ui.panes.status_bar import StatusView, fitting, status_items

BUSY = StatusView(
    mode=ApprovalMode.REVIEW,
    model="claude-test",
    is_starting=False,
    is_running=True,
    turn=3,
    waiting=2,
    queued=1,
    usage=Usage(input_tokens=90_000, output_tokens=3_200),
    context_tokens=46_000,
    context_window=200_000,
)


def texts(view: StatusView, width: int = 500) -> list[str]:
    left, right = fitting(status_items(view), width)
    return [item.text.strip() for item in [*left, *right]]


def test_all_is_said_where_there_is_room() -> None:
    assert texts(BUSY) == [
        "review",
        "? 2 waiting  ctrl+o",
        "● turn 3",
        "1 queued",
        "claude-test",
        "ctx 23% 46k/200k",
        "↑90k ↓3.2k",
        "ctrl+c stop",
        "ctrl+p actions",
        "F1 keys",
    ]


def test_mode_waiting_and_help_stay_when_room_is_scarce() -> None:
    assert texts(BUSY, 40) == ["review", "? 2 waiting  ctrl+o", "F1 keys"]


def test_what_ctrl_c_does_next_comes_before_everything() -> None:
    assert texts(replace(BUSY, armed="ctrl+c again quits")) == ["ctrl+c again quits"]


def test_the_start_and_the_demo_are_named() -> None:
    assert "starting …" in texts(StatusView())
    shown = texts(StatusView(is_starting=False, is_demo=True, model="scripted"))
    assert "demo" in shown
    assert "scripted" not in shown


def test_restricted_work_and_a_foreign_endpoint_are_said() -> None:
    view = StatusView(is_starting=False, is_restricted=True, endpoint_note="via http://x")
    assert {"restricted", "via http://x"} <= set(texts(view))


def test_a_retry_stands_in_place_of_the_turn() -> None:
    assert "● retry 2 in 4 s" in texts(replace(BUSY, activity="retry 2 in 4 s"))


def test_the_context_without_a_known_window_has_no_share() -> None:
    assert "ctx 46k" in texts(replace(BUSY, context_window=None))


def test_names_from_outside_are_safe() -> None:
    assert "a<U+001B>[31m" in texts(StatusView(is_starting=False, model="a\x1b[31m"))
