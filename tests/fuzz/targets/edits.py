"""A text is replaced exactly where a reading by units finds it once, and no other byte changes."""

from caramelo_tui.domain.diffs import SearchReplace, WholeContent
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.workspace.edits import BOM, apply_edit
from tests.fuzz.feed import Feed, text_of
from tests.property.test_edits import dominant, raw_units, units, with_line_ends

SEEDS = (
    b"a\r\nb\nc\xffb\xffx\ny",
    BOM + b"a\nb\xffa\xffb",
    b"aaa\xffaa\xffb",
    b"\r\r\n\n\xff\n\xff\r",
    "ä\u2028ö\0".encode() + b"\xff\xc3\xff$&",
)


def fuzz_one(data: bytes) -> None:
    """Apply an edit, and an overwrite, to a file.

    Raises:
        AssertionError: If a model of the edit says something else.
    """
    feed = Feed(data)
    before, search, replace = feed.line(), text_of(feed.line()), text_of(feed.rest())
    overwrite = WholeContent(content=replace, can_overwrite=True)
    after = _applied(before, overwrite)
    assert (after is None) is (_encoded(replace) is None)
    result = _applied(before, SearchReplace(search=search, replace=replace))
    wanted = expected(before, search, replace)
    assert result == wanted, (before, search, replace)


def _applied(before: bytes, edit: SearchReplace | WholeContent) -> bytes | None:
    try:
        return apply_edit(before, edit, "f")
    except ToolFailure:
        return None


def _encoded(text: str) -> bytes | None:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return None


def expected(before: bytes, search: str, replace: str) -> bytes | None:
    """Return what the edit must give; ``None``: it must be refused."""
    try:
        text = before.decode()
    except UnicodeDecodeError:
        return None
    if "\0" in text or not search or _encoded(search) is None or _encoded(replace) is None:
        return None
    mark = BOM if before.startswith(BOM) else b""
    body = text.removeprefix("\ufeff")
    file, sought = units(body), units(search)
    starts = range(len(file) - len(sought) + 1)
    places = [at for at in starts if file[at : at + len(sought)] == sought]
    if len(places) != 1:
        return None
    if search == replace:
        return before
    raw, at = raw_units(body), places[0]
    new = with_line_ends(replace, dominant(body))
    return mark + ("".join(raw[:at]) + new + "".join(raw[at + len(sought) :])).encode()
