"""Walk through a conversation by blocks, and do something with them.

Owns the block cursor and its keys: open, copy, quote, fold, search, try again. It decides
nothing: what others must do is posted. How blocks come in and are drawn is
``ConversationStream``'s. Proven by tests/pilot/test_conversation.py, test_block_keys.py and
test_conversation_search.py.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from textual import events
from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.message import Message

from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.clipboard import copy_text
from caramelo_tui.ui.conversation_requests import (
    ForkAsked,
    RetryAsked,
    RewindAsked,
    TextEditAsked,
    TextOpened,
    TextQuoted,
)
from caramelo_tui.ui.widgets.block_drawing import Block
from caramelo_tui.ui.widgets.block_search import Match, lines_with
from caramelo_tui.ui.widgets.block_transcript import (
    code_of_group,
    quoted,
    text_of_group,
    transcript_text,
)
from caramelo_tui.ui.widgets.conversation_blocks import (
    CallBlock,
    EndBlock,
    NoticeBlock,
    PromptBlock,
    ThinkingBlock,
)
from caramelo_tui.ui.widgets.conversation_stream import FOLDED_LINES, ConversationStream

_KEYS_IN_PLACE = frozenset({"block(-1)", "block(1)", "open", "match(1)", "match(-1)", "end_search"})
"""Actions that mean something only where the cursor is seen."""


def _key(keys: str, action: str, words: str, name: str) -> Binding:
    return Binding(keys, action, words, show=False, id=f"conversation.{name}")


class ConversationView(ConversationStream):
    """The lines of ``ConversationPane``; the pane is its only user."""

    BINDINGS: ClassVar[list[BindingType]] = [
        _key("alt+up", "block(-1)", "Block up", "block_up"),
        _key("alt+down", "block(1)", "Block down", "block_down"),
        _key("enter", "open", "Open the call, fold thinking", "open"),
        _key("y", "copy_block", "Copy the block", "copy_block"),
        _key("Y", "copy_answer", "Copy the whole answer", "copy_answer"),
        _key("c", "copy_code", "Copy the code of the block", "copy_code"),
        _key("q", "quote", "Quote the block in the prompt", "quote"),
        _key("space", "fold", "Fold the block, and unfold it", "fold"),
        _key("o", "open_pager", "Open the block in the pager", "open_pager"),
        _key("r", "retry", "Try again what failed or waits", "retry"),
        _key("u", "undo_here", "Files back to before the prompt", "undo_here"),
        _key("f", "fork_here", "Fork the session before the prompt", "fork_here"),
        _key("slash", "search", "Search the conversation", "search"),
        _key("n", "match(1)", "Next match", "next_match"),
        _key("N", "match(-1)", "Match before", "match_before"),
        _key("t", "open_transcript", "Open the whole transcript in the pager", "transcript"),
        _key("T", "edit_transcript", "Open the whole transcript in $EDITOR", "edit_transcript"),
        _key("escape", "end_search", "End the search", "end_search"),
    ]

    PLACELESS: ClassVar[frozenset[str]] = frozenset(
        {"copy_last", "retry", "open_transcript", "edit_transcript"}
    )
    """Actions that need no cursor: whoever asks for them stays where they are."""

    class CallOpened(Message):
        """The user wants to see a call."""

        def __init__(self, call_id: CallId) -> None:
            super().__init__()
            self.call_id = call_id

    class SearchAsked(Message):
        """The user wants to type what is searched for."""

    class SearchEnded(Message):
        """The user searches no more."""

    def __init__(self, *, monotonic: Callable[[], float] | None = None) -> None:
        super().__init__(monotonic=monotonic)
        self._search_from = 0

    @classmethod
    def own_keys(cls) -> Iterator[Binding]:
        """Yield the keys that the palette offers from anywhere: all but those of the cursor."""
        for binding in cls.BINDINGS:
            if isinstance(binding, Binding) and binding.action not in _KEYS_IN_PLACE:
                yield binding

    @property
    def cursor(self) -> int | None:
        """Index of the block under the cursor."""
        return self._cursor

    # --- cursor ------------------------------------------------------------------------

    def action_block(self, step: int) -> None:
        """Move the block cursor up (-1) or down (+1) and bring its block on the screen."""
        if not len(self.blocks):
            return
        if self._cursor is None:
            first, last = self.shown_blocks
            index = self.blocks.start_of(last if step < 0 else first)
        else:
            index = self.blocks.next_start(self._cursor, step)
        if index >= len(self.blocks):
            self.go_end()
            return
        self._cursor = max(index, 0)
        self.show_block(self._cursor)
        self.repaint()

    def action_open(self) -> None:
        """Open the call, or fold or unfold the thinking, under the cursor."""
        start = self._chosen()
        if start is None:
            return
        block = self.blocks[start]
        if isinstance(block, CallBlock):
            self.post_message(self.CallOpened(block.call_id))
        elif isinstance(block, ThinkingBlock):
            self.action_fold()

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on a block; a second click opens it."""
        index = self.block_at(event.y)
        if index is None or event.x >= self.size.width - 1:
            return
        start = self.blocks.start_of(index)
        was_there = self._cursor == start
        self._cursor = start
        self.repaint()
        if was_there:
            self.action_open()

    # --- the block under the cursor ----------------------------------------------------

    def _chosen(self) -> int | None:
        """Return the start under the cursor; without one, the last in view becomes it."""
        if not len(self.blocks):
            return None
        if self._cursor is None or self._cursor >= len(self.blocks):
            start = self.blocks.start_of(max(self.shown_blocks[1], 0))
            while start > 0 and isinstance(self.blocks[start], EndBlock):
                # How a run ended is hardly what somebody wants to copy or quote.
                start = self.blocks.next_start(start, -1)
            self._cursor = start
            self.repaint()
        return self._cursor

    def _chosen_group(self) -> Sequence[Block]:
        start = self._chosen()
        return () if start is None else self.blocks.group_at(start)

    def action_copy_block(self) -> None:
        """Send the block's text to the clipboard."""
        if group := self._chosen_group():
            copy_text(self.host, text_of_group(group))

    def action_copy_answer(self) -> None:
        """Send all of the answer, with what stands around the block, to the clipboard."""
        start = self._chosen()
        if start is not None:
            copy_text(self.host, _answer_text(self.blocks.answer_at(start)))

    def action_copy_last(self) -> None:
        """Send the last answer to the clipboard, wherever the cursor is."""
        index = self.blocks.last_answer()
        if index is None:
            self.host.notify("There is no answer yet.", markup=False)
            return
        copy_text(self.host, _answer_text(self.blocks.answer_at(index)))

    def action_copy_code(self) -> None:
        """Send the code in the block, without its marks, to the clipboard."""
        group = self._chosen_group()
        if not group:
            return
        code = code_of_group(group)
        if code:
            copy_text(self.host, code)
        else:
            self.host.notify("There is no code in this block.", markup=False)

    def action_quote(self) -> None:
        """Put the block into the prompt as a quote."""
        if group := self._chosen_group():
            self.post_message(TextQuoted(quoted(text_of_group(group))))

    def action_open_pager(self) -> None:
        """Show the block whole, on a page of its own."""
        if group := self._chosen_group():
            self.post_message(TextOpened(text_of_group(group), title=_title_of(group[0])))

    def action_fold(self) -> None:
        """Fold a block of many lines to its first ones, or unfold it."""
        start = self._chosen()
        if start is None:
            return
        block = self.blocks[start]
        row = self.row_of(start)
        if isinstance(block, ThinkingBlock):
            block.is_open = not block.is_open
            self.redraw(block)
        elif start in self._folded:
            self._unfold(start)
        elif self._lines_of_group(start) <= FOLDED_LINES + 1:
            self.host.notify("There is nothing to fold in this block.", markup=False)
            return
        else:
            self._folded.add(start)
            self._redraw_group(start)
        # Its first line stays where it is, whatever comes and goes below it.
        self.place_line(start, 0, row=row)

    def _unfold(self, start: int) -> None:
        self._folded.discard(start)
        self._redraw_group(start)

    def _redraw_group(self, start: int) -> None:
        for index in range(start, start + len(self.blocks.group_at(start))):
            self.forget_block(index)
            lines = self.blocks[index].estimate(self._width()) + self.blocks.has_gap(index)
            self.blocks.heights.put(index, lines)

    def _lines_of_group(self, start: int) -> int:
        size = len(self.blocks.group_at(start))
        lines = sum(self.blocks.heights[index] for index in range(start, start + size))
        return lines - self.blocks.has_gap(start)

    def action_fork_here(self) -> None:
        """Go on in a new session that ends before the prompt under the cursor, or above it."""
        start = self._chosen()
        run_id = None if start is None else self.blocks.run_at(start)
        if run_id is None:
            self.host.notify("There is no prompt here to fork before.", markup=False)
        else:
            self.post_message(ForkAsked(run_id))

    def action_undo_here(self) -> None:
        """Ask for the files as they were before the prompt under the cursor, or above it."""
        start = self._chosen()
        run_id = None if start is None else self.blocks.run_at(start)
        if run_id is None:
            self.host.notify("There is no prompt here to go back to.", markup=False)
        else:
            self.post_message(RewindAsked(run_id))

    # --- the conversation as a whole ---------------------------------------------------

    def action_retry(self) -> None:
        """Ask for what failed again, at once if it waits; else for the last prompt or to go on."""
        self.post_message(RetryAsked(self.blocks.retry_text()))

    def action_open_transcript(self) -> None:
        """Show everything as text."""
        self.post_message(TextOpened(self._transcript(), title="Transcript"))

    def action_edit_transcript(self) -> None:
        """Open everything in the user's editor."""
        self.post_message(TextEditAsked(self._transcript()))

    def _transcript(self) -> str:
        return transcript_text(list(self.blocks)) or "Nothing was said yet.\n"

    # --- search ------------------------------------------------------------------------

    def action_search(self) -> None:
        """Let the user type what is searched for."""
        self._search_from = self.top[0]
        self.post_message(self.SearchAsked())

    def search(self, words: str) -> None:
        """Search from where the view stood; empty words end it."""
        self._leave_match()
        self.forget_rendering()
        if words:
            self._show_match(self.blocks.begin_search(words).go_from(self._search_from, 1))
        else:
            self.blocks.end_search()
        self.repaint()

    def action_match(self, step: int) -> None:
        """Go to the next match, or to the one before."""
        search = self.blocks.search
        if search is None:
            self.action_search()
            return
        self._leave_match()
        self._show_match(search.go(step))

    def action_end_search(self) -> None:
        """Search no more.

        Raises:
            SkipAction: Without a search: the key means what it means elsewhere.
        """
        if self.blocks.search is None:
            raise SkipAction
        self.search("")
        self.post_message(self.SearchEnded())

    def _leave_match(self) -> None:
        if self._match_line is not None:
            self.forget_block(self._match_line[0])
            self._match_line = None

    def _show_match(self, match: Match | None) -> None:
        """Unfold what hides a match, and bring its line near the middle of the view."""
        search = self.blocks.search
        if match is None or search is None:
            return
        start = self._cursor = self.blocks.start_of(match.block)
        block = self.blocks[match.block]
        if start in self._folded:
            self._unfold(start)
        if isinstance(block, ThinkingBlock) and not block.is_open:
            block.is_open = True
            self.redraw(block)
        lines = lines_with(self._lines_of(match.block), search.words)
        line = lines[min(match.ordinal, len(lines) - 1)] if lines else 0
        self._match_line = (match.block, line)
        self.forget_block(match.block)
        if not self.is_line_shown(match.block, line):
            self.center_line(match.block, line)
        self.repaint()


def _answer_text(answer: Sequence[Block]) -> str:
    return transcript_text(answer).removeprefix("## Answer\n\n").strip("\n")


def _title_of(block: Block) -> str:
    """Return what a page with the block's text is called."""
    match block:
        case PromptBlock():
            return "You"
        case ThinkingBlock():
            return "Thinking"
        case CallBlock():
            return "Call"
        case NoticeBlock():
            return "Notice"
        case _:
            return "Answer"
