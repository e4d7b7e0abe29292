"""Work out the bytes that an edit leaves.

Owns search/replace and whole-file edits as pure functions on bytes: no byte outside the
match changes. It reads and writes nothing. Proven by tests/unit/workspace/test_edits.py and
tests/property/test_edits.py.
"""

import bisect

from caramelo_tui.domain.diffs import FileEdit, SearchReplace, WholeContent
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.workspace.similar_lines import similar_lines

BOM = b"\xef\xbb\xbf"
_LISTED_PLACES = 20
"""Places named when a search text is found more than once."""


def apply_edit(
    before: bytes | None, edit: FileEdit, path: str, *, create_tool: str = "file_write"
) -> bytes:
    """Return the content after the edit.

    Args:
        before: Content of the file; ``None``: it does not exist.
        edit: What is to be done.
        path: For messages.
        create_tool: Name of the tool that makes new files, for messages.

    Raises:
        ToolFailure: If it cannot be done; the text says what to do instead.
    """
    match edit:
        case SearchReplace():
            return _replace_once(before, edit, path, create_tool)
        case WholeContent():
            return _whole(before, edit, path)


def dominant_line_end(data: bytes) -> bytes:
    r"""Return ``\r\n`` if it ends more lines than a bare ``\n`` does, else ``\n``."""
    crlf = data.count(b"\r\n")
    return b"\r\n" if crlf > data.count(b"\n") - crlf else b"\n"


def _replace_once(before: bytes | None, edit: SearchReplace, path: str, create_tool: str) -> bytes:
    if before is None:
        msg = f"{path} does not exist. Use {create_tool} to create it."
        raise ToolFailure(msg)
    if not edit.search:
        msg = f"The search text is empty; nothing in {path} was changed."
        raise ToolFailure(msg)
    _refuse_binary(before, path)
    search = _encoded(edit.search, "search text")
    replacement = _encoded(edit.replace, "replacement")
    # The mark is no part of the text: a search never finds it, an edit never moves it.
    mark = BOM if before.startswith(BOM) else b""
    body = before[len(mark) :]
    start, end = _only_match(body, search, path)
    if edit.search == edit.replace:
        return before
    return mark + body[:start] + _with_line_ends(replacement, body) + body[end:]


def _only_match(body: bytes, search: bytes, path: str) -> tuple[int, int]:
    # Both sides are compared with CRLF as LF; the match is then carried back to the bytes.
    wanted = search.replace(b"\r\n", b"\n")
    text = body.replace(b"\r\n", b"\n")
    places = _places(text, wanted)
    if not places:
        raise ToolFailure(_not_found(text, wanted, path))
    if len(places) > 1:
        raise ToolFailure(_not_unique(text, places, path))
    shifts = _shortened_at(body)
    start = places[0]
    end = start + len(wanted)
    return start + _lost_before(shifts, start), end + _lost_before(shifts, end)


def _places(text: bytes, wanted: bytes) -> list[int]:
    """Return where ``wanted`` begins, overlapping places included, at most one beyond the list."""
    places: list[int] = []
    place = text.find(wanted)
    while place >= 0 and len(places) <= _LISTED_PLACES:
        places.append(place)
        place = text.find(wanted, place + 1)
    return places


def _shortened_at(body: bytes) -> list[int]:
    """Return the offsets, in the text with LF only, of the line ends that were CRLF."""
    offsets: list[int] = []
    place = body.find(b"\r\n")
    while place >= 0:
        offsets.append(place - len(offsets))
        place = body.find(b"\r\n", place + 2)
    return offsets


def _lost_before(shifts: list[int], offset: int) -> int:
    return bisect.bisect_left(shifts, offset)


def _with_line_ends(text: bytes, like: bytes) -> bytes:
    unified = text.replace(b"\r\n", b"\n")
    line_end = dominant_line_end(like)
    return unified if line_end == b"\n" else unified.replace(b"\n", line_end)


def _whole(before: bytes | None, edit: WholeContent, path: str) -> bytes:
    content = _encoded(edit.content, "content")
    if before is None:
        return content
    if not edit.can_overwrite:
        msg = (
            f"{path} already exists; nothing was written. Use file_edit instead, "
            "or set overwrite to true to replace all of it."
        )
        raise ToolFailure(msg)
    if not _is_text(before):
        return content
    # Reading shows neither the mark nor CRLF, so a rewrite that lacks them did not drop them.
    mark = BOM if before.startswith(BOM) and not content.startswith(BOM) else b""
    return mark + _with_line_ends(content, before)


def _encoded(text: str, what: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        msg = f"The {what} has a lone surrogate (character {error.start + 1}), which is no text."
        raise ToolFailure(msg) from error


def _is_text(data: bytes) -> bool:
    if b"\0" in data:
        return False
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _refuse_binary(before: bytes, path: str) -> None:
    if b"\0" in before:
        msg = f"{path} is binary (it has NUL bytes), not UTF-8 text; nothing was changed."
        raise ToolFailure(msg)
    if not _is_text(before):
        msg = f"{path} is not UTF-8 text (its encoding is another one); nothing was changed."
        raise ToolFailure(msg)


def _not_found(text: bytes, wanted: bytes, path: str) -> str:
    found = similar_lines(text.decode(), wanted.decode())
    head = f"The search text did not match anything in {path}; nothing was changed."
    if not found:
        return f"{head} No similar lines were found; read the file again."
    rows = "\n".join(f"{line.number:>6} | {line.text}" for line in found)
    return f"{head} The nearest similar lines:\n{rows}"


def _not_unique(text: bytes, places: list[int], path: str) -> str:
    listed = places[:_LISTED_PLACES]
    lines: list[str] = []
    line = 1
    seen = 0
    for place in listed:
        line += text.count(b"\n", seen, place)
        seen = place
        lines.append(str(line))
    more = " and further ones" if len(places) > len(listed) else ""
    return (
        f"The search text must be unique — include more context. It was found in {path} "
        f"at lines {', '.join(lines)}{more}; nothing was changed."
    )
