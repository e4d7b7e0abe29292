"""Asking the whole file first never loses a line."""

import regress
from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.tools.search.regex_worker import (
    LineSearch,
    join_batch,
    split_batch,
)

PLAIN = ["a", "b", "é", ".", "^", "$", "|", "(", ")", "(?:", "?", "*", "+", "{2}", "{,2}", "[", "]"]
CLASSES = ["\\d", "\\w", "\\S", "\\b", "\\B", "\\.", "[ab]", "[\\w-]", "[!-b]"]
NOT_PLAIN = ["(?!a)", "(?=b)", "(?<=a)", "[^a]", "\\s", "\\W", "(?<n>a)", "\\k<n>", "\\1", "\n"]
pieces = st.sampled_from([*PLAIN, *CLASSES, *NOT_PLAIN])
patterns = st.lists(pieces, max_size=6).map("".join)
lines = st.text(alphabet="abé.1 \r\u2028A", max_size=6)
files = st.lists(lines, max_size=5).map(lambda found: "\n".join(found).encode())


@given(patterns, files, st.sampled_from(["", "i"]))
def test_first_question_to_the_whole_file_changes_no_answer(
    pattern: str, data: bytes, flags: str
) -> None:
    try:
        search = LineSearch(regress, pattern, flags)
    except regress.RegressError:
        return
    plain = LineSearch(regress, pattern, flags)
    plain._whole = None

    assert list(search.rows(data)) == list(plain.rows(data))


@given(st.lists(st.binary(max_size=20), max_size=6), st.integers(0, 2**32 - 1))
def test_batches_survive_their_frame(batch: list[bytes], wanted: int) -> None:
    assert split_batch(join_batch(batch, wanted)) == (wanted, batch)
