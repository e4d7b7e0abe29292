"""Give the text of blocks back, as Markdown.

Owns what copying, quoting and the whole transcript say: the text as it came, not as it was drawn
or wrapped. Pure; outside text is not made safe here, who shows or sends it does. Proven by
tests/unit/ui/test_block_transcript.py.
"""

import re
from collections.abc import Iterator, Sequence

from caramelo_tui.ui.formatting import duration_text, state_sign, state_words
from caramelo_tui.ui.widgets.block_answer import AnswerBlock
from caramelo_tui.ui.widgets.block_drawing import Block
from caramelo_tui.ui.widgets.conversation_blocks import (
    CallBlock,
    EndBlock,
    NoticeBlock,
    PromptBlock,
    ThinkingBlock,
)

_NESTED_CODE = re.compile(
    r"^[ \t>]*(?:(?:[-+*]|\d+[.)])[ \t]+)?(?P<marks>`{3,}|~{3,})[^\n`]*\n"
    r"(?P<code>.*?)^[ \t>]*(?P=marks)[`~]*[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
"""A fence within a list or a quote; top-level ones are pieces of their own."""

_BACKTICKS = re.compile(r"`{3,}")


def text_of_group(group: Sequence[Block]) -> str:
    """Return the text of blocks that belong together, without blank lines around it.

    Args:
        group: A start and those that continue it, such as the pieces of one fence.
    """
    first = group[0]
    if isinstance(first, AnswerBlock) and first.piece.fence is not None:
        code = _joined_code(group)
        longest = max((len(marks) for marks in _BACKTICKS.findall(code)), default=2)
        marks = "`" * max(longest + 1, 3)
        return f"{marks}{first.piece.fence.info}\n{code}\n{marks}"
    between = "\n" if isinstance(first, PromptBlock) else ""
    return between.join(block.source for block in group).strip("\n")


def code_of_group(group: Sequence[Block]) -> str:
    """Return the code of a code block, or of those within a list or quote; empty without any."""
    first = group[0]
    if not isinstance(first, AnswerBlock):
        return ""
    if first.piece.fence is not None:
        return _joined_code(group)
    found = _NESTED_CODE.finditer(text_of_group(group) + "\n")
    return "\n".join(_dedented(match["code"]) for match in found)


def quoted(text: str) -> str:
    """Return a text as a Markdown quote, with a blank line below it."""
    lines = text.strip("\n").split("\n")
    return "".join(f"> {line}".rstrip() + "\n" for line in lines) + "\n"


def transcript_text(blocks: Sequence[Block]) -> str:
    """Return all blocks as one Markdown text that ends with a line end; empty without blocks."""
    parts: list[str] = []
    was_answer = was_call = False
    for group in groups_of(blocks):
        block = group[0]
        is_answer, is_call = isinstance(block, AnswerBlock), isinstance(block, CallBlock)
        if is_answer and not was_answer:
            parts.append("## Answer\n")
        text = _entry(block, group)
        if is_call and was_call:
            parts[-1] = parts[-1].removesuffix("\n")
        parts.append(f"{text}\n")
        was_answer, was_call = is_answer, is_call
    return "\n".join(parts)


def groups_of(blocks: Sequence[Block]) -> Iterator[Sequence[Block]]:
    """Yield the blocks that belong together, in order."""
    group: list[Block] = []
    for block in blocks:
        if group and not block.is_continued:
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def _entry(block: Block, group: Sequence[Block]) -> str:
    """Return one group with what says where it came from."""
    text = text_of_group(group)
    match block:
        case PromptBlock():
            return f"## You{' (queued)' if block.is_queued else ''}\n\n{text}"
        case ThinkingBlock():
            took = f" for {duration_text(block.duration_ms)}" if block.duration_ms else ""
            return f"## Thinking{took}\n\n{text}"
        case CallBlock():
            return _call_text(block)
        case NoticeBlock():
            return f"{block.level.capitalize()}: {text}"
        case EndBlock():
            return f"--- {text} ---"
        case _:
            return text


def _call_text(block: CallBlock) -> str:
    state = "cached" if block.is_cached else block.state
    words = [state_words(state)]
    if block.duration_ms is not None and not block.is_cached:
        words.append(duration_text(block.duration_ms))
    return f"- {state_sign(state)} {block.source} ({', '.join(words)})"


def _joined_code(group: Sequence[Block]) -> str:
    return "\n".join(block.source for block in group)


def _dedented(code: str) -> str:
    """Remove what all lines of a nested block share at their left: a quote's sign, and blanks."""
    lines = code.removesuffix("\n").split("\n")
    if all(line.lstrip(" ").startswith(">") for line in lines):
        lines = [line.lstrip(" ").removeprefix(">") for line in lines]
    filled = [line for line in lines if line.strip()]
    shared = min((len(line) - len(line.lstrip(" ")) for line in filled), default=0)
    return "\n".join(line[shared:] for line in lines)
