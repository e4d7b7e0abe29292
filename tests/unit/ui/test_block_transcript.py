"""Blocks give their text back as it came."""

from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.widgets.block_answer import AnswerBlock, AnswerParts
from caramelo_tui.ui.widgets.block_drawing import Block
from caramelo_tui.ui.widgets.block_list import prompt_blocks
from caramelo_tui.ui.widgets.block_transcript import (
    code_of_group,
    groups_of,
    quoted,
    text_of_group,
    transcript_text,
)
from caramelo_tui.ui.widgets.conversation_blocks import (
    CallBlock,
    EndBlock,
    NoticeBlock,
    ThinkingBlock,
)
from tests.unit.ui.test_markdown_splitter import split


def answer(text: str) -> list[Block]:
    parts = AnswerParts()
    return [AnswerBlock(piece=piece, parts=parts) for piece in split(text)]


def test_a_long_fence_comes_back_whole_and_marked() -> None:
    code = "".join(f"line {number}\n" for number in range(100))
    (group,) = groups_of(answer(f"```python\n{code}```\n"))
    assert len(group) > 1
    assert text_of_group(group) == f"```python\n{code}```"
    assert code_of_group(group) == code.removesuffix("\n")


def test_a_fence_with_fences_in_it_gets_longer_marks() -> None:
    (group,) = groups_of(answer("~~~md\n```\nx\n```\n~~~\n"))
    assert text_of_group(group) == "````md\n```\nx\n```\n````"


def test_code_in_a_list_is_found_and_dedented() -> None:
    text = "- first:\n\n  ```sh\n  make\n    all\n  ```\n\n- then\n"
    (group,) = groups_of(answer(text))
    assert code_of_group(group) == "make\n  all"
    (group,) = groups_of(answer("> so:\n> ```\n> make\n>\n>   all\n> ```\n"))
    assert code_of_group(group) == "make\n\n  all"


def test_prose_and_calls_have_no_code() -> None:
    (group,) = groups_of(answer("only words\n"))
    assert not code_of_group(group)
    assert not code_of_group([NoticeBlock(level="info", text="```\nx\n```")])


def test_long_lists_tables_and_prompts_come_back_as_they_were() -> None:
    items = "".join(f"- item number {number} of many\n" for number in range(300))
    rows = "| a | b |\n|---|---|\n" + "| some words | more words |\n" * 200
    for text in (items, rows):
        (group,) = groups_of(answer(text))
        assert len(group) > 1
        assert text_of_group(group) == text.strip("\n")
    prompt = "\n".join(f"line {number}" for number in range(2_000))
    (group,) = groups_of(prompt_blocks(prompt, is_queued=False))
    assert len(group) > 1
    assert text_of_group(group) == prompt


def test_a_quote_has_its_sign_on_every_line() -> None:
    assert quoted("one\n\ntwo\n") == "> one\n>\n> two\n\n"


def test_the_transcript_says_who_said_what() -> None:
    call = CallBlock(
        call_id=CallId("1"), tool="grep", summary="json", state="ok", duration_ms=12, detail="+1"
    )
    cached = CallBlock(call_id=CallId("2"), tool="grep", summary="x", state="ok", is_cached=True)
    blocks: list[Block] = [
        *prompt_blocks("go", is_queued=False),
        ThinkingBlock(text="hm", duration_ms=2_000),
        *answer("One.\n\nTwo.\n"),
        call,
        cached,
        NoticeBlock(level="warning", text="b.py changed"),
        EndBlock(ending="error", detail="no answer"),
    ]
    assert transcript_text(blocks) == (
        "## You\n\ngo\n\n## Thinking for 2.0 s\n\nhm\n\n## Answer\n\nOne.\n\nTwo.\n\n"
        "- ✓ grep  json  +1 (ok, 12 ms)\n- = grep  x (cached)\n\n"
        "Warning: b.py changed\n\n--- error: no answer ---\n"
    )
    assert not transcript_text([])
