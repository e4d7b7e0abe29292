import json
import os
from pathlib import Path

from caramelo_tui.ui.prompt_history import PromptHistory


def test_up_walks_back_and_down_returns_to_the_draft() -> None:
    history = PromptHistory()
    history.add("one")
    history.add("two")
    assert history.earlier("dra") == "two"
    assert history.earlier("two") == "one"
    assert history.earlier("one") is None
    assert history.later() == "two"
    assert history.later() == "dra"
    assert history.later() is None


def test_blank_prompts_and_repeats_are_left_out() -> None:
    history = PromptHistory()
    for text in ("a", "a", "  ", "b", "a"):
        history.add(text)
    assert history.entries == ("a", "b", "a")


def test_leaving_the_walk_makes_the_next_up_start_at_the_newest() -> None:
    history = PromptHistory()
    history.add("one")
    history.add("two")
    history.earlier("")
    history.earlier("")
    history.leave()
    assert history.earlier("changed") == "two"


def test_prompts_come_back_from_the_file_with_line_ends_whole(tmp_path: Path) -> None:
    path = tmp_path / "history" / "a.jsonl"
    PromptHistory(path).add("first\nsecond \u2028 line")
    assert PromptHistory(path).entries == ("first\nsecond \u2028 line",)


def test_the_file_is_private_whatever_the_umask(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        PromptHistory(tmp_path / "state" / "h" / "a.jsonl").add("secret")
    finally:
        os.umask(old)
    modes = [
        (tmp_path / name).stat().st_mode & 0o777 for name in ("state", "state/h", "state/h/a.jsonl")
    ]
    assert modes == [0o700, 0o700, 0o600]


def test_a_line_that_was_cut_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"prompt": "good"}) + '\n{"prom\n[1]\n{"prompt": 3}\n')
    history = PromptHistory(path)
    assert history.entries == ("good",)
    assert history.problem == ""


def test_a_file_that_cannot_be_written_leaves_the_memory_and_says_so(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    history = PromptHistory(blocker / "a.jsonl")
    history.add("kept")
    assert history.entries == ("kept",)
    assert "memory only" in history.problem
    blocker.unlink()
    history.add("written")
    assert PromptHistory(blocker / "a.jsonl").entries == ("written",)


def test_a_file_that_is_no_text_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xff\xfe")
    assert "memory only" in PromptHistory(path).problem


def test_a_line_that_is_nested_too_deep_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    path.write_text("[" * 100_000 + '\n{"prompt": "kept"}\n')
    assert PromptHistory(path).entries == ("kept",)
