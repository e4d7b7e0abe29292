"""Edits change the match and nothing else, whatever the bytes are."""

import re

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.domain.diffs import SearchReplace, WholeContent
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.workspace.edits import BOM, apply_edit

MARK = "\u27e6M\u27e7"
LINE_ENDS = st.sampled_from(["\n", "\r\n"])
TEXT = st.text(
    st.one_of(st.sampled_from("\r\n\t \f\u0085\u2028\ufeffab$\\"), st.characters(codec="utf-8")),
    max_size=40,
).map(lambda text: text.replace(MARK, "").replace("\0", ""))
FEW = st.text(st.sampled_from("ab\r\n"), max_size=12)


def edit(before: bytes, search: str, replace: str) -> bytes | ToolFailure:
    try:
        return apply_edit(before, SearchReplace(search=search, replace=replace), "f")
    except ToolFailure as failure:
        return failure


def units(text: str) -> list[str]:
    """Split a text so that each line end, CRLF or LF, is one and the same unit."""
    return ["\n" if unit == "\r\n" else unit for unit in re.findall(r"\r\n|.", text, re.DOTALL)]


def raw_units(text: str) -> list[str]:
    return re.findall(r"\r\n|.", text, re.DOTALL)


def dominant(text: str) -> str:
    ends = re.findall(r"\r?\n", text)
    return "\r\n" if ends.count("\r\n") * 2 > len(ends) else "\n"


def with_line_ends(text: str, line_end: str) -> str:
    return re.sub(r"\r?\n", lambda _: line_end, text)


@given(
    before=TEXT,
    after=TEXT,
    middle=st.lists(TEXT, max_size=3),
    replace=TEXT,
    data=st.data(),
    has_mark=st.booleans(),
)
def test_every_other_byte_is_equal(
    *, before: str, after: str, middle: list[str], replace: str, data: st.DataObject, has_mark: bool
) -> None:
    in_file, sought = MARK, MARK
    for part in [*middle, ""]:
        safe = part.replace("\r", "")
        in_file += safe.replace("\n", "") + data.draw(LINE_ENDS)
        sought += safe.replace("\n", "") + data.draw(LINE_ENDS)
    in_file, sought = in_file + MARK, sought + MARK
    # The mark is no text of the file, so a first character that looks like it is avoided.
    head = before.lstrip("\ufeff")
    body = head + in_file + after
    start = BOM if has_mark else b""
    result = edit(start + body.encode(), sought, replace)
    expected = head + with_line_ends(replace, dominant(body)) + after
    if sought == replace:
        expected = body
    assert result == start + expected.encode()


@given(body=FEW, search=FEW.filter(bool), replace=FEW)
def test_matches_are_counted_and_replaced_as_by_hand(body: str, search: str, replace: str) -> None:
    file, wanted = units(body), units(search)
    places = [
        place
        for place in range(len(file) - len(wanted) + 1)
        if file[place : place + len(wanted)] == wanted
    ]
    result = edit(body.encode(), search, replace)
    if len(places) != 1:
        assert isinstance(result, ToolFailure)
        words = "must be unique" if places else "did not match"
        assert words in str(result)
        return
    raw, place = raw_units(body), places[0]
    kept_before, kept_after = "".join(raw[:place]), "".join(raw[place + len(wanted) :])
    new = with_line_ends(replace, dominant(body))
    expected = body if search == replace else kept_before + new + kept_after
    assert result == expected.encode()


@given(before=st.binary(max_size=60), search=st.text(max_size=5), replace=st.text(max_size=5))
def test_any_bytes_give_a_result_or_a_failure(before: bytes, search: str, replace: str) -> None:
    result = edit(before, search, replace)
    if isinstance(result, bytes):
        before.decode()
        assert b"\0" not in before


@given(old=TEXT, new=TEXT)
def test_overwriting_takes_only_line_ends_from_the_old_file(old: str, new: str) -> None:
    head = old.lstrip("\ufeff")
    result = apply_edit(head.encode(), WholeContent(content=new, can_overwrite=True), "f")
    assert result == with_line_ends(new, dominant(head)).encode()


@given(content=st.text(max_size=60))
def test_a_new_file_is_stored_as_given(content: str) -> None:
    edit_ = WholeContent(content=content, can_overwrite=False)
    try:
        wanted = content.encode()
    except UnicodeEncodeError:
        wanted = None
    try:
        assert apply_edit(None, edit_, "f") == wanted
    except ToolFailure:
        assert wanted is None
