"""Every line of a hunk says what happens to it, in words."""

from caramelo_tui.domain.diffs import Hunk, KeptLines
from caramelo_tui.domain.ids import HunkId
from caramelo_tui.headless.linear.hunk_text import counted, hunk_lines


def test_context_removed_kept_and_added_lines_are_named_with_their_numbers() -> None:
    hunk = Hunk(
        id=HunkId("c:0"),
        old_start=3,
        old_lines=("a\n", "keep\n", "b\n"),
        new_start=4,
        new_lines=("keep\n", "c"),
        context_before=("up\n",),
        context_after=("down\n",),
        kept=(KeptLines(old=1, new=0, count=1),),
    )
    assert hunk_lines(hunk) == [
        "same 3: up",
        "removed 3: a",
        "same 4: keep",
        "removed 5: b",
        "added 5: c (no line end)",
        "same 6: down",
    ]


def test_returns_are_said_only_where_line_ends_differ() -> None:
    def lines(*new: str) -> list[str]:
        return hunk_lines(
            Hunk(id=HunkId("c:0"), old_start=1, old_lines=(), new_start=1, new_lines=new)
        )

    assert lines("a\r\n", "b\r\n") == ["added 1: a", "added 2: b"]
    assert lines("a\r\n", "b\n") == ["added 1: a\r", "added 2: b"]
    assert lines("x" * 5_000 + "\n")[0].endswith(" … 1,000 more characters")


def test_counts_have_their_nouns() -> None:
    assert counted(1, "hunk is", "hunks are") == "1 hunk is"
    assert counted(2_000, "line") == "2,000 lines"
