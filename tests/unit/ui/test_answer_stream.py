"""An answer becomes blocks while it comes in."""

from caramelo_tui.ui.widgets.answer_stream import MAX_RECOLOURED_CHARACTERS, AnswerStream
from tests.unit.ui.drawing import NEVER, on, texts_of


def test_finished_blocks_come_out_and_the_open_one_is_shown() -> None:
    stream = AnswerStream()
    blocks = stream.feed("one\n\ntwo")
    assert [block.piece.source for block in blocks] == ["one\n"]
    opened = stream.open_block()
    assert opened is not None
    assert opened.piece.source == "two"
    assert [block.piece.source for block in stream.finish()] == ["two"]
    assert stream.open_block() is None


def test_a_definition_that_comes_late_reaches_earlier_blocks() -> None:
    stream = AnswerStream()
    (block,) = stream.feed("see [docs]\n\n")
    assert texts_of(block.draw(on()).lines) == ["see [docs]"]
    stream.feed("[docs]: https://x.y\n\n")
    assert stream.has_new_references
    assert texts_of(block.draw(on()).lines) == ["see docs (https://x.y)"]


def test_a_long_fence_is_coloured_as_a_whole_after_it_closed() -> None:
    code = "x = '''\n" + "inside\n" * 60 + "'''\n"
    stream = AnswerStream()
    pieces = stream.feed("```python\n" + code)
    assert not stream.has_work
    pieces += stream.feed("```\n")
    assert stream.has_work
    assert stream.work(float("-inf")) is None
    fence = stream.work(NEVER)
    assert fence is pieces[0].piece.fence
    assert not stream.has_work
    assert stream.work(NEVER) is None
    # Alone, the second piece cannot know that it stands inside a string.
    styles = {style for line in pieces[1].draw(on()).lines for text, style in line if "ins" in text}
    assert [style.color.name for style in styles if style.color] == [
        on().palette.colors["syntax-string"]
    ]


def test_short_and_unknown_and_huge_fences_are_not_coloured_twice() -> None:
    stream = AnswerStream()
    stream.feed("```python\nx = 1\n```\n")
    stream.feed("```\n" + "x\n" * 100 + "```\n")
    stream.feed("```python\n" + "x = 1  # padding\n" * (MAX_RECOLOURED_CHARACTERS // 10) + "```\n")
    assert not stream.has_work
