"""Blocks parsed alone are the blocks of the whole."""

import pytest

from caramelo_tui.ui.widgets.markdown_lines import parse
from caramelo_tui.ui.widgets.markdown_splitter import (
    FENCE_PIECE_LINES,
    HARD_CAP,
    SOFT_CAP,
    MarkdownSplitter,
    Piece,
    PieceKind,
)
from tests.unit.ui.markdown_samples import SAMPLES

Token = tuple[str, str, str, str]


def split(text: str, *, step: int = 0) -> list[Piece]:
    splitter = MarkdownSplitter()
    pieces: list[Piece] = []
    size = step or max(len(text), 1)
    for start in range(0, len(text), size):
        pieces += splitter.feed(text[start : start + size])
    return pieces + splitter.finish()


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a whole text, inline content in its block."""
    return [(token.type, token.tag, token.info, token.content) for token in parse(text, {})]


def tokens_alone(pieces: list[Piece]) -> list[Token]:
    """Return the tokens of the pieces, each parsed alone."""
    found: list[Token] = []
    references: dict[str, object] = {}
    for piece in pieces:
        if piece.fence is not None:
            content = "".join(f"{line}\n" for line in piece.fence.lines)
            found.append(("fence", "code", piece.fence.info, content))
        else:
            found += [(t.type, t.tag, t.info, t.content) for t in parse(piece.source, references)]
    return found


@pytest.mark.parametrize("text", SAMPLES)
def test_blocks_alone_are_the_blocks_of_the_whole(text: str) -> None:
    assert tokens_alone(split(text)) == tokens_of(text.replace("\r\n", "\n"))


@pytest.mark.parametrize("step", [1, 3, 7])
@pytest.mark.parametrize("text", SAMPLES)
def test_how_the_text_comes_does_not_matter(text: str, step: int) -> None:
    whole = [(piece.kind, piece.source) for piece in split(text)]
    assert [(piece.kind, piece.source) for piece in split(text, step=step)] == whole


def test_a_blank_line_ends_a_paragraph_at_once() -> None:
    splitter = MarkdownSplitter()
    assert splitter.feed("one\ntwo\n") == []
    assert [piece.source for piece in splitter.feed("\n")] == ["one\ntwo\n"]


def test_the_incomplete_line_is_shown_and_not_decided() -> None:
    splitter = MarkdownSplitter()
    splitter.feed("one\ntw")
    piece = splitter.open_piece()
    assert piece is not None
    assert piece.source == "one\ntw"
    assert MarkdownSplitter().open_piece() is None


def test_the_closing_marks_of_a_fence_are_not_shown_as_code() -> None:
    splitter = MarkdownSplitter()
    splitter.feed("```py\nx = 1\n``")
    piece = splitter.open_piece()
    assert piece is not None
    assert piece.fence is not None
    assert piece.fence.lines == ["x = 1"]
    splitter.feed("x")
    assert splitter.open_piece() is not None


def test_an_open_fence_finishes_pieces() -> None:
    code = "".join(f"x{number} = {number}\n" for number in range(FENCE_PIECE_LINES * 2 + 5))
    splitter = MarkdownSplitter()
    pieces = splitter.feed("```py\n" + code)
    assert [piece.line_count for piece in pieces] == [FENCE_PIECE_LINES] * 2
    assert [piece.continues for piece in pieces] == [False, True]
    assert [piece.first_line for piece in pieces] == [0, FENCE_PIECE_LINES]
    last = splitter.feed("```\n")
    assert [piece.line_count for piece in last] == [5]
    fence = last[0].fence
    assert fence is not None
    assert fence.is_closed
    assert "\n".join(fence.lines) + "\n" == code
    assert all(piece.fence is fence for piece in pieces)


def test_a_long_line_of_code_ends_a_piece_too() -> None:
    pieces = MarkdownSplitter().feed("```\n" + "x" * (SOFT_CAP + 1) + "\n")
    assert [piece.line_count for piece in pieces] == [1]


def test_a_long_list_is_cut_at_an_item_and_keeps_its_number() -> None:
    item = "word " * 60
    pieces = split("".join(f"{number}. {item}\n" for number in range(3, 30)))
    assert len(pieces) > 1
    assert all(piece.kind is PieceKind.LIST for piece in pieces)
    assert [piece.continues for piece in pieces][:2] == [False, True]
    assert pieces[0].start_number is None
    for piece in pieces[1:]:
        assert piece.source.startswith(f"{piece.start_number}. ")
    assert all(len(piece.source) < SOFT_CAP + len(item) + 10 for piece in pieces)


def test_a_list_of_ones_counts_on_over_its_pieces() -> None:
    pieces = split("".join(f"1. {'word ' * 60}\n" for _ in range(20)))
    assert pieces[1].start_number == 1 + pieces[0].source.count("1. ")


def test_a_long_table_is_cut_at_a_row_and_shares_its_head() -> None:
    rows = "".join(f"| {number} | {'cell ' * 20} |\n" for number in range(60))
    pieces = split("| a | b |\n|---|---|\n" + rows)
    assert len(pieces) > 1
    assert {piece.kind for piece in pieces} == {PieceKind.TABLE}
    table = pieces[0].table
    assert table is not None
    assert table.head == "| a | b |\n|---|---|\n"
    assert all(piece.table is table for piece in pieces)


def test_an_absurd_paragraph_is_cut_at_a_line() -> None:
    pieces = split("".join(f"{'word ' * 20}\n" for _ in range(200)))
    assert len(pieces) > 1
    assert all(len(piece.source) <= HARD_CAP + 200 for piece in pieces)
    assert [piece.continues for piece in pieces] == [False] + [True] * (len(pieces) - 1)


def test_a_line_without_an_end_is_cut_too() -> None:
    splitter = MarkdownSplitter()
    pieces: list[Piece] = []
    for _ in range(100):
        pieces += splitter.feed("word " * 100)
        opened = splitter.open_piece()
        assert opened is not None
        assert len(opened.source) < HARD_CAP * 3
    pieces += splitter.finish()
    assert "".join(piece.source for piece in pieces).replace("\n", "") == "word " * 10_000


def test_one_feed_of_a_line_without_an_end_is_cut_to_pieces() -> None:
    splitter = MarkdownSplitter()
    pieces = splitter.feed("x" * (HARD_CAP * 10))
    pieces += splitter.finish()
    assert all(len(piece.source) <= HARD_CAP * 2 + 2 for piece in pieces)
    assert "".join(piece.source for piece in pieces).replace("\n", "") == "x" * (HARD_CAP * 10)


def test_an_empty_fence_is_a_block() -> None:
    pieces = split("```\n```\n")
    assert [(piece.kind, piece.line_count) for piece in pieces] == [(PieceKind.FENCE, 0)]


def test_a_long_quote_is_cut_at_a_quoted_line() -> None:
    pieces = split("".join(f"> {'word ' * 20}\n" for _ in range(200)))
    assert len(pieces) > 1
    assert all(piece.source.startswith("> ") for piece in pieces)


def test_long_indented_code_is_cut() -> None:
    pieces = split("".join(f"    {'word ' * 20}\n" for _ in range(60)))
    assert len(pieces) > 1
    assert all(piece.source.startswith("    ") for piece in pieces)
