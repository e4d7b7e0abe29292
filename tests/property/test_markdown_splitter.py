"""However a text is cut and fed, its blocks are the same."""

from hypothesis import given
from hypothesis import strategies as st

from tests.unit.ui.markdown_samples import SAMPLES
from tests.unit.ui.test_markdown_splitter import split, tokens_alone, tokens_of

LINES = st.sampled_from(
    [
        "",
        "word",
        "two words",
        "# heading",
        "---",
        "===",
        "- item",
        "* item",
        "1. item",
        "7) item",
        "  inner",
        "    deep",
        "> quote",
        ">",
        "```",
        "```py",
        "~~~",
        "| a | b |",
        "|---|---|",
        "a | b",
        "-",
        "***",
    ]
)
TEXTS = st.lists(LINES, max_size=7).map(lambda lines: "\n".join(lines) + "\n")


@given(texts=st.lists(st.sampled_from(SAMPLES), min_size=1, max_size=4), data=st.data())
def test_random_pieces_give_the_same_blocks(texts: list[str], data: st.DataObject) -> None:
    text = "\n\n".join(texts)
    sizes = data.draw(st.lists(st.integers(1, 40), min_size=1, max_size=8))
    whole = [(piece.kind, piece.source) for piece in split(text)]
    for size in sizes:
        assert [(piece.kind, piece.source) for piece in split(text, step=size)] == whole


@given(text=TEXTS)
def test_random_constructs_alone_are_those_of_the_whole(text: str) -> None:
    assert tokens_alone(split(text)) == tokens_of(text)
