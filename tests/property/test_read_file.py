"""Whatever a file holds, its numbered lines give it back, and the limit holds."""

import io

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.tools.files.read_file import render_numbered
from caramelo_tui.tools.files.reading import LineRange, read_lines
from caramelo_tui.tools.leaf_threads import StopFlag

texts = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0\r\ufeff"), max_size=200
)


@given(texts, st.integers(1, 12), st.none() | st.integers(1, 12))
def test_numbered_lines_are_the_files_lines(text: str, offset: int, limit: int | None) -> None:
    data = text.encode()
    last = None if limit is None else offset + limit - 1
    lines = read_lines(
        io.BytesIO(data),
        LineRange(first=offset, last=last, limit_bytes=262_144),
        shown="f",
        size=len(data),
        stop=StopFlag(),
    )

    rows = render_numbered(lines).text.split("\n")

    numbered = [row.partition(" | ") for row in rows if " | " in row and row.lstrip()[0].isdigit()]
    whole = text.removesuffix("\n").split("\n") if text else []
    wanted = whole[offset - 1 : last]
    assert [content for _, _, content in numbered] == wanted
    assert [int(number) for number, _, _ in numbered] == [
        offset + index for index in range(len(wanted))
    ]
    assert all(len(number) == max(4, len(number.strip())) for number, _, _ in numbered)
