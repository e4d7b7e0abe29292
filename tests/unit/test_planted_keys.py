"""Planted keys are found wherever they turn up: else no end-to-end test proves anything by them."""

import base64
from pathlib import Path

import pytest

from tests.e2e.planted_keys import ALLOWED, KEY, OF_OTHERS, forget_printed, leaks, note_printed


def test_nothing_is_found_where_nothing_is(tmp_path: Path) -> None:
    (tmp_path / "session.jsonl").write_text("planted-model")
    note_printed("all is well", "on the screen")
    assert leaks(tmp_path) == []


@pytest.mark.parametrize("key", [KEY, *OF_OTHERS.values()])
def test_a_file_at_any_depth_is_looked_at(tmp_path: Path, key: str) -> None:
    deep = tmp_path / "user" / ".hidden" / "a"
    deep.mkdir(parents=True)
    (deep / "log").write_bytes(b"\xff\0" + key.encode() + b"\0")
    (found,) = leaks(tmp_path)
    assert found.endswith("in user/.hidden/a/log")


@pytest.mark.parametrize("before", [b"", b"x", b"xx", b"user:", b"a longer one: "])
@pytest.mark.parametrize("behind", [b"", b"y", b"yy"])
def test_base64_hides_no_key(tmp_path: Path, before: bytes, behind: bytes) -> None:
    (tmp_path / "log").write_bytes(base64.b64encode(before + KEY.encode() + behind))
    assert leaks(tmp_path) == ["the model's key in log"]


def test_names_of_files_are_looked_at(tmp_path: Path) -> None:
    (tmp_path / KEY).touch()
    assert leaks(tmp_path) == [f"the model's key in the name of {KEY}"]


def test_what_was_printed_is_kept_until_the_next_test(tmp_path: Path) -> None:
    note_printed(f"key {KEY}", "on a screen")
    note_printed(KEY.encode(), "on standard error")
    try:
        assert leaks(tmp_path) == [
            "the model's key on a screen",
            "the model's key on standard error",
        ]
    finally:
        forget_printed()
    assert leaks(tmp_path) == []


def test_each_exception_has_its_reason() -> None:
    assert all(len(reason.split()) > 3 for reason in ALLOWED.values())
