"""Each block says what happened, in the cells that it has."""

import pytest

from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.formatting import STATE_SIGNS
from caramelo_tui.ui.widgets.block_answer import AnswerBlock, AnswerParts
from caramelo_tui.ui.widgets.block_drawing import Block
from caramelo_tui.ui.widgets.cells import width_of
from caramelo_tui.ui.widgets.conversation_blocks import (
    CallBlock,
    EndBlock,
    NoticeBlock,
    PromptBlock,
    ThinkingBlock,
)
from tests.unit.ui.drawing import on, texts_of
from tests.unit.ui.test_markdown_splitter import split


def call(
    state: str = "ok",
    *,
    duration_ms: int | None = None,
    is_cached: bool = False,
    detail: str = "",
    summary: str = "src/cli.py",
) -> CallBlock:
    return CallBlock(
        call_id=CallId("c"),
        tool="file_read",
        summary=summary,
        state=state,
        duration_ms=duration_ms,
        is_cached=is_cached,
        detail=detail,
    )


def shown(block: Block, width: int = 50) -> list[str]:
    return texts_of(block.draw(on(width)).lines)


def test_a_prompt_is_labelled_once() -> None:
    assert shown(PromptBlock(text="one two three\nfour"), 16) == [
        "you  one two",
        "     three",
        "     four",
    ]
    assert shown(PromptBlock(text="later", is_queued=True)) == ["queued later"]
    assert shown(PromptBlock(text="more", is_continued=True)) == ["     more"]


def test_a_call_says_tool_summary_and_outcome() -> None:
    assert shown(call(duration_ms=12), 40) == ["✓ file_read   src/cli.py           12 ms"]
    assert shown(call("waiting", detail="+1"), 40) == ["? file_read   src/cli.py     +1  waiting"]
    assert shown(call("error", detail="exit 1", duration_ms=3_200), 40) == [
        "✗ file_read   src/cli.py   exit 1  3.2 s"
    ]
    assert shown(call("error"), 40)[0].endswith("error")
    assert shown(call("cancelled", duration_ms=0), 40)[0].endswith("cancelled")
    assert shown(call(duration_ms=0), 40)[0].endswith("0 ms")


def test_a_cached_call_says_so_instead_of_a_duration() -> None:
    line = shown(call(is_cached=True, duration_ms=0), 40)[0]
    assert line.startswith("= ")
    assert line.endswith("cached")


@pytest.mark.parametrize("state", sorted(STATE_SIGNS))
@pytest.mark.parametrize("width", [1, 8, 20, 100])
def test_a_call_is_one_line_of_the_width(state: str, width: int) -> None:
    block = call(state, duration_ms=5, detail="some detail", summary="a/very/long/path" * 4)
    lines = block.draw(on(width)).lines
    assert len(lines) == block.estimate(width) == 1
    assert width_of(lines[0]) <= max(width, 14)


def test_running_thinking_shows_its_tail_and_folds_afterwards() -> None:
    block = ThinkingBlock(text="one\ntwo\nthree\nfour\nfive")
    assert shown(block) == [
        "▾ thinking · 23 characters",
        "  two",
        "  three",
        "  four",
        "  five",
    ]
    block.duration_ms = 4_000
    assert shown(block) == ["▸ thought for 4.0 s · 23 characters"]
    block.is_open = True
    assert len(shown(block)) == 6
    assert block.estimate(50) == 6


def test_a_notice_has_the_sign_of_its_level() -> None:
    assert shown(NoticeBlock(level="error", text="a\nb")) == ["✗ a", "  b"]
    assert shown(NoticeBlock(level="warning", text="a")) == ["! a"]
    assert shown(NoticeBlock(level="info", text="a")) == ["i a"]


def test_an_ending_is_a_rule_with_its_name() -> None:
    assert shown(EndBlock(ending="completed", detail="3 turns"), 40)[0].startswith(
        "── completed · 3 turns ──"
    )
    assert shown(EndBlock(ending="max_turns"), 40)[0].startswith("── max turns ──")


def test_a_long_ending_goes_below_the_rule() -> None:
    lines = shown(EndBlock(ending="error", detail="the server said something long"), 30)
    assert lines[0].startswith("── error ──")
    assert lines[1:] == ["the server said something long"]


@pytest.mark.parametrize(
    "block",
    [
        PromptBlock(text="\x1b[31m [/] [@click=app.quit]x[/]"),
        call(summary="\x1b]0;x\x07", detail="\x1b[2J"),
        ThinkingBlock(text="\x1b[31m", duration_ms=1, is_open=True),
        NoticeBlock(level="error", text="\x9b31m\u202e"),
        EndBlock(ending="error", detail="\x1b[31m" + "long " * 30),
    ],
)
def test_outside_text_is_safe_in_every_block(block: Block) -> None:
    for line in block.draw(on(60)).lines:
        assert all(text.isprintable() for text, _style in line)


def test_markup_is_shown_literally() -> None:
    assert "[@click=app.quit]x[/]" in shown(PromptBlock(text="[@click=app.quit]x[/]"))[0]
    assert "[/b]" in shown(call(summary="[/b]"))[0]


def test_answer_blocks_draw_their_piece() -> None:
    text = "para **bold**\n\n```python\nx = 1\n```\n"
    blocks = [AnswerBlock(piece=piece, parts=AnswerParts()) for piece in split(text)]
    assert shown(blocks[0]) == ["para bold"]
    assert shown(blocks[1], 30) == [f"{' x = 1':<23}python"]
    assert [block.estimate(50) for block in blocks] == [1, 1]
    assert [block.has_gap for block in blocks] == [True, True]


def test_a_line_of_code_of_a_megabyte_is_cut() -> None:
    (piece,) = split("```\n" + "x" * 1_000_000 + "\n```\n")
    lines = AnswerBlock(piece=piece, parts=AnswerParts()).draw(on(100)).lines
    assert len(lines) < 30
    assert "more characters" in texts_of(lines)[-1]
