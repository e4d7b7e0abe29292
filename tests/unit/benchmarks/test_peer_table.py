"""The table of peers comes out of the results alone."""

import pytest

from benchmarks.peer_table import BEGIN, END, PAGE, peer_table, with_table


def test_medians_with_their_spread_stand_beside_each_other() -> None:
    table = peer_table(
        {
            "other": {"version": "2", "version_run": [{"ms": 20.4, "status": 0}]},
            "caramelo": {
                "version": "1",
                "date": "today",
                "version_run": [{"ms": 30.0}, {"ms": 50.0}, {"ms": 31.2}],
            },
        }
    )
    assert table.splitlines() == [
        "|  | caramelo | other |",
        "| --- | --: | --: |",
        "| version | 1 | 2 |",
        "| date | today | ? |",
        "| `--version`, ms | 31 (30-50) | 20 |",
    ]


def test_runs_that_did_not_come_to_their_end_do_not_count() -> None:
    table = peer_table(
        {
            "a": {
                "hello": [
                    {"wall_ms": 1.0, "status": 3},
                    {"wall_ms": 2.0, "status": 0, "timed_out": True},
                    {"wall_ms": 3.0, "status": 0, "main": 1, "turns": 2},
                    {"wall_ms": 4.0, "status": 0, "main": 2, "turns": 2},
                ]
            }
        }
    )
    assert "| headless hello, ms | 4 |" in table


def test_keys_and_long_sessions_show_both_ends() -> None:
    gaps = [100.0] * 5 + [2.0] * 30 + [9.0] * 30 + [3.0] * 30
    table = peer_table(
        {
            "a": {
                "tui_session": [{"echo_idle_ms": [float(one) for one in range(1, 21)]}],
                "long": [{"gaps_ms": gaps, "status": 0}],
                "flood1000000": [{"rss_before": 1 << 20, "rss_after": 5 << 20, "painted_ms": 900}],
            }
        }
    )
    assert "| key echo idle, p50 / p95, ms | 10 / 19 |" in table
    assert "| 300 turns, per turn, first → last 30, ms | 2 → 3 |" in table
    assert "| 1 MB at once, painted, s | 0.9 |" in table
    assert "| 1 MB at once, growth of memory (RSS), MB | 4 |" in table


def test_only_what_is_between_the_markers_is_replaced() -> None:
    page = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    assert with_table(page, "new") == f"before\n{BEGIN}\n\nnew\n\n{END}\nafter\n"
    with pytest.raises(ValueError, match="no line"):
        with_table("nothing", "new")


def test_the_page_has_the_markers() -> None:
    assert "new" in with_table(PAGE.read_text("utf-8"), "new")
