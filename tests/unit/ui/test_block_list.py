"""Blocks stay in order, and a call is found again."""

from caramelo_tui.domain.ids import CallId, RunId
from caramelo_tui.ui.widgets.block_answer import AnswerBlock, AnswerParts
from caramelo_tui.ui.widgets.block_drawing import Block
from caramelo_tui.ui.widgets.block_list import (
    GO_ON,
    PROMPT_PIECE_CHARACTERS,
    BlockList,
    prompt_blocks,
)
from caramelo_tui.ui.widgets.conversation_blocks import (
    CallBlock,
    EndBlock,
    NoticeBlock,
    PromptBlock,
    ThinkingBlock,
)
from tests.unit.ui.test_markdown_splitter import split


def call(name: str) -> CallBlock:
    return CallBlock(call_id=CallId(name), tool="grep", summary="", state="ok")


def listed(*blocks: Block) -> BlockList:
    made = BlockList()
    for block in blocks:
        made.append(block, width=40)
    return made


def test_calls_in_a_row_stand_without_a_blank_line() -> None:
    blocks = listed(PromptBlock(text="a"), call("1"), call("2"), NoticeBlock(level="info", text=""))
    assert [blocks.has_gap(index) for index in range(4)] == [False, True, False, True]
    assert blocks.heights.total == 1 + 2 + 1 + 2


def test_a_call_is_found_by_its_id() -> None:
    first = call("1")
    blocks = listed(PromptBlock(text="a"), first, call("2"))
    assert blocks.call(CallId("1")) is first
    assert blocks.call(CallId("3")) is None
    assert blocks.index_of(first) == 1
    blocks.clear()
    assert blocks.call(CallId("1")) is None
    assert blocks.heights.total == 0


def test_only_open_thinking_at_the_end_goes_on() -> None:
    thinking = ThinkingBlock(text="hm")
    blocks = listed(thinking)
    assert blocks.running_thinking() is thinking
    thinking.duration_ms = 5
    assert blocks.running_thinking() is None
    assert BlockList().running_thinking() is None


def test_pieces_of_one_block_count_as_one() -> None:
    parts = AnswerParts()
    pieces = split("```\n" + "x\n" * 100 + "```\n\nafter\n")
    blocks = listed(*(AnswerBlock(piece=piece, parts=parts) for piece in pieces))
    assert len(blocks) == 4
    assert blocks.start_of(2) == 0
    assert blocks.next_start(0, 1) == 3
    assert blocks.next_start(3, -1) == 0
    assert blocks.next_start(3, 1) == 4
    fence = pieces[0].fence
    assert fence is not None
    assert blocks.pieces_of(fence) == [2, 1, 0]


def test_blocks_with_brackets_may_hold_references() -> None:
    parts = AnswerParts()
    pieces = split("see [a]\n\nplain\n")
    blocks = listed(
        AnswerBlock(piece=pieces[0], parts=AnswerParts()),
        *(AnswerBlock(piece=piece, parts=parts) for piece in pieces),
    )
    assert blocks.with_references(parts) == [1]
    assert list(blocks) == [blocks[index] for index in range(3)]


def test_the_last_block_can_be_dropped() -> None:
    blocks = listed(PromptBlock(text="a"), PromptBlock(text="b"))
    assert blocks.drop_last() == 1
    assert len(blocks) == 1
    assert blocks.heights.total == 1


def test_a_long_prompt_is_cut_at_line_ends() -> None:
    text = "line of text\n" * 1_000
    blocks = prompt_blocks(text, is_queued=False)
    assert len(blocks) > 2
    assert all(len(block.text) <= PROMPT_PIECE_CHARACTERS for block in blocks)
    assert "\n".join(block.text for block in blocks) == text.strip("\n")
    assert [block.is_continued for block in blocks] == [False] + [True] * (len(blocks) - 1)


def test_a_prompt_of_one_endless_line_is_cut_anywhere() -> None:
    blocks = prompt_blocks("x" * 10_000, is_queued=True)
    assert "".join(block.text for block in blocks) == "x" * 10_000
    assert all(block.is_queued for block in blocks)


def test_what_would_make_up_for_a_failed_run_is_known() -> None:
    ask = PromptBlock(text="please")
    failed = EndBlock(ending="error", detail="no network")
    (piece,) = split("words")
    said = AnswerBlock(piece=piece, parts=AnswerParts())
    assert listed(ask, failed).retry_text() == "please"
    assert listed(ask, said, failed).retry_text() == GO_ON
    assert listed(ask, call("1"), failed, NoticeBlock(level="info", text="x")).retry_text() == GO_ON
    assert not listed(ask).retry_text()
    assert not listed(ask, said).retry_text()
    assert not listed(ask, failed, ask).retry_text()
    assert not listed(ask, EndBlock(ending="completed")).retry_text()
    assert not listed().retry_text()


def test_a_long_prompt_is_asked_for_again_as_a_whole() -> None:
    text = "\n".join(f"line {number}" for number in range(2_000))
    blocks = listed(*prompt_blocks(text, is_queued=False), EndBlock(ending="error"))
    assert blocks.retry_text() == text


def test_an_answer_is_all_that_came_in_one_go() -> None:
    first, second = AnswerParts(), AnswerParts()
    pieces = [AnswerBlock(piece=piece, parts=first) for piece in split("a\n\nb\n\nc")]
    other = [AnswerBlock(piece=piece, parts=second) for piece in split("d")]
    blocks = listed(PromptBlock(text="x"), *pieces, *other)
    assert list(blocks.answer_at(2)) == pieces
    assert list(blocks.answer_at(4)) == other
    assert len(blocks.answer_at(0)) == 1


def test_a_search_goes_with_the_blocks() -> None:
    blocks = listed(PromptBlock(text="needle"))
    search = blocks.begin_search("needle")
    blocks.append(NoticeBlock(level="info", text="needle needle"), width=40)
    assert search.total == 3
    blocks.drop_last()
    assert search.total == 1
    block = blocks[0]
    assert isinstance(block, PromptBlock)
    block.text = "hay"
    blocks.note_change(0)
    assert search.total == 0
    blocks.clear()
    assert blocks.search is None


def test_the_run_of_the_prompt_above_is_found() -> None:
    blocks = listed(
        NoticeBlock(level="info", text=""),
        *prompt_blocks("go", is_queued=False, run_id=RunId("r1")),
        call("1"),
        PromptBlock(text="steered"),
    )
    assert [blocks.run_at(index) for index in range(len(blocks))] == [None, "r1", "r1", "r1"]
