"""Rows are collected in order, and no more than are wanted."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager

from caramelo_tui.tools.search.file_source import SourceCounts, SourceFile
from caramelo_tui.tools.search.js_text import ByteView
from caramelo_tui.tools.search.line_rows import LineRows
from caramelo_tui.tools.search.line_testers import Places
from caramelo_tui.tools.search.regex_process import Place


class FakeTester:
    """Finds every line that begins with ``x``."""

    def __init__(self, log: list[str]) -> None:
        self._log = log

    @contextmanager
    def testing(self, texts: Sequence[bytes], wanted: int) -> Iterator[Places]:
        self._log.append(f"begin {len(texts)} for {wanted}")
        found = [
            Place(index=index, line=number)
            for index, text in enumerate(texts)
            for number, line in enumerate(text.split(b"\n"), start=1)
            if line.startswith(b"x")
        ]
        yield lambda: found[:wanted]
        self._log.append("end")


def files(log: list[str], *contents: bytes) -> Generator[SourceFile]:
    for number, data in enumerate(contents):
        log.append(f"read {number}")
        yield SourceFile(path=f"{number}.txt", data=data)


def collected(most: int, *contents: bytes) -> tuple[LineRows, list[str]]:
    log: list[str] = []
    rows = LineRows(files(log, *contents), SourceCounts(), most)
    rows.read_first()
    rows.collect(FakeTester(log), ByteView())
    return rows, log


def test_rows_have_path_number_and_text() -> None:
    rows, _ = collected(9, b"a\r\nx\xe9\r\n", b"", b"x" * 400)

    found = rows.result()

    assert [(row.path, row.line, row.text) for row in found.rows] == [
        ("0.txt", 2, "x\ufffd"),
        ("2.txt", 1, "x" * 300 + " [cut]"),
    ]
    assert (found.has_more, found.files_searched, found.is_timed_out) == (False, 3, False)


def test_next_files_are_read_while_those_before_are_tested() -> None:
    large = b"x" * 2_200_000

    _, log = collected(9, large, b"x\n")

    assert log == ["read 0", "begin 1 for 10", "read 1", "end", "begin 1 for 9", "end"]


def test_one_more_than_wanted_says_that_there_are_more() -> None:
    enough, log = collected(2, b"x\nx\n")
    more, _ = collected(1, b"x\nx\n")

    assert (len(enough.result().rows), enough.result().has_more) == (2, False)
    assert (len(more.result().rows), more.result().has_more) == (1, True)
    assert log[1] == "begin 1 for 3"


def test_nothing_more_is_tested_when_there_are_rows_enough() -> None:
    large = b"x" * 2_200_000

    rows, log = collected(0, large, large, large)

    assert rows.result(is_timed_out=True).is_timed_out
    assert log == ["read 0", "begin 1 for 1", "read 1", "end"]
