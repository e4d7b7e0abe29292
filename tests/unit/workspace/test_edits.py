"""What an edit leaves, byte for byte."""

import time

import pytest

from caramelo_tui.domain.diffs import FileEdit, SearchReplace, WholeContent
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.workspace.edits import BOM, apply_edit, dominant_line_end


def edited(before: bytes, search: str, replace: str) -> bytes:
    return apply_edit(before, SearchReplace(search=search, replace=replace), "f.txt")


def failure(before: bytes | None, edit: FileEdit) -> str:
    with pytest.raises(ToolFailure) as caught:
        apply_edit(before, edit, "f.txt")
    return str(caught.value)


@pytest.mark.parametrize(
    ("before", "search", "replace", "after"),
    [
        (b"a b c", "b", "X", b"a X c"),
        (b"x=1\ny=2", "y=2", "y=3", b"x=1\ny=3"),
        (b"keep drop keep2\n", " drop", "", b"keep keep2\n"),
        # CRLF in the file, LF in the search, and the other way round.
        (b"[c]\r\nn=1\r\ns=2\r\n", "[c]\nn=1", "[c]\nn=2", b"[c]\r\nn=2\r\ns=2\r\n"),
        (b"a\nb\nc\n", "a\r\nb", "A\r\nB", b"A\nB\nc\n"),
        (b"alpha\r\nbeta\r\n", "beta", "b\ng\nd", b"alpha\r\nb\r\ng\r\nd\r\n"),
        # Mixed files: only the match changes, its line ends take the dominant one.
        (b"1\r\n2\r\n3\r\n4\n5\r\n", "2", "2a\n2b", b"1\r\n2a\r\n2b\r\n3\r\n4\n5\r\n"),
        (b"1\n2\r\n3\n4\n", "2\n3", "z2\nz3", b"1\nz2\nz3\n4\n"),
        (b"1\r\n2\n3", "3", "3\n4", b"1\r\n2\n3\n4"),
        (b"one line", "one", "a\r\nb", b"a\nb line"),
        # A match that begins or ends at a line end takes the whole CRLF.
        (b"a\r\nb\r\nc\r\n", "\nb\n", "\n", b"a\r\nc\r\n"),
        # A lone CR is an ordinary byte.
        (b"bar\rfoo\nnext\n", "next", "NEXT", b"bar\rfoo\nNEXT\n"),
        (b"bar\rfoo\n", "bar\rfoo", "x\ry", b"x\ry\n"),
        (b"x\r\r\ny\r\n", "x\r\n", "z\n", None),
        (b"x\r\r\ny\r\n", "\r", "z", b"xz\r\ny\r\n"),
        # Nothing in the replacement has a meaning.
        (
            b'emit("ok");\n',
            'emit("ok");',
            'emit("$& $$ \\1 \\g<0>");',
            b'emit("$& $$ \\1 \\g<0>");\n',
        ),
        (b"v = a.*b(c)[d]\nw = aXXb(c)[d]\n", "a.*b(c)[d]", "Q", b"v = Q\nw = aXXb(c)[d]\n"),
        # Only LF ends a line; form feed and U+0085 stay.
        ("p1\fp2\u0085p3\nq\n".encode(), "q", "Q", "p1\fp2\u0085p3\nQ\n".encode()),
        ("bad \ufffd char\nnext\n".encode(), "next", "N", "bad \ufffd char\nN\n".encode()),
        (BOM + b"using One;\n", "using One;", "using Two;", BOM + b"using Two;\n"),
        (BOM + b"a", "a", "", BOM),
    ],
)
def test_only_the_match_changes(
    before: bytes, search: str, replace: str, after: bytes | None
) -> None:
    if after is None:
        assert "did not match" in failure(before, SearchReplace(search=search, replace=replace))
        return
    assert edited(before, search, replace) == after


@pytest.mark.parametrize(
    ("before", "search"),
    [
        (b"key = 1  \nend\n", "key = 1\nend"),
        ("cafe\u0301 noir\n".encode(), "café noir"),
        ("10\u00a0km\n".encode(), "10 km"),
        (b"Foo\n", "foo"),
        (BOM + b"a", "\ufeffa"),
        # Half of a line end is no match.
        (b"a\r\nb", "a\r"),
        (b"", "x"),
    ],
)
def test_every_byte_but_line_ends_counts(before: bytes, search: str) -> None:
    text = failure(before, SearchReplace(search=search, replace="x"))
    assert "did not match" in text
    assert "f.txt" in text


def test_a_failed_search_shows_the_nearest_lines_with_their_numbers() -> None:
    text = failure(b"a\nlet n = 1;\nb\n", SearchReplace(search="let n = 2;", replace="x"))
    assert "     2 | let n = 1;" in text
    assert "No similar lines" in failure(b"zzz\n", SearchReplace(search="+++", replace="x"))


def test_several_places_are_refused_with_their_lines() -> None:
    text = failure(b"log(1);\nx\nlog(1);\n", SearchReplace(search="log(1);", replace="x"))
    assert "must be unique — include more context" in text
    assert "lines 1, 3;" in text


def test_overlapping_places_count_as_several() -> None:
    assert "must be unique" in failure(b"xyxyx\n", SearchReplace(search="xyx", replace="Z"))
    assert "must be unique" in failure(b"a\r\n\r\n\r\n", SearchReplace(search="\n\n", replace=""))


def test_a_long_list_of_places_is_cut_and_says_so() -> None:
    text = failure(b"a\n" * 1000, SearchReplace(search="a", replace="b"))
    assert "19, 20 and further ones" in text
    assert "21" not in text


def test_places_at_the_limit_are_all_listed() -> None:
    text = failure(b"a\n" * 20, SearchReplace(search="a", replace="b"))
    assert "19, 20;" in text


def test_equal_texts_change_nothing_even_where_line_ends_would() -> None:
    mixed = b"1\r\n2\n3\r\n4\r\n"
    assert edited(mixed, "1\n2\n3", "1\n2\n3") == mixed


def test_equal_texts_must_still_be_found_once() -> None:
    assert "did not match" in failure(b"a", SearchReplace(search="b", replace="b"))


@pytest.mark.parametrize(
    ("before", "edit", "words"),
    [
        (None, SearchReplace(search="a", replace="b"), "does not exist. Use file_write"),
        (b"a", SearchReplace(search="", replace="b"), "search text is empty"),
        (b"caf\xe9 a", SearchReplace(search="a", replace="b"), "not UTF-8"),
        (b"a\0", SearchReplace(search="a", replace="b"), "NUL"),
        (b"a", SearchReplace(search="\ud800", replace="b"), "search text has a lone surrogate"),
        (b"a", SearchReplace(search="a", replace="\udcff"), "replacement has a lone surrogate"),
        (None, WholeContent(content="a\ud800b", can_overwrite=True), "character 2"),
        (b"", WholeContent(content="x", can_overwrite=False), "already exists.*file_edit"),
    ],
)
def test_refusals_say_what_was_wrong(before: bytes | None, edit: FileEdit, words: str) -> None:
    with pytest.raises(ToolFailure, match=words):
        apply_edit(before, edit, "f.txt")


@pytest.mark.parametrize(
    ("before", "content", "after"),
    [
        (None, "\ufeffa\r\nb\n", b"\xef\xbb\xbfa\r\nb\n"),
        (None, "", b""),
        (None, "a\0b", b"a\0b"),
        (b"o1\r\no2\r\n", "n1\nn2\n", b"n1\r\nn2\r\n"),
        (b"o1\r\no2\r\n", "n1\r\nn2\n", b"n1\r\nn2\r\n"),
        (b"o1\no2\n", "n1\r\nn2\r\n", b"n1\nn2\n"),
        (b"long old body\n", "new", b"new"),
        # Reading shows no mark, so a rewrite without it keeps it, and never doubles it.
        (BOM + b"a\n", "b\n", BOM + b"b\n"),
        (BOM + b"a\n", "\ufeffb\n", BOM + b"b\n"),
        (b"a\n", "\ufeffb\n", BOM + b"b\n"),
        # What was no text has no line ends to keep.
        (b"\0\r\n\r\n", "n\n", b"n\n"),
        (b"\xff\r\n\r\n", "n\n", b"n\n"),
    ],
)
def test_whole_content_keeps_the_line_ends_of_the_old_file(
    before: bytes | None, content: str, after: bytes
) -> None:
    assert apply_edit(before, WholeContent(content=content, can_overwrite=True), "f") == after


@pytest.mark.parametrize(
    ("data", "line_end"),
    [(b"", b"\n"), (b"a\r\nb\n", b"\n"), (b"a\r\nb\r\nc\n", b"\r\n"), (b"\r\r\r", b"\n")],
)
def test_lf_is_dominant_on_a_tie(data: bytes, line_end: bytes) -> None:
    assert dominant_line_end(data) == line_end


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_five_megabytes_are_edited_quickly(line_end: bytes) -> None:
    filler = (b"line of filler text number" + line_end) * 200_000
    started = time.process_time()
    after = edited(filler + b"UNIQUE MARK 7" + line_end, "UNIQUE MARK 7", "UNIQUE MARK 8")
    assert after == filler + b"UNIQUE MARK 8" + line_end
    assert time.process_time() - started < 3
