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


def test_a_wide_item_that_does_not_fit_leaves_its_room_to_others() -> None:
    view = replace(BUSY, waiting=0, queued=0, model="a-model-with-a-very-long-name" * 3)
    assert texts(view, 60) == ["review", "● turn 3", "ctx 23% 46k/200k", "ctrl+c stop", "F1 keys"]


def test_cache_and_changed_lines_fit_at_80_columns() -> None:
    view = replace(
        BUSY,
        waiting=0,
        queued=0,
        cache_hits=12,
        cache_lookups=20,
        changed_lines=120,
        deny_above=500,
        ask_above=200,
    )
    shown = texts(view, 78)
    assert {"review", "● turn 3", "claude-test", "±120/500", "F1 keys"} <= set(shown)
    assert "cache 12/20" in texts(view)
    assert "±120" in texts(replace(view, deny_above=None))


def test_changed_lines_stand_out_once_writes_ask() -> None:
    view = replace(BUSY, changed_lines=200, deny_above=500, ask_above=200)
    (item,) = (item for item in status_items(view) if item.text.startswith("±"))
    assert item.color == "warning"
    (calm,) = (
        item for item in status_items(replace(view, changed_lines=199)) if item.text.startswith("±")
    )
    assert calm.color == "muted"


def test_a_plan_is_offered_in_mode_plan_while_nothing_runs() -> None:
    view = StatusView(mode=ApprovalMode.PLAN, is_starting=False, has_plan=True)
    assert texts(view)[:3] == ["plan", "F9 carry out the plan", "shift+F9 edit it first"]
    assert "F9 carry out the plan" in texts(view, 78)
    for other in (
        replace(view, mode=ApprovalMode.REVIEW),
        replace(view, is_running=True),
        replace(view, has_plan=False),
    ):
        assert "F9 carry out the plan" not in texts(other)


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


def test_the_meter_is_there_from_the_start_and_short_where_room_is_scarce() -> None:
    view = StatusView(is_starting=False, context_window=200_000)
    assert "ctx 0% 0/200k" in texts(view)
    assert "ctx 0" in texts(replace(view, context_window=None))
    assert "ctx 23%" in texts(replace(BUSY, waiting=0, queued=0), 44)
    assert "ctx ~23% 46k/200k" in texts(replace(BUSY, is_context_estimated=True))
    (item,) = (i for i in status_items(replace(BUSY, context_tokens=150_000)) if i.short)
    assert item.color == "warning"


def test_the_cost_is_said_once_there_is_one() -> None:
    assert "$0.12" in texts(replace(BUSY, cost=0.1234))
    assert "$0.12+?" in texts(replace(BUSY, cost=0.1234, has_unknown_cost=True))
    assert not any(text.startswith("$") for text in texts(BUSY))
