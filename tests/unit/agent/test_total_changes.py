"""Several writes to a file come to one difference."""

from caramelo_tui.agent.total_changes import FileSpan, total_hunks


def test_both_ends_are_compared() -> None:
    (hunk,) = total_hunks(FileSpan("a.py", b"one\ntwo\n", b"one\n2\n"))
    assert (hunk.old_lines, hunk.new_lines) == (("two\n",), ("2\n",))
    assert hunk.id == "total:a.py:0"


def test_a_file_that_is_as_it_was_has_no_hunk() -> None:
    assert total_hunks(FileSpan("a.py", b"one\n", b"one\n")) == ()


def test_new_and_deleted_files_are_whole_hunks() -> None:
    assert total_hunks(FileSpan("a.py", None, b"one\n"))[0].new_lines == ("one\n",)
    assert total_hunks(FileSpan("a.py", b"one\n", None))[0].old_lines == ("one\n",)
